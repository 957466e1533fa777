// A year of schedules on two platform processes that are killed at random, and that are both down at times: each due moment is decided once. In
// the short form both are down for most of the year. The long form:
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

const SCHEDULES = Number(process.env.SCHEDULES ?? 12)
const KILLS = Math.max(4, Math.round(SCHEDULES / 10))
const PER_ENVIRONMENT = 20
const isLong = SCHEDULES > 100
const YEAR = { from: Date.UTC(2026, 0, 1), until: Date.UTC(2027, 0, 1) }
const HOUR = 60 * 60_000
/** Of a time without the platform no more are listed. */
const MOST_LISTED = 100

type Span = { readonly from: number; readonly until: number }

/**
 * When both processes are down. They come back at seven minutes past an hour, when nothing is due: all that was due meanwhile is late. In the
 * long form: for a while, at a change of clocks, and for longer than what is listed of an hourly schedule.
 */
const OUTAGES: readonly Span[] = isLong
  ? [
      spanOf('02-15T09:58', '02-15T12:07'),
      spanOf('03-08T06:30', '03-08T07:07'),
      spanOf('06-10T00:30', '06-20T18:07'),
      spanOf('12-31T22:30', '12-31T23:07'),
    ]
  : [
      spanOf('01-01T00:01', '03-08T00:07'),
      spanOf('03-08T09:30', '03-28T20:07'),
      spanOf('03-29T08:30', '10-24T20:07'),
      spanOf('10-25T08:30', '10-31T20:07'),
      spanOf('11-01T08:30', '12-31T20:07'),
    ]

function spanOf(from: string, until: string): Span {
  return { from: Date.parse(`2026-${from}Z`), until: Date.parse(`2026-${until}Z`) }
}

const outageAt = (at: number): Span | undefined => OUTAGES.find(({ from, until }) => from <= at && at < until)

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

const schedules = [
  ...Array.from({ length: SCHEDULES }, (_, index) => ({
    name: `a${index}`,
    cron: CRONS[index % CRONS.length] ?? '',
    timeZone: ZONES[index % ZONES.length] ?? '',
    catchesUp: index % 3 === 0,
  })),
  { name: 'hourly', cron: '0 * * * *', timeZone: 'Europe/Berlin', catchesUp: false },
  { name: 'hourly-made-up', cron: '0 * * * *', timeZone: 'America/New_York', catchesUp: true },
]

function momentsIn({ cron, timeZone }: (typeof schedules)[number]): readonly number[] {
  // Also where clocks skip or repeat an hour.
  if (cron === '0 * * * *')
    return Array.from({ length: (YEAR.until - YEAR.from) / HOUR - 1 }, (_, hour) => YEAR.from + (hour + 1) * HOUR)
  const next = momentsOf({ cron, timeZone })
  const found: number[] = []
  for (let at = next(YEAR.from); at !== undefined && at < YEAR.until; at = next(at)) found.push(at)
  return found
}

const MISSED = 'missed: The platform was not running at that time'
const MADE_UP = 'started: Started later: the platform was not running at that time'

/** What must become of each due moment, as lines: of an outage all are missed, or the newest is made up for. */
function outcomesOf(schedule: (typeof schedules)[number]): readonly string[] {
  const late = (index: number, count: number): string => {
    if (!schedule.catchesUp) return MISSED
    return index === count - 1 ? MADE_UP : `${MISSED}; one later run makes up for it`
  }
  const decided = [...Map.groupBy(momentsIn(schedule), outageAt)].flatMap(([outage, moments]) => {
    if (outage === undefined) return moments.map((at) => lineOf(at, 'started'))
    const listed = moments.slice(0, MOST_LISTED)
    return listed.map((at, index) => lineOf(at, late(index, listed.length)))
  })
  return decided.toSorted()
}

const lineOf = (at: number, outcome: string): string => `${new Date(at).toISOString()} ${outcome}`

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
  for (let first = 0; first < schedules.length; first += PER_ENVIRONMENT) {
    const { id, name } = await buildEnvironment(ctx, project)
    const at = YEAR.from
    const { id: taskId } = await buildTask(ctx, id, { status: 'succeeded', started_at: at, finished_at: at })
    const actions = schedules
      .slice(first, first + PER_ENVIRONMENT)
      .map(({ name: action, cron, timeZone, catchesUp }) => ({
        name: action,
        disabled: null,
        run: 'x',
        service: null,
        artifactPaths: [],
        timeoutMs: null,
        schedule: { cron, timeZone, environments: [name], catchesUp },
      }))
    await ctx.change(PLATFORM, (tx) =>
      replaceActions(tx, { environmentId: id, taskId, actions, mainService: null, at }),
    )
  }
}

describe.each(postgresOnly)('schedules on two processes with $name', (source) => {
  test('each due moment of a year is decided once, though processes are killed', { timeout: 3_600_000 }, async () => {
    const database = await source.open()
    const app = await buildTestApp(database, {}, {})
    onTestFinished(() => app.close())
    const url = 'url' in database.address ? (database.address.url ?? '') : ''
    await deploy(app)
    const ends = OUTAGES.map(({ until }) => until)
    const awake = schedules.flatMap(momentsIn).filter((at) => outageAt(at) === undefined)
    const ticks = [...new Set([...awake, ...ends])].sort((a, b) => a - b)
    const random = randomNumbers(7)
    const killedAt = new Set(Array.from({ length: KILLS }, () => ticks[Math.floor(random() * ticks.length)]))
    // Also while what was missed is decided.
    killedAt.add(ends[0])
    const processes = [await startScheduler(url), await startScheduler(url)]
    let interrupted = 0
    try {
      for (const at of ticks) {
        const passes = processes.map((one) => one.pass(at))
        if (killedAt.has(at)) {
          const index = random() < 0.5 ? 0 : 1
          // In the middle of its pass: once the first runs of this moment are there.
          if (isLong) await waitForFirstRun(app, at)
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
    for (const schedule of schedules) {
      const outcomes = (decided.get(schedule.name) ?? []).map(({ due_at: at, outcome, reason }) =>
        lineOf(at, reason === null ? outcome : `${outcome}: ${reason}`),
      )
      expect([schedule.name, outcomes]).toEqual([schedule.name, outcomesOf(schedule)])
    }
    const runs = await app.ctx.db.selectFrom('tasks').where('kind', '=', 'action').select('id').execute()
    const started = rows.filter(({ outcome }) => outcome === 'started').map(({ task_id: taskId }) => taskId)
    expect(new Set(started)).toEqual(new Set(runs.map(({ id }) => id)))
    expect(runs).toHaveLength(started.length)
    if (process.env.SCHEDULES)
      console.log({
        moments: rows.length,
        started: started.length,
        ticks: ticks.length,
        kills: killedAt.size,
        interrupted,
      })
  })
})

async function waitForFirstRun({ ctx }: TestApp, at: number): Promise<void> {
  const run = () => ctx.db.selectFrom('tasks').where('created_at', '=', at).select('id').executeTakeFirst()
  await expect.poll(run, { interval: 1 }).toBeDefined()
}
