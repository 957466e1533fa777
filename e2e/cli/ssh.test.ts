// `shipway ssh` against a real platform and a real sshd: from a new machine to a shell in the folder of an environment.
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { generateSshKey } from '../../packages/server/src/secrets/ssh-key.ts'
import { openDatabase } from '../../packages/server/src/store/database.ts'
import { startSshdForPeople } from '../../packages/server/test/access/sshd-for-people.ts'
import { buildToken, buildUser } from '../../packages/server/test/factories.ts'
import type { Sshd } from '../../packages/server/test/sshd.ts'
import { beginJourney, type Journey } from '../journey.ts'
import type { InProcess } from './in-process.ts'
import { openProgram, type Program } from './program.ts'
import { openTerminal } from './terminal.ts'

let journey: Journey
let program: Program
let home: string
let sshd: Sshd | undefined
let serverId: number
let environmentId: number
let words: Readonly<Record<string, string>>

beforeAll(async () => {
  journey = await beginJourney('embedded', 'local')
  home = mkdtempSync(join(tmpdir(), 'shipway-home-'))
  program = openProgram({
    SHIPWAY_URL: journey.platform.url,
    SHIPWAY_TOKEN: journey.platform.filled.token,
    TMPDIR: home,
  })
  const { client } = journey
  const server = await client.createServer({ body: { name: 'Harbor', hostname: '127.0.0.1', port: 1 } })
  serverId = server.id
  words = Object.fromEntries(
    [...(server.setup_command ?? '').matchAll(/--([a-z]+) (?:'([^']*)'|(\S+))/g)].map(([, name, quoted, plain]) => [
      name,
      quoted ?? plain,
    ]),
  )
  const { servers } = await client.getProject({ params: { id: journey.projectId } })
  const body = { server_ids: [...servers.map(({ id }) => id), serverId] }
  await client.updateProject({ params: { id: journey.projectId }, body })
  const environment = { name: 'shore', branch: 'main', server_id: serverId }
  environmentId = (await client.createEnvironment({ params: { id: journey.projectId }, body: environment })).id
})
afterAll(async () => {
  program.stop()
  await sshd?.stop()
  await journey.stop()
  rmSync(home, { recursive: true, force: true })
})

/** Where ssh runs, it has the streams of the client: that takes a process. */
const run: Program['run'] = (given, how) => program.run(given, how)
const runHere: InProcess['run'] = (given, how) => program.inProcess.run(given, how)
const inEnvironment = ['ssh', '-p', 'hello', '-e', 'shore'] as const

const start = async (isEarlier: boolean): Promise<void> => {
  await sshd?.stop()
  const { installation = '', principal = '', authority = '', people = '' } = words
  const keys = { authorityKey: authority, peopleKey: people }
  sshd = await startSshdForPeople({ home, installationId: installation, principal, ...keys, isEarlier })
  const { port, unixUser } = sshd.address()
  await journey.client.updateServer({ params: { id: serverId }, body: { port, user: unixUser, host_key: null } })
}

test('a machine without setup is a conflict that says what to run', async () => {
  const { code, out, err } = await runHere(['ssh', '--server', 'harbor', '--', 'id'])
  expect({ code, out }).toEqual({ code: 6, out: '' })
  expect(err).toContain(`sudo sh -s -- --installation ${words.installation}`)
})

test('a machine that an earlier version set up says so, in its check too', async () => {
  await start(true)
  expect(await runHere(['ssh', '--server', 'harbor', '--', 'id'])).toMatchObject({ code: 6, out: '' })
  const { out } = await runHere(['server', 'check', 'harbor'])
  expect(out).toMatch(/· ssh_access .*set up by an earlier version/)
})

test('after the setup commands run there, and their exit codes are passed on', async () => {
  await start(false)
  expect(await run(['ssh', '--server', 'harbor', '--', 'echo', 'ahoy'])).toEqual({ code: 0, out: 'ahoy\n', err: '' })
  expect(await run(['ssh', '--server', String(serverId), '--', 'echo no >&2; exit 7'])).toEqual({
    code: 7,
    out: '',
    err: 'no\n',
  })
  const { out } = await runHere(['server', 'check', 'harbor'])
  expect(out).toMatch(/✓ ssh_access/)
})

test('standard input is passed on', async () => {
  expect(await run(['ssh', '--server', 'harbor', '--', 'cat'], { input: 'from here\n' })).toMatchObject({
    out: 'from here\n',
  })
})

test('with an environment everything begins in its folder', async () => {
  const folder = join(home, '.shipway', words.installation ?? '', 'environments', String(environmentId))
  const missing = await run([...inEnvironment, '--', 'echo', 'ran'])
  expect(missing).toMatchObject({ out: '', err: expect.stringContaining('shore is on Harbor.') })
  expect(missing.code).not.toBe(0)
  mkdirSync(folder, { recursive: true })
  expect(await run([...inEnvironment, '--', 'pwd'])).toMatchObject({ code: 0, out: `${folder}\n` })
  const screen = openTerminal(program, inEnvironment, { columns: 120, rows: 24 })
  screen.type('echo "$(tty | cut -c 1-8) in $(pwd | tail -c 20)"\r')
  await screen.shows(/\/dev\/pts in .*environments\/\d+/)
  screen.type('exit 5\r')
  expect(await screen.ended).toBe(5)
})

test('a killed client leaves neither a key nor an ssh process behind', async () => {
  const { child, ended } = program.start(['ssh', '--server', 'harbor', '--', 'echo there; sleep 600'])
  await once(child.stdout ?? child, 'data')
  child.kill('SIGTERM')
  expect(await ended).toMatchObject({ code: 143 })
  expect(readdirSync(home).filter((name) => name.startsWith('shipway-ssh-'))).toEqual([])
})

test('a user without permission is refused, and arguments are checked', async () => {
  const database = await openDatabase(journey.platform.address)
  const ctx = { db: database.db, clock: Date.now }
  const viewer = await buildUser(ctx)
  const { organization_id } = await journey.client.getServer({ params: { id: serverId } })
  await database.db
    .insertInto('memberships')
    .values({ organization_id, user_id: viewer.id, role: 'viewer', created_at: 1 })
    .execute()
  const narrow = await buildToken(ctx, journey.platform.filled.id, { scopes: 'read' })
  await database.close()
  const as = (token: string) => runHere(['ssh', '--server', 'harbor'], { env: { SHIPWAY_TOKEN: token } })
  expect(await as(viewer.token)).toMatchObject({ code: 1, err: expect.stringContaining('role admin') })
  expect(await as(narrow)).toMatchObject({ code: 4, err: expect.stringContaining('scope ssh') })
  expect(await runHere(['ssh', '--server', 'harbor', '-e', 'shore'])).toMatchObject({ code: 2 })
  expect(await runHere(['ssh', '--server', 'harbr'])).toMatchObject({
    code: 5,
    err: expect.stringContaining('Did you mean Harbor?'),
  })
  expect(await runHere(['ssh', '--server', 'harbor', '--json'])).toMatchObject({ code: 2 })
})

test('a machine with another host key than the pinned one is refused', async () => {
  const database = await openDatabase(journey.platform.address)
  const pin = (hostKey: string) =>
    database.db.updateTable('servers').set({ host_key: hostKey }).where('id', '=', serverId).execute()
  await pin(generateSshKey('').publicKey)
  const { code, out, err } = await run(['ssh', '--server', 'harbor', '--', 'echo', 'ahoy'])
  expect({ code, out, err }).toEqual({
    code: 255,
    out: '',
    err: expect.stringContaining('Host key verification failed'),
  })
  await pin(sshd?.hostKey ?? '')
  await database.close()
  expect(await run(['ssh', '--server', 'harbor', '--', 'true'])).toMatchObject({ code: 0 })
})

test('a missing OpenSSH says what to install, and an unreachable server what to check', async () => {
  const without = await run(['ssh', '--server', 'harbor'], { env: { PATH: '/nowhere' } })
  expect(without).toMatchObject({ code: 1, err: expect.stringContaining('ssh-keygen is not installed') })
  await sshd?.stop()
  const away = await run(['ssh', '--server', 'harbor', '--', 'id'])
  expect(away).toMatchObject({ code: 255, err: expect.stringContaining(`shipway servers check Harbor`) })
  sshd = undefined
})

test('the platform’s own machine has no shell to offer', async () => {
  const { code, err } = await runHere(['ssh', '--server', 'server', '--', 'id'])
  expect({ code, err }).toEqual({ code: 6, err: expect.stringContaining('own machine and has no ssh access') })
})
