// More deliveries at once than there are connections, with effects that take their time: each is stored or asked to retry.
import { sql } from 'kysely'
import { afterEach, describe, expect, test } from 'vitest'
import { buildHookedProject, deliver, type HookedProject, pullRequest } from '../../../test/git-host-events.ts'
import { postgresOnly } from '../../../test/postgres-only.ts'
import { buildTestApp, type TestApp } from '../../../test/test-app.ts'
import { openDatabase } from '../../store/database.ts'
import { lockProject } from '../../store/projects/projects.ts'
import { awaitEffect } from './inbox.ts'

const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
})

describe.each(postgresOnly)('two hundred deliveries at once on $name', (source) => {
  const openApp = async (connections: number): Promise<TestApp> => {
    const { address, drop } = await source.open()
    ends.push(drop)
    const database = await openDatabase({ ...address, pool: { most: connections } })
    const app = await buildTestApp({ ...database, drop: database.close }, {}, {})
    ends.push(app.close)
    await sql`create function take_time() returns trigger language plpgsql as
      $$ begin perform pg_sleep(0.01); return new; end $$`.execute(database.db)
    await sql`create trigger take_time before insert on tasks for each row execute function take_time()`.execute(
      database.db,
    )
    return app
  }
  const numbers = Array.from({ length: 200 }, (_, index) => index + 1)
  const send = (app: TestApp, project: HookedProject, number: number) => {
    const opened = pullRequest('opened', { number, branch: `feature-${number}` })
    return deliver(app, project, 'pull_request', opened, { id: String(number) })
  }
  const numbersOf = async ({ ctx }: TestApp, { id }: HookedProject) => {
    const stored = await ctx.db
      .selectFrom('deliveries')
      .where('project_id', '=', id)
      .orderBy('id')
      .selectAll()
      .execute()
    const made = await ctx.db
      .selectFrom('environments as e')
      .innerJoin('tasks as t', 't.environment_id', 'e.id')
      .where('e.project_id', '=', id)
      .orderBy('t.id')
      .select('e.name')
      .execute()
    return {
      verdicts: [...new Set(stored.map(({ verdict }) => verdict))],
      stored: stored.map(({ delivery_id: number }) => Number(number)),
      made: made.map(({ name }) => Number(name.replace('pr-', ''))),
    }
  }

  test('each takes effect once, in the order in which they were stored; others are answered meanwhile', async () => {
    const app = await openApp(4)
    const project = await buildHookedProject(app.ctx, { environment_limit: 1000 })
    const sending = Promise.all(numbers.map((number) => send(app, project, number)))
    const asked: number[] = []
    for (let count = 0; count < 20; count++) {
      asked.push((await app.call('GET', `/api/projects/${project.id}`, { as: project.owner })).status)
    }
    const answers = await sending
    expect(asked).toEqual(Array(20).fill(200))
    expect(
      [...new Set(answers.map(({ status }) => status))].filter((status) => ![200, 202, 503].includes(status)),
    ).toEqual([])
    await app.finished()
    const { verdicts, stored, made } = await numbersOf(app, project)
    expect(verdicts).toEqual(['accepted'])
    expect(made).toEqual(stored)
    const taken = numbers.filter((_, index) => (answers[index]?.status ?? 0) < 300)
    expect(stored.filter((number) => taken.includes(number)).toSorted((a, b) => a - b)).toEqual(taken)
  })

  test('a project that is locked for long still stores its deliveries', async () => {
    const app = await openApp(4)
    const project = await buildHookedProject(app.ctx)
    const answer = await app.ctx.db.transaction().execute(async (db) => {
      await lockProject(db, project.id)
      return send(app, project, 1)
    })
    expect([answer.status, answer.body]).toEqual([202, { verdict: 'stored', reason: null }])
    await app.finished()
    expect(await numbersOf(app, project)).toEqual({ verdicts: ['accepted'], stored: [1], made: [1] })
  })

  test('a request that waits for a delivery of another process gets its outcome, also one from before it began to wait', async () => {
    const app = await openApp(4)
    const project = await buildHookedProject(app.ctx)
    const wait = { projectId: project.id, mostMs: 600_000 }
    await app.ctx.db.transaction().execute(async (db) => {
      // No effect of this process gets on meanwhile.
      await lockProject(db, project.id)
      const waiting = awaitEffect(app.ctx, { ...wait, id: 1 })
      app.ctx.bus.announce([1, 2].map((id) => ({ about: 'delivery', id, projectId: project.id })))
      expect(await waiting).toBeUndefined()
      expect(await awaitEffect(app.ctx, { ...wait, id: 2 })).toBeUndefined()
    })
  })

  test('without a free connection each delivery soon gets 503 with Retry-After', async () => {
    const app = await openApp(1)
    const project = await buildHookedProject(app.ctx, { environment_limit: 1000 })
    const hold = Promise.withResolvers<void>()
    const held = Promise.withResolvers<void>()
    const holding = app.ctx.db.connection().execute(async () => {
      held.resolve()
      await hold.promise
    })
    await held.promise
    const answers = await Promise.all(numbers.map((number) => send(app, project, number)))
    expect([...new Set(answers.map(({ status }) => status))]).toEqual([503])
    expect(answers.filter(({ headers }) => !(Number(headers['retry-after']) > 0))).toEqual([])
    hold.resolve()
    await holding
    expect((await send(app, project, 1)).status).toBe(200)
    await app.finished()
    expect((await numbersOf(app, project)).made).toEqual([1])
  })
})
