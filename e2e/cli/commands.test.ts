// Every command of the client against a real platform, through a pipe: what it prints where, and how it ends.
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { beginJourney, ended, type Journey } from '../journey.ts'
import { type InProcess, openInProcess } from './in-process.ts'
import { startRelay } from './relay.ts'
import { serviceThatRuns } from './service-file.ts'

let journey: Journey
let program: InProcess
let staging: number
const at = ['-p', 'hello', '-e', 'staging'] as const

beforeAll(async () => {
  journey = await beginJourney('embedded', 'local')
  program = openInProcess({ SHIPWAY_URL: journey.platform.url, SHIPWAY_TOKEN: journey.platform.filled.token })
  journey.commit({ '.service.yml': serviceThatRuns('echo hello') })
  staging = await journey.createEnvironment('staging')
})
afterAll(async () => {
  program.stop()
  await journey.stop()
})

const run: InProcess['run'] = (words, how) => program.run(words, how)
const json = async (...words: string[]) => {
  const { code, out, err } = await run([...words, '--json'])
  expect({ code, err }).toEqual({ code: 0, err: '' })
  return JSON.parse(out)
}

describe('names', () => {
  test('an unknown name lists the known ones, with the nearest', async () => {
    expect(await run(['deploy', '-p', 'helo', '-e', 'staging'])).toEqual({
      code: 5,
      out: '',
      err: 'No project is called helo. Did you mean Hello?\n\n  Hello\n',
    })
    const { code, err } = await run(['deploy', '-p', 'hello', '-e', 'stagign', '--json'])
    expect(code).toBe(5)
    expect(JSON.parse(err)).toMatchObject({ code: 'environment_not_found', known: ['staging'], nearest: 'staging' })
  })

  test('ids work too, and an environment id needs no project', async () => {
    const byName = await json('vars', 'list', ...at)
    expect(await json('vars', 'list', '-p', String(journey.projectId), '-e', String(staging))).toEqual(byName)
    expect(await json('vars', 'list', '-e', String(staging))).toEqual(byName)
    expect(await run(['vars', 'list', '-e', '4711'])).toMatchObject({ code: 5, out: '' })
  })

  test('a linked repository needs neither, and the branch picks the environment', async () => {
    const folder = join(program.home, 'checkout')
    mkdirSync(join(folder, 'deep', 'er'), { recursive: true })
    execFileSync('git', ['init', '--quiet', '--initial-branch=main', folder])
    const inside = (words: string[]) => run(words, { folder: join(folder, 'deep', 'er') })
    writeFileSync(join(folder, '.shipway'), '{"project": "Hello"}')
    const found = await inside(['vars', 'list', '--json'])
    expect(JSON.parse(found.out)).toMatchObject({ environment_id: staging })
    execFileSync('git', ['-C', folder, 'symbolic-ref', 'HEAD', 'refs/heads/other'])
    expect(await inside(['vars', 'list'])).toMatchObject({
      code: 5,
      err: expect.stringContaining('follows the branch other'),
    })
    // The branch of this repository says nothing about another project.
    writeFileSync(join(folder, '.shipway'), '{"project": "Other"}')
    expect(await inside(['vars', 'list', '-p', 'hello'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('Give -e'),
    })
    writeFileSync(join(folder, '.shipway'), '{"project": "Hello", "environment": "staging"}')
    expect(await inside(['vars', 'list'])).toMatchObject({ code: 0 })
    writeFileSync(join(folder, '.shipway'), '{"projct": "Hello"}')
    expect(await inside(['vars', 'list'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('Did you mean project?'),
    })
  })

  test('the link file of a repository cannot choose who gets SHIPWAY_TOKEN', async () => {
    const folder = join(program.home, 'hostile')
    mkdirSync(folder)
    writeFileSync(join(folder, '.shipway'), '{"project": "Hello", "url": "http://127.0.0.1:1"}')
    expect(await run(['whoami'], { folder })).toMatchObject({ code: 0 })
    expect(await run(['whoami'], { folder, env: { SHIPWAY_URL: '' } })).toMatchObject({
      code: 2,
      err: expect.stringContaining('Set SHIPWAY_URL to the platform'),
    })
  })

  test('--url to another platform does not send it SHIPWAY_TOKEN, which is for SHIPWAY_URL', async () => {
    const other = await startRelay(journey.platform.url)
    expect(await run(['whoami', '--url', other.url])).toMatchObject({
      code: 4,
      out: '',
      err: expect.stringMatching(/SHIPWAY_TOKEN is for SHIPWAY_URL, so it was not sent\n.*shipway login http/),
    })
    expect(other.passed).toEqual([])
    // The same platform by --url, and a token whose platform only --url names.
    expect(await run(['whoami', '--url', journey.platform.url])).toMatchObject({ code: 0 })
    expect(await run(['whoami', '--url', journey.platform.url], { env: { SHIPWAY_URL: '' } })).toMatchObject({
      code: 0,
    })
    await other.stop()
  })

  test('an organization narrows by its name or id', async () => {
    const { organizations } = await json('whoami')
    const [{ id, name }] = organizations
    expect(await json('projects', 'list', '--org', name)).toHaveLength(1)
    expect(await json('--org', String(id), 'projects', 'list')).toHaveLength(1)
    expect(await run(['projects', 'list'], { env: { SHIPWAY_ORG: 'nobody' } })).toMatchObject({ code: 5 })
  })
})

describe('variables', () => {
  test('are set from arguments, a pipe and a file, and no value is ever printed', async () => {
    const file = join(program.home, 'variables.env')
    writeFileSync(file, 'FROM_FILE="two\\nlines"\nexport OTHER=\'as it is\' # why\n')
    const first = await run(['vars', 'set', ...at, 'WORD=value-of-word', 'PIPED=-'], { input: 'value-of-pipe\n' })
    expect(first).toEqual({
      code: 0,
      out: '',
      err:
        'Set WORD, PIPED on Hello / staging.\n' +
        'Variables changed since the last deployment. Deploy them: shipway deploy -p Hello -e staging\n',
    })
    const second = await run(['vars', 'set', ...at, '--from-file', file, 'SHORT=x'])
    expect(second.err).toContain('Too short to be hidden in output: SHORT.')
    const list = await run(['vars', 'list', ...at])
    for (const key of ['WORD', 'PIPED', 'FROM_FILE', 'OTHER', 'SHORT', 'SERVICE_DOMAIN'])
      expect(list.out).toContain(key)
    expect(list.err).toContain('Variables changed since the last deployment')
    for (const text of [first, second, list].flatMap(({ out, err }) => [out, err])) {
      expect(text).not.toMatch(/value-of|as it is|two/)
    }
  })

  test('an empty standard input is an error, unless --allow-empty says that it is meant', async () => {
    const set = (words: readonly string[], input: string) => run(['vars', 'set', ...at, ...words], { input })
    for (const [words, input] of [
      [['PIPED=-'], ''],
      [['PIPED=-'], '\n'],
      [['GOOD=value', 'PIPED=-'], ''],
      [['GOOD=value', '--from-file', '-'], ''],
    ] as const) {
      expect(await set(words, input)).toMatchObject({
        code: 2,
        out: '',
        err: expect.stringMatching(/is empty, so nothing was set\n.*--allow-empty/),
      })
    }
    const keys = async () => (await json('vars', 'list', ...at)).variables.map(({ key }: { key: string }) => key)
    expect(await keys()).not.toContain('GOOD')
    expect(await set(['MEANT=-', '--allow-empty'], '')).toMatchObject({ code: 0 })
    expect(await set(['NOTHING='], '')).toMatchObject({ code: 0 })
    expect(await keys()).toEqual(expect.arrayContaining(['MEANT', 'NOTHING']))
    expect(await run(['vars', 'unset', ...at, 'MEANT', 'NOTHING'])).toMatchObject({ code: 0 })
  })

  test('reach the deployment as they were given', async () => {
    journey.commit({ '.service.yml': serviceThatRuns('printf \'%s|%s\' "$PIPED" "$FROM_FILE" | od -An -c') })
    const { id } = await json('deploy', ...at)
    await ended(journey.client, id)
    const { out } = await run(['tasks', 'log', String(id)])
    expect(out.replaceAll(/\s+/g, '')).toContain('value-of-pipe|two\\nlines')
  })

  test('are unset, and an error sets none of them', async () => {
    expect(await run(['vars', 'unset', ...at, 'WORD', 'NEVER_SET'])).toMatchObject({
      code: 0,
      err: expect.stringContaining('Unset WORD, NEVER_SET on Hello / staging.'),
    })
    const refused = await run(['vars', 'set', ...at, 'GOOD=1', 'DOCKER_HOST=x', '--json'])
    expect(refused).toMatchObject({ code: 2, out: '' })
    expect(JSON.parse(refused.err)).toMatchObject({ code: 'validation_failed', errors: [expect.anything()] })
    // Each fault is printed once.
    expect(await run(['vars', 'set', ...at, 'DOCKER_HOST=x'])).toMatchObject({
      code: 2,
      err: expect.stringMatching(/^set\/DOCKER_HOST: [^\n]+\n$/),
    })
    const several = await run(['vars', 'set', ...at, 'DOCKER_HOST=x', 'SERVICE_X=y'])
    expect(several.err).toMatch(/^2 values were refused\n\n {2}set\/DOCKER_HOST: .+\n {2}set\/SERVICE_X: .+\n$/)
    const { variables } = await json('vars', 'list', ...at)
    expect(variables.map(({ key }: { key: string }) => key)).toEqual(expect.not.arrayContaining(['WORD', 'GOOD']))
  })
})

describe('deployments', () => {
  test('deploy prints the task and its address, and a second one is a conflict that says what to do', async () => {
    const gate = join(program.home, 'gate')
    const untilOpen = `echo started; until [ -e '${gate}' ]; do sleep 0.1; done; echo hello`
    journey.commit({ '.service.yml': serviceThatRuns(untilOpen) })
    const first = await run(['deploy', ...at])
    const id = Number(/^Task (\d+): Hello \/ staging is queued$/m.exec(first.out)?.[1])
    expect(first).toMatchObject({ code: 0, err: `Watch it: shipway tasks log ${id} -f\n` })
    expect(first.out.split('\n')[1]).toBe((await journey.client.getTask({ params: { id } })).url)
    const second = await run(['deploy', ...at])
    expect(second).toMatchObject({ code: 6, out: '' })
    expect(second.err).toMatch(/queued or running \(task \d+, .*\)\.\nWatch it: shipway tasks log \d+ -f\n/)
    const third = await run(['deploy', ...at, '--json'])
    expect(JSON.parse(third.err)).toMatchObject({ code: 'deployment_in_progress', active_task: { id } })
    const following = run(['tasks', 'log', String(id), '-f'])
    writeFileSync(gate, '')
    const log = await following
    expect(log.code).toBe(0)
    expect(log.out).toContain('hello')
  })

  test('tasks are listed and shown, newest first', async () => {
    const tasks = await json('tasks', 'list', ...at, '--limit', '1')
    expect(tasks).toHaveLength(1)
    const { out } = await run(['tasks', 'list', ...at])
    expect(out).toMatch(/^ {2}TASK +KIND +STATE +COMMIT/)
    const shown = await run(['tasks', 'show', ...at])
    expect(shown.out).toMatch(/task \d+ · deploy · succeeded/)
    expect(shown.out).toMatch(/✓ Say hello +\d/)
    expect(await json('tasks', 'show', String(tasks[0].id))).toMatchObject({ id: tasks[0].id, status: 'succeeded' })
    expect(await run(['tasks', 'show', '4711'])).toMatchObject({ code: 5 })
    expect(await json('tasks', 'list', ...at, '--kind', 'remove')).toEqual([])
  })

  test('diagnose prints the failed step and its output, also after a success', async () => {
    expect(await run(['diagnose', ...at])).toMatchObject({
      code: 0,
      out: 'No deployment of Hello / staging has failed.\n',
    })
    journey.commit({ '.service.yml': serviceThatRuns('echo "the reason"; exit 3') })
    const { id } = await json('deploy', ...at)
    await ended(journey.client, id)
    expect(await run(['tasks', 'log', String(id), '-f'])).toMatchObject({ code: 3, err: `Task ${id} failed.\n` })
    journey.commit({ '.service.yml': serviceThatRuns('echo hello') })
    await ended(journey.client, (await json('deploy', ...at)).id)
    const { code, out } = await run(['diagnose', ...at])
    expect(code).toBe(0)
    expect(out).toContain('Say hello failed in Start')
    expect(out).toMatch(/^ {2}\d+ {2}the reason$/m)
    expect(out).toMatch(/newer task \d+: succeeded/)
    expect(await json('diagnose', ...at)).toMatchObject({ failed_step: { name: 'Say hello' }, is_latest: false })
  })

  test('the log has no control sequences, and --raw prints the bytes', async () => {
    const hostile = String.raw`printf '\033[2J\033]52;c;eA==\007\033[31mred\033[0m\033[8mhidden\r\nover\rwritten\n'`
    journey.commit({ '.service.yml': serviceThatRuns(hostile) })
    const { id } = await json('deploy', ...at)
    await ended(journey.client, id)
    const plain = await run(['tasks', 'log', String(id)])
    expect(plain.out).toContain('redhidden\nover\nwritten\n')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: none may be left
    expect(plain.out).not.toMatch(/[\u0000-\u0008\u000b-\u001f]/)
    const followed = await run(['tasks', 'log', String(id), '-f'])
    expect(followed.out).toBe(plain.out)
    const raw = await run(['tasks', 'log', String(id), '--raw'])
    expect(raw.out).toContain('\u001b[2J\u001b]52;c;eA==\u0007')
    const asJson = await run(['tasks', 'log', String(id), '--json'])
    expect(JSON.parse(asJson.out)).toEqual({ task_id: id, text: raw.out })
    expect(asJson.out).not.toContain('\u001b')
  })
})

describe('projects, environments, servers', () => {
  test('are created, listed, checked and removed', async () => {
    const server = await run(['server', 'add', 'Second', '--local'])
    expect(server).toMatchObject({
      code: 0,
      out: expect.stringContaining('Server Second (2)'),
      err: 'shipway servers check Second\n',
    })
    // The platform of these tests is reached from its own machine alone.
    const elsewhere = await run(['server', 'add', 'Third', '--hostname', 'third.example.com'])
    expect(elsewhere).toMatchObject({
      code: 0,
      out: expect.stringMatching(/curl .*server\.sh/),
      err: expect.stringMatching(/No other machine reaches http:\/\/\S+, .* set SHIPWAY_BASE_URL/),
    })
    expect(await run(['server', 'check', 'secnd'])).toMatchObject({
      code: 5,
      err: expect.stringContaining('Did you mean Second?'),
    })
    const checked = await run(['server', 'check', 'second'])
    expect(checked.out).toMatch(/^ {2}[✓·✗] /)
    expect(await run(['server', 'check'])).toMatchObject({ code: 2, err: expect.stringContaining('Which server?') })
    const project = await json(
      ...['projects', 'create', 'Shop', '--repo', 'ssh://git@127.0.0.1/shop.git', '--domain', 'shop.localhost'],
      ...['--server', 'second', '--recipe', 'manual', '--branch', 'trunk'],
    )
    expect(project).toMatchObject({ name: 'Shop', default_branch: 'trunk', webhook: { secret: expect.any(String) } })
    expect((await run(['projects', 'list'])).out).toMatch(/Shop +0\/20 +shop\.localhost/)
    const made = await run([
      'envs',
      'create',
      'demo',
      '-p',
      'shop',
      '--title',
      'For show',
      '--no-auto-deploy',
      '--sticky',
    ])
    expect(made).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^Shop \/ demo follows trunk\nhttp:\/\/demo\.shop\.localhost/),
      err: 'Deploy it: shipway deploy -p Shop -e demo\n',
    })
    expect((await run(['open', '-p', 'shop', '-e', 'demo'])).err).toContain('shipway deploy -p Shop -e demo\n')
    expect(await run(['server', 'add', 'Second', '--local'])).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringMatching(/^name: .*Second/),
    })
    const [demo] = await json('envs', 'list', '-p', 'shop')
    expect(demo).toMatchObject({ name: 'demo', branch: 'trunk', sticky: true, auto_deploy: false, title: 'For show' })
    const list = await run(['envs', 'list', '-p', 'shop'])
    expect(list.out).toMatch(/demo +not deployed yet +demo\.shop\.localhost/)
    expect(list.err).toBe('1/20 environments\n')
    expect(await run(['envs', 'create', 'demo', '-p', 'shop'])).toMatchObject({ code: 2, out: '' })
    const removed = await run(['envs', 'remove', 'demo', '-p', 'shop', '--yes', '--wait'])
    expect(removed).toMatchObject({ code: 0, out: '', err: expect.stringContaining('Shop / demo was removed.') })
    expect(await json('envs', 'list', '-p', 'shop')).toEqual([])
  })

  test('open prints the address', async () => {
    const { url } = await journey.client.getEnvironment({ params: { id: staging } })
    expect(await run(['open', ...at])).toMatchObject({ code: 0, out: `${url}\n` })
  })
})
