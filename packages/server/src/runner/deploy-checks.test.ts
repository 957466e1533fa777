// A manual deployment that asks for ports or domains of another environment fails before any of its tasks runs.
import { beforeEach, describe, expect, test } from 'vitest'
import { type Answers, buildDeployment, endAllTasks, runIt, serviceFile, takeNext } from '../../test/deployments.ts'
import { buildEnvironment, buildTask } from '../../test/factories.ts'
import { followed } from '../../test/fake-host.ts'
import { oneDatabase } from '../../test/one-database.ts'
import { stageApp } from '../../test/stage/stage-app.ts'

describe.each(oneDatabase)('what a manual deployment may have on $name', (source) => {
  const app = stageApp(source, { port: 20_000 })
  let built: Awaited<ReturnType<typeof buildDeployment>>

  beforeEach(async () => {
    await endAllTasks(app.ctx)
    built = await buildDeployment(app.ctx)
  })

  const fileWith = (services: string) => serviceFile.replace('web: {}\n  api: {}', services)
  const run = async (services: string, host: Answers['host'] = {}) => {
    const lease = await takeNext(app.ctx)
    const lines = await runIt(app.ctx, lease, { answers: { file: () => fileWith(services), host } })
    const task = await app.ctx.db
      .selectFrom('tasks')
      .where('id', '=', lease.taskId)
      .selectAll()
      .executeTakeFirstOrThrow()
    const [step] = await app.ctx.db
      .selectFrom('steps')
      .where('task_id', '=', lease.taskId)
      .orderBy('id', 'desc')
      .selectAll()
      .execute()
    return { status: task.status, step: step?.name, message: step?.message, lines }
  }
  const refusedIn = (step: string, ...sentences: string[]) => ({
    status: 'failed',
    step,
    message: sentences.join('\n'),
    lines: expect.not.arrayContaining([expect.stringMatching(/^start /)]),
  })
  const portsOf = async (environmentId: number) => {
    const rows = app.ctx.db.selectFrom('ports').where('environment_id', '=', environmentId).orderBy('port').selectAll()
    return (await rows.execute()).map(({ port }) => port)
  }
  const makeServer = (values: { connection: 'ssh' | 'local'; edge: 'embedded' | 'haproxy' }) =>
    app.ctx.db.updateTable('servers').set(values).where('id', '=', built.project.serverId).execute()

  test.each([
    { connection: 'local', edge: 'embedded' },
    { connection: 'local', edge: 'haproxy' },
  ] as const)('not the port of the platform itself: $connection, $edge', async (server) => {
    await makeServer(server)
    const advice = (variable: string) =>
      `port 20000 belongs to the platform, which listens there. Leave out port and listen on $${variable}, or choose another`
    expect(await run('web: { port: 20000 }\n  api-v1: { port: 20000 }')).toEqual(
      refusedIn('Allocate ports', `web: ${advice('PORT')}`, `api-v1: ${advice('PORT_API_V1')}`),
    )
    expect(await portsOf(built.environment.id)).toEqual([])
  })

  test('a port that is allocated is never that of the platform itself', async () => {
    await makeServer({ connection: 'local', edge: 'embedded' })
    expect(await run('web: {}')).toMatchObject({ status: 'succeeded' })
    expect(await portsOf(built.environment.id)).toEqual([20_001])
  })

  test('on another machine the number of that port is like any other', async () => {
    expect(await run('web: { port: 20000 }')).toMatchObject({ status: 'succeeded' })
  })

  test.each([80, 443])('not port %s, where the edge of the server answers', async (port) => {
    expect(await run(`web: { port: ${port} }`)).toEqual(
      refusedIn(
        'Allocate ports',
        `web: port ${port} belongs to the edge of the server, which answers visitors there. Leave out port and listen on $PORT, or choose another`,
      ),
    )
  })

  test('not the port of another environment of the server, allocated or fixed', async () => {
    expect(await run('web: { port: 3000 }\n  api: {}')).toMatchObject({ status: 'succeeded' })
    const [, allocated] = await portsOf(built.environment.id)
    const other = await buildEnvironment(app.ctx, built.project)
    await buildTask(app.ctx, other.id)
    const belongs = `belongs to the environment ${built.environment.name} of the project ${built.project.name}. Leave out port`
    expect(await run(`web: { port: 3000 }\n  api: { port: ${allocated} }\n  more: { port: 3001 }`)).toEqual(
      refusedIn(
        'Allocate ports',
        `web: port 3000 ${belongs} and listen on $PORT, or choose another`,
        `api: port ${allocated} ${belongs} and listen on $PORT_API, or choose another`,
      ),
    )
    expect(await portsOf(other.id)).toEqual([])
  })

  const listens = (port: number, socket: number) =>
    `listens ${port.toString(16).toUpperCase().padStart(4, '0')} ${socket}\n`

  test('not a port on which something listens, however long it had it', async () => {
    const free = { 'find ports': { stdout: listens(20_000, 7) + listens(20_001, 8) } }
    expect(await run('web: {}', free)).toMatchObject({ status: 'succeeded' })
    expect(await portsOf(built.environment.id)).toEqual([20_002])
    const answersOf = (owner: string) => ({
      'find ports': { stdout: listens(20_002, 9) },
      'find owners': { stdout: owner },
    })
    for (const [owner, port] of [
      ['9 own\n', 20_002],
      // The folder cannot be read, and something of the environment is live.
      ['9 unknown\n', 20_002],
      ['9 other\n', 20_000],
    ] as const) {
      await buildTask(app.ctx, built.environment.id)
      expect(await run('web: {}', answersOf(owner))).toMatchObject({ status: 'succeeded' })
      expect(await portsOf(built.environment.id)).toEqual([port])
    }
  })

  test('not the answer of another process on the port that it names', async () => {
    let calls = 0
    const seen = (...sockets: number[]) => ({
      'find ports': () => ({ stdout: listens(3000, sockets[Math.min(calls++, sockets.length - 1)] ?? 0) }),
      'find owners': { stdout: '7 other\n' },
    })
    expect(await run('web: { port: 3000 }', seen(7))).toMatchObject({
      status: 'failed',
      step: 'Check who listens',
      message:
        'web: on port 3000 listens what was there before this deployment, and is not of this environment. Stop it, or choose another port',
    })
    // The deploy tasks have put the application in its place.
    await buildTask(app.ctx, built.environment.id)
    calls = 0
    expect(await run('web: { port: 3000 }', seen(7, 8))).toMatchObject({ status: 'succeeded' })
  })

  test('its own port over deployments, and one for two of its services', async () => {
    for (const _ of [1, 2]) {
      expect(await run('web: { port: 3000 }\n  api: { port: 3000 }')).toMatchObject({ status: 'succeeded' })
      await buildTask(app.ctx, built.environment.id)
    }
    expect(await portsOf(built.environment.id)).toEqual([3000])
  })

  test('a port that it had stays its own until something else serves', async () => {
    await run('web: { port: 3000 }')
    await buildTask(app.ctx, built.environment.id)
    const failing = { follow: { stdout: followed('no\n', 2) } }
    expect(await run('web: { port: 3001 }', failing)).toMatchObject({ status: 'failed', step: 'Build' })
    expect(await portsOf(built.environment.id)).toEqual([3000, 3001])
    await buildTask(app.ctx, built.environment.id)
    expect(await run('web: { port: 3002 }')).toMatchObject({ status: 'succeeded' })
    expect(await portsOf(built.environment.id)).toEqual([3002])
    const other = await buildEnvironment(app.ctx, built.project)
    await buildTask(app.ctx, other.id)
    expect(await run('web: { port: 3000 }')).toMatchObject({ status: 'succeeded' })
  })

  test('not a domain of another environment', async () => {
    const other = await buildEnvironment(app.ctx, built.project)
    expect(await run(`web: {}\n  api: { domain: ${other.domain} }`)).toEqual(
      refusedIn(
        'Check domains',
        `api: ${other.domain} belongs to another environment. Give api another domain in .service.yml, or remove that environment first`,
      ),
    )
  })

  test.each(['pr-7', 'pr-7-web', 'pr-7-{env}'])('not the name %s of a pull request', async (label) => {
    const { name } = built.environment
    const domain = `${label}.${built.project.domain}`
    expect(await run(`web: {}\n  api: { domain: "${domain}" }`)).toEqual(
      refusedIn(
        'Check domains',
        `api: ${domain.replace('{env}', name)} belongs to a pull request, as all names do that begin with pr- and a number. ` +
          'Give api another domain',
      ),
    )
  })

  test('a domain of its own over deployments', async () => {
    for (const _ of [1, 2]) {
      expect(await run(`web: {}\n  api: { domain: api.${built.project.domain} }`)).toMatchObject({
        status: 'succeeded',
      })
      await buildTask(app.ctx, built.environment.id)
    }
  })
})
