// A year of schedules on two platform processes that are killed at random: each due moment starts one run. A long form:
// SCHEDULES=1000 npx vitest run packages/server/src/operations/schedules/killed-schedulers.test.ts
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { momentsOf } from '@shipway/rules/schedule/next-moment'
import { describe, expect, onTestFinished, test } from 'vitest'
import { buildEnvironment, buildTask } from '../../../test/factories.ts'
import { buildOwnedProject } from '../../../test/owned-project.ts'
import { postgresOnly } from '../../../test/postgres-only.ts'
import { buildTestApp, type TestApp } from '../../../test/test-app.ts'
import { PLATFORM } from '../../domain/people/actor.ts'
import { replaceActions } from '../../store/actions/environment-actions.ts'

const SCHEDULES = Number(process.env.SCHEDULES ?? 20)
const KILLS = Math.max(4, Math.round(SCHEDULES / 10))
const PER_ENVIRONMENT = 20
const YEAR = { from: Date.UTC(2026, 0, 1), until: Date.UTC(2027, 0, 1) }

// On the days when clocks change in Berlin and New York, in the hours that do not exist or exist twice, and on ordinary days.
const CRONS = [
  '30 2 29 3 *',
  '*/20 2 25 10 *',
  '15,45 2 8 3 *',
  '0,30 1 1 11 *',
  '0 3 1 * *',
  '0 0 15 */2 mon',
  '59 23 31 12 *',
]
const ZONES = ['Europe/Berlin', 'America/New_York', 'UTC', 'Australia/Lord_Howe', 'Asia/Kolkata']

const schedules = Array.from({ length: SCHEDULES }, (_, index) => ({
  name: `a${index}`,
  cron: CRONS[index % CRONS.length] ?? '',
  timeZone: ZONES[index % ZONES.length] ?? '',
}))

function momentsIn(schedule: (typeof schedules)[number]): readonly number[] {
  const next = momentsOf(schedule)
  const found: number[] = []
  for (let at = next(YEAR.from); at !== undefined && at < YEAR.until; at = next(at)) found.push(at)
  return found
}

/** Always the same, so that a failure can be repeated. */
function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return state / 2 ** 31
  }
}

const program = fileURLToPath(new URL('../../../test/processes/start-due-actions.ts', import.meta.url))

async function startScheduler(url: string) {
  const child: ChildProcessWithoutNullStreams = spawn(process.execPath, [program, url])
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const errors: string[] = []
  child.stderr.on('data', (text: Buffer) => errors.push(String(text)))
  const exit = once(child, 'exit')
  await lines.next()
  return {
    errors,
    /** False if it was killed before the end of the pass. */
    pass: async (at: number): Promise<boolean> => {
      child.stdin.write(`${at}\n`)
      return (await lines.next()).done !== true
    },
    kill: async () => {
      child.kill('SIGKILL')
      await exit
    },
  }
}

async function deploy({ ctx }: TestApp): Promise<void> {
  const project = await buildOwnedProject(ctx)
  for (let first = 0; first < SCHEDULES; first += PER_ENVIRONMENT) {
    const { id, name } = await buildEnvironment(ctx, project)
    const at = YEAR.from
    const { id: taskId } = await buildTask(ctx, id, { status: 'succeeded', started_at: at, finished_at: at })
    const actions = schedules.slice(first, first + PER_ENVIRONMENT).map(({ name: action, cron, timeZone }) => ({
      name: action,
      disabled: null,
      run: 'x',
      service: null,
      artifactPaths: [],
      timeoutMs: null,
      schedule: { cron, timeZone, environments: [name], catchesUp: false },
    }))
    await ctx.change(PLATFORM, (tx) =>
      replaceActions(tx, { environmentId: id, taskId, actions, mainService: null, at }),
    )
  }
}

describe.each(postgresOnly)('schedules on two processes with $name', (source) => {
  test('each due moment of a year starts one run, though processes are killed', { timeout: 3_600_000 }, async () => {
    const database = await source.open()
    const app = await buildTestApp(database, {}, {})
    onTestFinished(() => app.close())
    const url = 'url' in database.address ? (database.address.url ?? '') : ''
    await deploy(app)
    const due = new Map(schedules.map((schedule) => [schedule.name, momentsIn(schedule)]))
    const ticks = [...new Set([...due.values()].flat())].sort((a, b) => a - b)
    const random = randomNumbers(7)
    const killedAt = new Set(Array.from({ length: KILLS }, () => ticks[Math.floor(random() * ticks.length)]))
    const processes = [await startScheduler(url), await startScheduler(url)]
    let interrupted = 0
    try {
      for (const at of ticks) {
        const passes = processes.map((one) => one.pass(at))
        if (killedAt.has(at)) {
          const index = random() < 0.5 ? 0 : 1
          // In the middle of its pass: once the first runs of this moment are there.
          if (SCHEDULES > 100) await waitForFirstRun(app, at)
          await processes[index]?.kill()
          if (!(await passes[index])) interrupted += 1
          processes[index] = await startScheduler(url)
          passes[index] = processes[index].pass(at)
        }
        expect(await Promise.all(passes)).toEqual([true, true])
        await app.ctx.db
          .updateTable('tasks')
          .set({ status: 'succeeded', finished_at: at })
          .where('finished_at', 'is', null)
          .execute()
      }
      expect(processes.flatMap(({ errors }) => errors)).toEqual([])
    } finally {
      for (const one of processes) await one.kill()
    }
    const rows = await app.ctx.db.selectFrom('schedule_moments').orderBy('due_at').selectAll().execute()
    const decided = Map.groupBy(rows, ({ action }) => action)
    for (const [name, moments] of due) {
      expect([name, (decided.get(name) ?? []).map(({ due_at }) => due_at)]).toEqual([name, moments])
    }
    expect(rows.filter(({ outcome }) => outcome !== 'started')).toEqual([])
    const runs = await app.ctx.db.selectFrom('tasks').where('kind', '=', 'action').select('id').execute()
    expect(new Set(rows.map(({ task_id }) => task_id))).toEqual(new Set(runs.map(({ id }) => id)))
    expect(runs).toHaveLength(rows.length)
    if (process.env.SCHEDULES)
      console.log({ moments: rows.length, ticks: ticks.length, kills: killedAt.size, interrupted })
  })
})

async function waitForFirstRun({ ctx }: TestApp, at: number): Promise<void> {
  const decided = () =>
    ctx.db.selectFrom('schedule_moments').where('due_at', '=', at).select('due_at').executeTakeFirst()
  await expect.poll(decided, { timeout: 60_000, interval: 1 }).toBeDefined()
}
