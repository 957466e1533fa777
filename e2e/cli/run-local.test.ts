// `shipway run` on the platform's own machine with a real Docker Engine: the platform carries the terminal, and nothing is left of it.
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '../../packages/server/src/store/database.ts'
import { hasDocker } from '../../packages/server/test/docker/docker-engine.ts'
import { buildUser } from '../../packages/server/test/factories.ts'
import { beginDockerJourney, type DockerJourney } from '../docker-journey.ts'
import { comesTrue, ended } from '../journey.ts'
import { SHIPWAY } from './client-process.ts'
import { pipeMuch, workInShell } from './one-off-commands.ts'
import { openProgram, type Program } from './program.ts'
import { openTerminal } from './terminal.ts'

const files = {
  '.service.yml': 'services:\n  web: { port: 3000, health: / }\ndocker: { compose: compose.yml }\n',
  'compose.yml': 'services:\n  web: { build: ., environment: { KEY: "${KEY}" }, stop_grace_period: 1s }\n',
  Dockerfile: `FROM shipway-test/busybox
RUN mkdir /www && echo one > /www/index.html
CMD ["httpd", "-f", "-p", "3000", "-h", "/www"]
`,
}

describe.skipIf(!hasDocker)("shipway run on the platform's own machine", () => {
  let journey: DockerJourney
  let program: Program
  let id: number

  beforeAll(async () => {
    journey = await beginDockerJourney('local', { drainSeconds: 0 })
    const { platform, client } = journey
    program = openProgram({ SHIPWAY_URL: platform.url, SHIPWAY_TOKEN: platform.filled.token })
    id = await journey.createEnvironment('main')
    await client.changeVariables({ params: { id }, body: { set: { KEY: 'canary-secret-in-terminal' } } })
    journey.commit(files)
    const { id: taskId } = await client.startDeployment({ params: { id } })
    expect(await ended(client, taskId)).toMatchObject({ status: 'succeeded' })
  })
  afterAll(async () => {
    program?.stop()
    await journey?.stop()
  })

  const at = ['run', '-p', 'hello', '-e', 'main'] as const
  const oneOffs = async (...more: string[]) => {
    const filter = [...journey.ofEnvironment(id), '--filter', 'label=shipway.mode=one_off', ...more]
    return (await journey.docker('ps', '--all', '--quiet', ...filter)).split('\n').filter(Boolean)
  }
  const isRunning = () => comesTrue(async () => (await oneOffs('--filter', 'status=running')).length === 1)
  const isGone = () => comesTrue(async () => (await oneOffs()).length === 0)

  test('with a terminal: an editor, another size of the window, Ctrl-C, and the exit code', async () => {
    const screen = openTerminal(program, [...at, '--', 'sh'], { columns: 80, rows: 24 })
    try {
      await workInShell(screen)
      expect(await screen.ended).toBe(7)
    } finally {
      screen.stop()
    }
    expect(await isGone()).toBe(true)
  })

  test('with pipes: 30 MB in, as many out, unchanged, and the exit code', async () => {
    await pipeMuch(program, at)
    expect(await isGone()).toBe(true)
  })

  test('the end of the input ends a command, and its errors stay apart', async () => {
    const line = 'printf "b\\na\\n" | "$@" 2>errors; echo "$? $(cat errors)"'
    const client = [process.execPath, SHIPWAY, ...at, '--', 'sh', '-c', 'sort; echo wrong >&2; exit 3']
    const shell = { env: program.environment(), cwd: program.home }
    expect((await promisify(execFile)('bash', ['-c', line, 'bash', ...client], shell)).stdout).toBe('a\nb\n3 wrong\n')
  })

  test('a member is refused', async () => {
    const database = await openDatabase(journey.platform.address)
    try {
      const { organization_id: organizationId } = await journey.client.getProject({ params: { id: journey.projectId } })
      const user = await buildUser({ db: database.db, clock: Date.now })
      const member = { organization_id: organizationId, user_id: user.id, role: 'member', created_at: 1 } as const
      await database.db.insertInto('memberships').values(member).execute()
      const env = { SHIPWAY_TOKEN: user.token }
      const { code, err } = await program.inProcess.run([...at, '--', 'id'], { env })
      expect(err).toContain('This needs the role admin')
      expect(code).toBe(1)
    } finally {
      await database.close()
    }
    expect(await oneOffs()).toEqual([])
  })

  test('what the platform refuses has the exit code of other commands', async () => {
    const unknown = await program.inProcess.run([...at, '-s', 'wbe', '--', 'id'])
    expect(unknown).toMatchObject({ code: 2, err: 'No container of the service wbe runs. These run: web\n' })
    const asJson = await program.inProcess.run([...at, '--json', '--', 'id'])
    expect(JSON.parse(asJson.err)).toMatchObject({
      detail: 'A terminal has no result to print as JSON. Leave out --json, or add --detach',
    })
    const gone = await journey.createEnvironment('empty')
    const early = await program.inProcess.run(['run', '-p', 'hello', '-e', String(gone), '--', 'id'])
    expect(early).toMatchObject({ code: 6, err: expect.stringContaining('Deploy it first') })
  })

  test('a client that is killed takes the command with it', async () => {
    const { child } = program.start([...at, '--', 'sleep', '9999'])
    expect(await isRunning()).toBe(true)
    child.kill('SIGKILL')
    await once(child, 'exit')
    expect(await isGone()).toBe(true)
  })

  test('a platform that is killed leaves nothing: the next one removes it', async () => {
    const run = program.run([...at, '--', 'sleep', '9999'])
    expect(await isRunning()).toBe(true)
    journey.platform.process.kill('SIGKILL')
    const { code, err } = await run
    expect(err).toContain('The command was ended with the connection')
    expect(code).toBe(255)
    await journey.platform.restart()
    expect(await isGone()).toBe(true)
  })

  test('a platform that is stopped says so, and removes it at once', async () => {
    const run = program.run([...at, '--', 'sleep', '9999'])
    expect(await isRunning()).toBe(true)
    const stopped = once(journey.platform.process, 'exit')
    journey.platform.process.kill('SIGTERM')
    const { code, err } = await run
    expect(err).toContain('The platform was stopped or restarted. The command was ended with the connection')
    expect(code).toBe(255)
    await stopped
    expect(await oneOffs()).toEqual([])
    await journey.platform.restart()
  })
})
