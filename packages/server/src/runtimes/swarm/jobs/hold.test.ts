// Terminals, piped input and kept files on a real Swarm, whose manager is this machine.
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { hasDocker, loadImage } from '../../../../test/docker/docker-engine.ts'
import { type Swarm, type SwarmNode, startSwarm } from '../../../../test/docker/swarm.ts'
import { createLocalHost, printedBy } from '../../../../test/processes/local-host.ts'
import { dockerScript } from '../../../commands/docker/script.ts'
import type { RunTerminal } from '../../../domain/run-terminal.ts'
import type { Host } from '../../../remote/host.ts'
import { runContainerProgram } from '../../../remote/output/output-scripts.ts'
import type { ExecTarget, OneOff } from '../../runtime.ts'
import { swarmRuntime } from '../swarm-runtime.ts'

const owner = { installationId: 'hold', environmentId: 7 }
const LABELS = ['shipway.installation=hold', 'shipway.environment=7', 'shipway.task=1']

describe.skipIf(!hasDocker)('containers that wait for commands', { timeout: 120_000 }, () => {
  let swarm: Swarm
  let manager: SwarmNode
  let host: Host
  let folder: string
  let web: ExecTarget

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'shipway-hold-'))
    swarm = await startSwarm({ managers: 1, workers: 0 })
    const [only] = swarm.managers
    if (!only) throw new Error('A manager was asked for')
    manager = only
    host = createLocalHost(manager.name, { DOCKER_HOST: manager.host, HOME: folder })
    writeFileSync(join(folder, 'key'), 'the secret')
    await manager.docker('secret', 'create', 'key', join(folder, 'key'))
    await manager.docker('network', 'create', '--driver', 'overlay', 'release')
    await serve('web', ['--env', 'KEY=value', '--secret', 'key', '--network', 'release', 'shipway-test/busybox'])
    web = await swarmRuntime.findTarget(
      { host, say: () => undefined },
      { owner, service: 'web', servingTaskId: 1, purpose: 'command' },
    )
  }, 120_000)
  afterAll(async () => {
    await swarm?.stop()
    rmSync(folder, { recursive: true, force: true })
  })
  const opened: RunTerminal[] = []
  afterEach(async () => {
    for (const terminal of opened.splice(0)) await terminal.end()
    const left = await oneOffs()
    if (left.length > 0) await host.run(dockerScript('end-hold', '0', ...left))
  })

  async function serve(name: string, words: readonly string[], program = 'sleep'): Promise<void> {
    const labels = [...LABELS, `shipway.service=${name}`, 'shipway.mode=beside'].flatMap((label) => ['--label', label])
    await manager.docker(
      ...['service', 'create', '--no-resolve-image', '--endpoint-mode', 'dnsrr', '--stop-grace-period', '0s'],
      ...[...labels, '--name', name, ...words, program, '9999'],
    )
  }
  const oneOffs = async (): Promise<string[]> =>
    (await manager.docker('service', 'ls', '--format', '{{.Name}}', '--filter', 'label=shipway.mode=one_off'))
      .split('\n')
      .filter(Boolean)
  /** A Swarm may say for a moment what was. */
  const lists = (names: readonly string[]) =>
    vi.waitFor(async () => expect((await oneOffs()).sort()).toEqual(names), { timeout: 20_000, interval: 200 })
  const create = (container: string, words: OneOff['words'], more: Partial<OneOff> = {}, target = web) =>
    swarmRuntime.createOneOff(host, target, {
      ...{ owner, taskId: null, container, words, input: 'pipe', releases: folder, registry: null },
      ...more,
    })
  const attach = async (container: string, size?: { columns: number; rows: number }) => {
    const terminal = await swarmRuntime.attachOneOff(host, { container, size })
    opened.push(terminal)
    return terminal
  }
  const textOf = async ({ output }: Pick<RunTerminal, 'output'>): Promise<string> => {
    const pieces: Buffer[] = []
    for await (const { bytes } of output) pieces.push(bytes)
    return Buffer.concat(pieces).toString()
  }

  test('a command with pipes gets its words, variables, secrets and the end of its input, and says how it ended', async () => {
    await create('piped', ['sh', '-c', 'cat; echo " $KEY $1"; cat /run/secrets/key; exit 3', 'sh', 'a\n\n"$(id)"\n'])
    const terminal = await attach('piped')
    await terminal.write(Buffer.from('given'))
    terminal.endInput()
    expect(await textOf(terminal)).toBe('given value a\n\n"$(id)"\n\nthe secret')
    expect(await terminal.exitCode).toBe(3)
    await terminal.end()
    await lists([])
  })

  test('a command with a terminal has its size, and another one when the window changes', async () => {
    await create('terminal', ['sh', '-c', 'stty size; read -r _; stty size'], { input: 'terminal' })
    const terminal = await attach('terminal', { columns: 100, rows: 30 })
    await terminal.resize({ columns: 90, rows: 20 })
    await terminal.write(Buffer.from('\r'))
    expect(await textOf(terminal)).toMatch(/20 90\r\n$/)
    expect(await terminal.exitCode).toBe(0)
  })

  test('a command gets a signal when its user is gone', async () => {
    await create('left', ['sh', '-c', 'trap "echo ended; exit" TERM; echo begun; while :; do sleep 0.1; done'])
    const terminal = await attach('left')
    const output = terminal.output[Symbol.asyncIterator]()
    expect((await output.next()).value?.bytes.toString()).toBe('begun\n')
    // The connection stays open: what it says last is seen.
    await printedBy(host, dockerScript('end-hold', '10', 'left'))
    // Its shell may also say that `sleep` was terminated.
    expect(await textOf({ output: { [Symbol.asyncIterator]: () => output } })).toMatch(/^ended$/m)
    await lists([])
  })

  test('the program of a certificate runs the command once, with its words and its exit code', async () => {
    const words = ['$(id)', '; exit 9', "it's", '"', '', '-x', '`id`', 'a\nb\n\n', '%d', '\\n', ' ', 'end']
    await create('forced', ['sh', '-c', 'cat; printf "<%s>" "$@"; exit 5', 'sh', ...words])
    const program = join(folder, 'run-container.sh')
    writeFileSync(program, runContainerProgram)
    const first = await host.run(['sh', program, 'forced'], { input: 'piped' })
    expect([first.exitCode, first.stdout.toString()]).toEqual([5, `piped${words.map((word) => `<${word}>`).join('')}`])
    const again = await host.run(['sh', program, 'forced'])
    expect([again.exitCode, again.stderr.toString()]).toEqual([69, expect.stringContaining('has run already')])
    await create('claimed', ['sh', '-c', 'echo ran'])
    const both = await Promise.all([1, 2].map(() => host.run(['sh', program, 'claimed'])))
    expect(both.map(({ stdout }) => stdout.toString()).sort()).toEqual(['', 'ran\n'])
    // As from another manager, where no claim says so.
    await create('elsewhere', ['id'])
    await manager.docker('service', 'scale', 'elsewhere=1')
    expect((await host.run(['sh', program, 'elsewhere'])).exitCode).toBe(69)
    await lists(['elsewhere'])
  })

  test('a command that replaces the programs of its container is removed with its user, too', async () => {
    const endless = 'printf "#!/bin/busybox yes\n" >/bin/new; chmod +x /bin/new; mv -f /bin/new /bin/sh'
    await create('hostile', ['sh', '-c', `${endless}; echo begun; exec sleep 9999`])
    const terminal = await attach('hostile')
    expect((await terminal.output[Symbol.asyncIterator]().next()).value?.bytes.toString()).toBe('begun\n')
    await swarmRuntime.removeLostOneOffs(host, { installationId: 'hold', processId: 'other' })
    await lists(['hostile'])
    expect(await host.run(dockerScript('end-hold', '3', 'hostile'))).toMatchObject({ exitCode: 0 })
    await lists([])
  })

  test('the placement of a service holds for commands that run like it', async () => {
    await serve('placed', ['--constraint', 'node.platform.os==linux', 'shipway-test/busybox'])
    const search = { owner, service: 'placed', servingTaskId: 1, purpose: 'command' } as const
    const placed = await swarmRuntime.findTarget({ host, say: () => undefined }, search)
    await create('like-placed', ['id'], {}, placed)
    const format = '{{json .Spec.TaskTemplate.Placement.Constraints}}'
    const constraints = await manager.docker('service', 'inspect', '--format', format, 'like-placed')
    expect(JSON.parse(constraints)).toEqual(['node.platform.os==linux', expect.stringMatching(/^node\.id==/)])
  })

  test('files of an action are read where it ran', async () => {
    const said: string[] = []
    const io = { host, say: (line: string) => void said.push(line) }
    const hold = { owner, taskId: 9, registry: null }
    const target = await swarmRuntime.holdTarget?.(io, web, hold)
    if (!target) throw new Error('A Swarm holds targets')
    // A step that is repeated finds what it has made.
    expect(await swarmRuntime.holdTarget?.(io, web, hold)).toEqual(target)
    expect(said[0]).toBe('Its files are kept, so it is on the manager in use: manager-1')
    const inside = (...words: [string, ...string[]]) => printedBy(host, swarmRuntime.commandIn(target, words))
    await inside('sh', '-c', 'cat /run/secrets/key >file')
    expect(await inside('cat', 'file')).toBe('the secret')
    await lists(['shipway-hold-7_x-action-9'])
  })

  test('an image without a shell is refused with the reason', async () => {
    const root = join(folder, 'root')
    mkdirSync(join(root, 'bin'), { recursive: true })
    copyFileSync(execFileSync('which', ['busybox'], { encoding: 'utf8' }).trim(), join(root, 'bin', 'busybox'))
    execFileSync('tar', ['-cf', join(folder, 'bare.tar'), '-C', root, '.'])
    await loadImage(manager, { name: 'shipway-test/bare', archive: join(folder, 'bare.tar') })
    await serve('bare', ['shipway-test/bare', '/bin/busybox'])
    const search = { owner, service: 'bare', servingTaskId: 1, purpose: 'command' } as const
    const bare = await swarmRuntime.findTarget({ host, say: () => undefined }, search)
    await create('shell-less', ['/bin/busybox', 'id'], {}, bare)
    await expect(attach('shell-less')).rejects.toThrow('The image has no program sh')
    await lists([])
  })

  test('commands of a platform process that is gone end, and those of others go on', async () => {
    for (const processId of ['one', 'two']) {
      await create(processId, ['sleep', '9999'], { processId })
      await attach(processId)
    }
    await swarmRuntime.removeLostOneOffs(host, { installationId: 'hold', processId: 'one' })
    await lists(['two'])
  })

  test('those whose terminal was never opened, or whose program is gone, are removed after some minutes', async () => {
    await create('never', ['id'])
    await create('idle', ['id'])
    await manager.docker('service', 'scale', 'idle=1')
    await create('busy', ['sleep', '9999'])
    await attach('busy')
    await vi.waitFor(async () => expect(await commandsIn('busy')).toBe('1'), { timeout: 20_000 })
    await swarmRuntime.removeUnusedOneOffs(host, 'hold')
    await lists(['busy', 'idle', 'never'])
    await swarmRuntime.removeUnusedOneOffs(anHourLater(), 'hold')
    await lists(['busy'])
  })
  const commandsIn = async (name: string): Promise<string> => {
    const id = await manager.docker('ps', '--quiet', '--filter', `label=com.docker.swarm.service.name=${name}`)
    return (await manager.docker('inspect', '--format', '{{len .ExecIDs}}', id.trim())).trim()
  }
  /** Where everything was made an hour ago. */
  const anHourLater = (): Host => {
    const programs = join(folder, 'programs')
    mkdirSync(programs, { recursive: true })
    writeFileSync(join(programs, 'date'), '#!/bin/sh\necho "$(($(/bin/date "$@") + 3600))"\n', { mode: 0o755 })
    const PATH = `${programs}:${process.env.PATH}`
    return createLocalHost(manager.name, { DOCKER_HOST: manager.host, HOME: folder, PATH })
  }
})
