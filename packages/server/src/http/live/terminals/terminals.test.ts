// Terminals that the platform carries: who gets one, how much is on its way, and what ends them. The command is played here; with a real Engine:
// e2e/cli/run-local.test.ts.
import { LIVE_CLOSE } from '@shipway/api/live'
import { TERMINAL_CLOSE, TERMINAL_WINDOW_BYTES } from '@shipway/api/terminal'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { databases } from '../../../../test/databases.ts'
import { buildToken, buildUser } from '../../../../test/factories.ts'
import { buildLiveEnvironment } from '../../../../test/live-environment.ts'
import { stageApp } from '../../../../test/stage/stage-app.ts'
import { openTerminalClient, PlayedCommand, type TerminalClient } from '../../../../test/terminal-client.ts'
import type { RunTerminalOrder } from '../../../context.ts'
import { PLATFORM } from '../../../domain/people/actor.ts'
import { terminalsLease } from '../../../store/leases.ts'
import { insertMember } from '../../../store/people/memberships.ts'
import { Terminals } from './terminals.ts'

describe.each(databases)('terminals on $name', (source) => {
  const commands: PlayedCommand[] = []
  /** Of the containers of commands that have ended. */
  let removal = Promise.withResolvers<void>()
  const openRunTerminal = async (order: RunTerminalOrder) => {
    const command = new PlayedCommand(order)
    command.removed = removal.promise
    commands.push(command)
    return command
  }
  const app = stageApp(source, {}, { openRunTerminal })
  let built: Awaited<ReturnType<typeof buildLiveEnvironment>>
  let clients: TerminalClient[] = []

  beforeAll(async () => {
    await app.app.listen({ host: '127.0.0.1', port: 0 })
    built = await buildLiveEnvironment(app.ctx, { recipe: 'docker', port: 20_000 })
  })
  beforeEach(() => {
    commands.length = 0
    removal = Promise.withResolvers()
    removal.resolve()
  })
  afterEach(async () => {
    removal.resolve()
    for (const { socket, closed } of clients) {
      socket.terminate()
      await closed
    }
    clients = []
  })

  const connect = async (token = built.owner.token) => {
    const client = await openTerminalClient(app.app, token)
    clients.push(client)
    return client
  }
  const order = (command = ['cat']) => ({ type: 'run', environment_id: built.environment.id, command }) as const
  const run = async (token?: string) => {
    const client = await connect(token)
    client.send({ ...order(), size: { columns: 80, rows: 24 } })
    await client.next('started')
    const command = commands.at(-1)
    if (!command) throw new Error('A command was started')
    return { client, command }
  }
  const colleague = async (role: 'admin' | 'member') => {
    const user = await buildUser(app.ctx)
    const values = { organization_id: built.project.organizationId, user_id: user.id, role, created_at: 1 }
    await app.ctx.change(PLATFORM, (tx) => insertMember(tx, values))
    return user
  }
  const refusal = async (token: string, request: Parameters<TerminalClient['send']>[0] = order()) => {
    const client = await connect(token)
    client.send(request)
    const { code } = await client.next('error')
    await client.closed
    return code
  }

  test('carries input, output, the size and the exit code, and keeps the words for the audit log', async () => {
    const client = await connect()
    client.send({ ...order(['rails', 'console']), size: { columns: 80, rows: 24 } })
    await client.next('started')
    const [command] = commands
    expect(command?.order).toMatchObject({ words: ['rails', 'console'], size: { columns: 80, rows: 24 } })
    client.socket.send(Buffer.from('typed'))
    client.send({ type: 'resize', size: { columns: 100, rows: 30 } })
    await client.next('received')
    command?.print(Buffer.from('a fault'), 'stderr')
    client.send({ type: 'end_input' })
    expect(await client.next('exited')).toEqual({ type: 'exited', code: 5 })
    expect(client.frames().map(String)).toEqual(['\u0001typed', '\u0002a fault'])
    expect(command?.sizes).toEqual([{ columns: 100, rows: 30 }])
    expect(await client.closed).toBe(1000)
    const path = `/api/organizations/${built.project.organizationId}/audit`
    const { body } = await app.call('GET', path, { as: built.owner })
    const opened = body.find(({ action }: { action: string }) => action === 'run.terminal_opened')
    expect(opened).toMatchObject({ fields: ['rails console'] })
  })

  test('goes by the recipe of what serves, whatever the next deployment will use', async () => {
    const { id } = built.environment
    const choose = (recipe: 'manual' | null) =>
      app.ctx.db.updateTable('environments').set({ recipe }).where('id', '=', id).execute()
    const serveBy = (recipe: 'docker' | 'manual') =>
      app.ctx.db.updateTable('tasks').set({ recipe }).where('id', '=', built.liveId).execute()
    await choose('manual')
    const { client } = await run()
    client.send({ type: 'end_input' })
    await client.next('exited')
    await choose(null)
    await serveBy('manual')
    expect(await refusal(built.owner.token)).toBe('validation_failed')
    await serveBy('docker')
  })

  test('is for admins with the scope ssh, in an environment that they see, once per connection', async () => {
    expect(await refusal((await colleague('member')).token)).toBe('insufficient_role')
    expect(await refusal((await buildUser(app.ctx)).token)).toBe('not_found')
    expect(await refusal(await buildToken(app.ctx, built.owner.id, { scopes: 'read deploy' }))).toBe(
      'insufficient_scope',
    )
    expect(commands).toEqual([])
    const { client } = await run()
    client.send(order())
    expect(await client.next('error')).toMatchObject({ code: 'malformed_request' })
    await client.closed
    expect(commands).toHaveLength(1)
  })

  test('is for the owner alone in a protected environment', async () => {
    const { id } = built.environment
    const protect = (is_protected: 0 | 1) =>
      app.ctx.db.updateTable('environments').set({ is_protected }).where('id', '=', id).execute()
    const admin = await colleague('admin')
    await protect(1)
    expect(await refusal(admin.token)).toBe('environment_protected')
    const { client, command } = await run()
    client.socket.terminate()
    await expect.poll(() => command.ended).toBe(1)
    await protect(0)
    expect(commands).toHaveLength(1)
  })

  test('is refused on a server that is reached over ssh', async () => {
    const other = await buildLiveEnvironment(app.ctx, { recipe: 'docker', port: 20_001 })
    await app.ctx.db.updateTable('servers').set({ connection: 'ssh' }).where('id', '=', other.serverId).execute()
    expect(await refusal(other.owner.token, { ...order(), environment_id: other.environment.id })).toBe(
      'ssh_not_set_up',
    )
  })

  test('ends when its user loses the role, and when the token ends', async () => {
    const admin = await colleague('admin')
    const demoted = await run(admin.token)
    const path = `/api/organizations/${built.project.organizationId}/members/${admin.id}`
    await app.call('PATCH', path, { as: built.owner, body: { role: 'member' } })
    expect(await demoted.client.closed).toBe(TERMINAL_CLOSE.forbidden)
    await expect.poll(() => demoted.command.ended).toBe(1)
    const token = await buildToken(app.ctx, built.owner.id, { name: 'to end' })
    const { client, command } = await run(token)
    const tokens: { id: number; name: string }[] = (await app.call('GET', '/api/tokens', { as: built.owner })).body
    await app.call('DELETE', `/api/tokens/${tokens.find(({ name }) => name === 'to end')?.id}`, { as: built.owner })
    expect(await client.closed).toBe(LIVE_CLOSE.signInRequired)
    await expect.poll(() => command.ended).toBe(1)
  })

  test('ends when the environment is protected for another user', async () => {
    const admin = await colleague('admin')
    const [others, own] = [await run(admin.token), await run()]
    const protect = (value: boolean) =>
      app.call('PATCH', `/api/environments/${built.environment.id}`, { as: built.owner, body: { protected: value } })
    expect(await protect(true)).toMatchObject({ status: 200 })
    expect(await others.client.closed).toBe(TERMINAL_CLOSE.forbidden)
    await expect.poll(() => others.command.ended).toBe(1)
    own.client.socket.send(Buffer.from('typed'))
    await own.client.next('received')
    expect(own.command.ended).toBe(0)
    expect(await protect(false)).toMatchObject({ status: 200 })
  })

  test('a client that takes nothing stops the command, and one that comes back to it gets all', async () => {
    const { client, command } = await run()
    const piece = Buffer.alloc(32 * 1024, 'x')
    for (let count = 0; count < 64; count++) command.print(piece)
    const arrived = () => client.frames().reduce((sum, { length }) => sum + length - 1, 0)
    await expect.poll(arrived).toBe(TERMINAL_WINDOW_BYTES)
    expect(command.taken).toBeLessThanOrEqual(TERMINAL_WINDOW_BYTES)
    for (let taken = 0; taken < 64 * piece.length; taken = arrived()) {
      client.send({ type: 'received', bytes: arrived() })
      await expect.poll(arrived).toBeGreaterThan(taken)
    }
    expect(arrived()).toBe(64 * piece.length)
  })

  test('a client that sends more than the command takes is cut off', async () => {
    const { client, command } = await run()
    command.stopReading()
    for (let sent = 0; sent <= TERMINAL_WINDOW_BYTES; sent += 32 * 1024) client.socket.send(Buffer.alloc(32 * 1024))
    expect(await client.closed).toBe(LIVE_CLOSE.tooMany)
    expect(command.ended).toBe(1)
  })

  test('a user has four at most', async () => {
    for (let count = 0; count < 4; count++) await run()
    expect(await refusal(built.owner.token)).toBe('rate_limited')
    clients[0]?.socket.close()
    await clients[0]?.closed
    await expect.poll(() => commands[0]?.ended).toBe(1)
    await run()
  })

  test('counts until its command has ended, also where its client has left', async () => {
    removal = Promise.withResolvers()
    for (let count = 0; count < 4; count++) {
      const { client } = await run()
      client.socket.terminate()
    }
    await expect.poll(() => commands.map(({ ended }) => ended)).toEqual([1, 1, 1, 1])
    expect(await refusal(built.owner.token)).toBe('rate_limited')
    removal.resolve()
    await run()
  })

  test('clients that leave at once get no more commands than those that stay', async () => {
    removal = Promise.withResolvers()
    for (let count = 0; count < 12; count++) {
      const { socket } = await connect()
      socket.send(JSON.stringify(order()), () => socket.terminate())
    }
    // It comes after all of them.
    await run((await colleague('admin')).token)
    expect(commands.length).toBeLessThanOrEqual(4 + 1)
  })

  test('the lease that is being taken when the platform stops is given back', async () => {
    const terminals = new Terminals(app.ctx)
    const taken = terminals.holdLease()
    await terminals.close()
    await taken
    const { name } = terminalsLease(terminals.processId)
    expect(await app.ctx.db.selectFrom('leases').where('name', '=', name).selectAll().execute()).toEqual([])
  })

  test('says that Docker is gone where its connection to the command is lost', async () => {
    const { client, command } = await run()
    command.print(Buffer.from('half'))
    command.lose()
    expect(await client.closed).toBe(TERMINAL_CLOSE.commandLost)
    expect(await client.reason).toBe('The connection to Docker was lost, as when Docker is restarted')
    expect(client.frames().map(String)).toEqual(['\u0001half'])
    expect(command.ended).toBe(1)
    const resized = await run()
    // Before its output ends.
    resized.command.resize = () => Promise.reject(new Error('Docker cannot be reached: connect ECONNREFUSED'))
    resized.client.send({ type: 'resize', size: { columns: 100, rows: 30 } })
    expect(await resized.client.closed).toBe(TERMINAL_CLOSE.commandLost)
  })

  test('ends after an hour without a byte', async () => {
    const { client, command } = await run()
    app.moveClock(61 * 60_000)
    expect(await client.closed).toBe(TERMINAL_CLOSE.timeLimit)
    expect(command.ended).toBe(1)
  })

  test('what is no message, and input before a command, end the connection', async () => {
    const strange = await connect()
    strange.socket.send('{"type":"launch"}')
    expect(await strange.next('error')).toMatchObject({ code: 'validation_failed' })
    const early = await connect()
    early.socket.send(Buffer.from('x'))
    expect(await early.closed).toBe(1002)
    const unsigned = await connect()
    unsigned.send({ type: 'resize', size: { columns: 1, rows: 1 } })
    unsigned.send({ type: 'ping' })
    await unsigned.next('pong')
  })
})
