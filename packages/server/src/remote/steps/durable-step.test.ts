import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { isAlive, listProcesses, listWorkingFolders } from '../../../test/process-list.ts'
import { openWorkshop, printed, readStep, startStep, until } from '../../../test/steps.ts'
import { Secret } from '../../secrets/secret.ts'
import { ConnectionLost, type Host } from '../host.ts'
import { cancelStep, removeStep, runStep, startOf } from './durable-step.ts'
import { startCommand } from './step-scripts.ts'

const workshop = openWorkshop()
afterAll(workshop.cleanUp)

const everyCharacter = String.fromCodePoint(...Array.from({ length: 255 }, (_, index) => index + 1))
const nasty = [
  ...['', ' ', '-n', '--help', '$(id)', '`id`', '${HOME}', "'", "''\\''", '"', '\\', '\\n', 'a\nb', '\n', 'a\n\n'],
  ...['\r\n', '\t', '*', '~', '!!', '; id', '&& id', '| cat', '> file', '# no comment', '%s%n', '=', 'a=b', 'EOF'],
  ...['\u001b[31mred\u001b[0m', 'ünïcödé 日本語 🚀', '\u0081\u0082\u0088', everyCharacter, 'x'.repeat(65_536)],
]
/** Names that shells set, refuse or evaluate: bash runs commands inside an index. */
const keptByShells = ['UID', 'PPID', 'OPTIND', 'RANDOM', 'HISTCMD', 'SHELLOPTS', 'BASH_VERSINFO', 'LINENO', 'LC_ALL']

describe.each(workshop.hosts)('with $shell as sh', ({ host }) => {
  test('every word arrives byte for byte', async () => {
    const folder = workshop.folder()
    await startStep(host, { folder, run: ['printf', '%s\\0', ...nasty] })
    const { end, output } = await readStep(host, folder)
    expect(output.toString().split('\0')).toEqual([...nasty, ''])
    expect(end).toEqual({ state: 'exited', exitCode: 0, total: output.length })
  })

  test('every value of the environment arrives byte for byte, whatever its name means to the shell', async () => {
    const folder = workshop.folder()
    const values = nasty.map((value, index) => [`V${index}`, value] as const)
    const kept = keptByShells.map((name) => [name, `a[$(touch ${workshop.root}/ran)]`] as const)
    const environment = new Map([...values, ...kept].map(([name, value]) => [name, new Secret(value)]))
    await startStep(host, { folder, run: ['cat', '/proc/self/environ'], environment })
    const { output } = await readStep(host, folder)
    const arrived = output.toString().split('\0')
    expect(arrived).toEqual(expect.arrayContaining([...values, ...kept].map(([name, value]) => `${name}=${value}`)))
    expect(existsSync(join(workshop.root, 'ran'))).toBe(false)
  })

  test('a script runs unchanged in its folder and stops at the first failure', async () => {
    const folder = workshop.folder()
    const script = `pwd; printf '%s\\n' "$0 it's" >&2; cat; sh -c 'exit 7'; echo not reached`
    await startStep(host, { folder, run: { script }, cwd: workshop.root })
    const { end, output } = await readStep(host, folder)
    expect(output.toString()).toBe(`${workshop.root}\n${folder}/script it's\n`)
    expect(end).toMatchObject({ state: 'exited', exitCode: 7 })
  })

  test('truncated input starts nothing, and complete input starts the step afterwards', async () => {
    const folder = workshop.folder()
    const step = { folder, run: { script: 'echo the whole script ran' } }
    const cut = (bytes: number): Host => ({
      ...host,
      run: (command, options) =>
        host.run(command, { ...options, input: Buffer.from(options?.input ?? '').subarray(0, bytes) }),
    })
    for (const bytes of [0, 8, 20]) {
      const running = runStep(cut(bytes), step, { fromOffset: 0, onOutput: () => undefined })
      await expect(running, `${bytes} bytes`).rejects.toThrow('did not arrive whole')
    }
    await startStep(host, step)
    expect((await readStep(host, folder)).output.toString()).toBe('the whole script ran\n')
  })

  test('a command that cannot run is reported in the output and the exit code', async () => {
    const missing = workshop.folder()
    await startStep(host, { folder: missing, run: ['no-such-program'] })
    expect(await readStep(host, missing)).toMatchObject({ end: { exitCode: 127 } })
    const nowhere = workshop.folder()
    await startStep(host, { folder: nowhere, run: ['true'], cwd: '/no such folder' })
    const { end, output } = await readStep(host, nowhere)
    expect(end).toMatchObject({ exitCode: 126 })
    expect(output.toString()).toContain('/no such folder')
  })

  test('a step that is started by many at once, and again later, runs once', async () => {
    const folder = workshop.folder()
    const counter = join(workshop.root, `counter-${host.name}`)
    const step = { folder, run: { script: `echo ran >>'${counter}'` } }
    const starts = await Promise.all([1, 2, 3, 4, 5].map(() => startStep(host, step)))
    await readStep(host, folder)
    expect(await startStep(host, step)).toEqual({ isNew: false })
    expect(starts.filter(({ isNew }) => isNew)).toHaveLength(1)
    expect(readFileSync(counter, 'utf8')).toBe('ran\n')
    expect(readdirSync(folder).filter((name) => name.startsWith('new.'))).toEqual([])
  })

  test('only the user of the connection can read a step’s inputs and output, and no secret is in a command line', async () => {
    const folder = workshop.folder()
    const environment = new Map([['TOKEN', new Secret('hush-4711')]])
    await startStep(host, { folder, run: { script: 'echo on; sleep 60' }, environment })
    await until(() => printed(folder) === 'on\n')
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    // The step's inputs are removed, maybe between two polls: a file, or its folder.
    const entries = readdirSync(folder).flatMap((name) => statSync(join(folder, name), { throwIfNoEntry: false }) ?? [])
    expect(entries.length).toBeGreaterThan(3)
    expect(entries.map(({ mode }) => mode & 0o077)).toEqual(entries.map(() => 0))
    const words = listProcesses().join('\n')
    expect(words).toContain('runner')
    expect(words).not.toContain('hush-4711')
    await cancelStep(host, folder)
  })

  test('cancel ends the whole group and says so', async () => {
    const folder = workshop.folder()
    await startStep(host, { folder, run: { script: '(sleep 60 & echo $!; sh -c "sleep 60 & wait") & wait' } })
    await until(() => printed(folder).endsWith('\n'))
    await cancelStep(host, folder)
    const { end, output } = await readStep(host, folder)
    expect(end).toMatchObject({ state: 'canceled', exitCode: 143 })
    expect(isAlive(Number(output.toString()))).toBe(false)
    await cancelStep(host, folder)
    expect((await readStep(host, folder)).end).toEqual(end)
  })

  test('the server ends a step at its timeout', async () => {
    const folder = workshop.folder()
    await startStep(host, { folder, run: { script: 'echo begun; sleep 60' }, timeoutMs: 3_000 })
    const { end, output } = await readStep(host, folder)
    expect(end).toMatchObject({ state: 'timed_out', exitCode: 143 })
    expect(output.toString()).toBe('begun\n')
  })

  test('processes that a step leaves running live on, and their later output is not part of the step', async () => {
    const folder = workshop.folder()
    const go = join(workshop.root, `go-${host.name}`)
    const wrote = join(workshop.root, `wrote-${host.name}`)
    const service = `until [ -e '${go}' ]; do sleep 0.05; done; echo late; echo late; touch '${wrote}'`
    await startStep(host, { folder, run: { script: `{ ${service}; } & echo done` } })
    const before = await readStep(host, folder)
    expect([before.end, before.output.toString()]).toEqual([{ state: 'exited', exitCode: 0, total: 5 }, 'done\n'])
    writeFileSync(go, '')
    await until(() => existsSync(wrote))
    expect(await readStep(host, folder)).toEqual(before)
  })

  test('a step whose processes are gone without an exit code has vanished', async () => {
    const folder = workshop.folder()
    await startStep(host, { folder, run: { script: 'echo begun; sleep 60' } })
    await until(() => printed(folder) === 'begun\n')
    const [runner, group] = ['process', 'group'].map((name) =>
      Number.parseInt(readFileSync(join(folder, name), 'utf8'), 10),
    )
    process.kill(Number(runner), 'SIGKILL')
    process.kill(-Number(group), 'SIGKILL')
    const { end, output } = await readStep(host, folder)
    expect([end, output.toString()]).toEqual([{ state: 'vanished' }, 'begun\n'])
    await cancelStep(host, folder)
    expect(await startStep(host, { folder, run: ['true'] })).toEqual({ isNew: false })
  })

  test('a later process with the runner’s id is not mistaken for it', async () => {
    const folder = workshop.folder()
    await startStep(host, { folder, run: { script: 'sleep 60' } })
    await until(() => existsSync(join(folder, 'group')))
    const { stdout } = await host.run(['cat', join(folder, 'process')])
    const [runner] = stdout.toString().split(' ')
    process.kill(Number(runner), 'SIGKILL')
    const [leader] = readFileSync(join(folder, 'group'), 'utf8').split(' ')
    process.kill(-Number(leader), 'SIGKILL')
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    for (const name of ['process', 'group']) writeFileSync(join(folder, name), `${process.pid} 1 ${boot}\n`)
    await cancelStep(host, folder)
    expect((await readStep(host, folder)).end).toEqual({ state: 'vanished' })
  })

  test('no helper process survives a step, however short', async () => {
    const folders = Array.from({ length: 40 }, () => workshop.folder())
    for (const folder of folders) {
      await startStep(host, { folder, run: ['true'], timeoutMs: 3_600_000 })
      await readStep(host, folder)
    }
    await until(() => !listWorkingFolders().some((folder) => folders.includes(folder)))
  })

  test('a step that was removed leaves nothing', async () => {
    const folder = workshop.folder()
    await startStep(host, { folder, run: ['true'] })
    await readStep(host, folder)
    await removeStep(host, folder)
    expect(existsSync(folder)).toBe(false)
    expect((await readStep(host, folder)).end).toEqual({ state: 'vanished' })
  })
})

test('a process that ignores TERM is killed after ten seconds, also when the command itself has ended', async () => {
  const [dash] = workshop.hosts
  if (!dash) throw new Error('no shell')
  const folder = workshop.folder()
  const stubborn = `sh -c 'trap "" TERM; echo $$; while :; do sleep 0.1; done' & wait`
  await startStep(dash.host, { folder, run: { script: stubborn } })
  await until(() => printed(folder).endsWith('\n'))
  await cancelStep(dash.host, folder)
  const { end, output } = await readStep(dash.host, folder)
  expect(end).toMatchObject({ state: 'canceled', exitCode: 143 })
  expect(isAlive(Number(output.toString()))).toBe(false)
})

test('a step that is canceled right at its start ends', async () => {
  const [dash] = workshop.hosts
  if (!dash) throw new Error('no shell')
  const folder = workshop.folder()
  await startStep(dash.host, { folder, run: ['sleep', '60'] })
  await cancelStep(dash.host, folder)
  expect((await readStep(dash.host, folder)).end).toMatchObject({ state: 'canceled', exitCode: 143 })
})

test('a start is repeated only if its response was lost, and the step runs once', async () => {
  const [dash] = workshop.hosts
  if (!dash) throw new Error('no shell')
  const folder = workshop.folder()
  const inputs: boolean[] = []
  const run: Host['run'] = async (command, { onOutput, input, ...options } = {}) => {
    inputs.push(input !== undefined)
    const session = inputs.length
    const heard: Buffer[] = []
    const finished = await dash.host.run(command, {
      ...options,
      ...(input && { input }),
      onOutput: (bytes) => void heard.push(bytes),
    })
    // The first response is empty, the second only says that the step runs.
    const text = Buffer.concat(heard).toString()
    const begun = 'shipway-step follows\n'
    const passed = session === 1 ? '' : session === 2 ? text.slice(0, text.indexOf(begun) + begun.length) : text
    await onOutput?.(Buffer.from(passed))
    if (session < 3) throw new ConnectionLost('cut')
    return finished
  }
  const output: Buffer[] = []
  const step = { folder, run: { script: 'echo once' } }
  const onOutput = (bytes: Buffer) => void output.push(bytes)
  const end = await runStep({ ...dash.host, run }, step, { fromOffset: 0, onOutput })
  expect(end).toMatchObject({ state: 'exited', exitCode: 0 })
  expect(inputs).toEqual([true, true, false])
  expect(Buffer.concat(output).toString()).toBe('once\n')
})

test.each(workshop.hosts)(
  'a step whose starter was ended before it heard of it is begun by the next, with $shell',
  async ({ host }) => {
    const folder = workshop.folder()
    const step = { folder, run: ['echo', 'once'] as const }
    const start = startOf(step)
    const session = { from: 0, bytes: 1, polls: 0, quickPolls: 0 }
    const [, , , , , runner = ''] = startCommand(folder, start, session)
    mkdirSync(join(folder, 'new.1'), { recursive: true })
    writeFileSync(join(folder, 'new.1', 'runner'), runner)
    writeFileSync(join(folder, 'new.1', 'launch'), start.input)
    const orphaned = 'cd "$1"; { sleep 0.2; setsid sh new.1/runner run new.1 0 "" command; } | :'
    await host.run(['sh', '-c', orphaned, 'sh', folder])
    expect(readdirSync(folder)).toEqual([])
    expect(await startStep(host, step)).toEqual({ isNew: true })
    expect((await readStep(host, folder)).output.toString()).toBe('once\n')
  },
)

test.each(['A B', '1A', 'A=B', '', 'Ä'])('%j is refused as the name of a variable', async (name) => {
  const [dash] = workshop.hosts
  if (!dash) throw new Error('no shell')
  const step = { folder: workshop.folder(), run: ['true'] as const, environment: new Map([[name, 'x']]) }
  await expect(startStep(dash.host, step)).rejects.toThrow('is not a name for a variable')
})
