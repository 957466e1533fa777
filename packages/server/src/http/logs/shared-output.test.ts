// What logs cost while they are followed: in memory, and in questions to the database.
import { afterEach, expect, test, vi } from 'vitest'
import { databases } from '../../../test/databases.ts'
import { buildEnvironment, buildTask } from '../../../test/factories.ts'
import { buildOwnedProject } from '../../../test/owned-project.ts'
import { openTestApp } from '../../../test/test-app.ts'
import { followOutput } from './follow-output.ts'
import { PIECE_BYTES, SharedOutputs } from './shared-output.ts'

const [source] = databases
if (!source) throw new Error('There is no database to test on')
/** More than anybody looks at in one moment, of the kind that stays after its task has ended. */
const LOGS = 30
const PIECES = 10

afterEach(() => void vi.useRealTimers())

async function stageLogs() {
  const app = await openTestApp(source as NonNullable<typeof source>)
  const project = await buildOwnedProject(app.ctx)
  const environment = await buildEnvironment(app.ctx, project)
  const bytes = Buffer.alloc(PIECES * PIECE_BYTES, 'x')
  const tasks: { id: number }[] = []
  for (let count = 0; count < LOGS; count++) {
    const ended = { status: 'succeeded', started_at: 1, finished_at: 2, output_bytes: bytes.length } as const
    const { id } = await buildTask(app.ctx, environment.id, ended)
    await app.ctx.db.insertInto('outputs').values({ task_id: id, output_from: 0, bytes }).execute()
    tasks.push({ id })
  }
  let queries = 0
  const db = app.ctx.db.withPlugin({
    transformQuery: ({ node }) => {
      queries++
      return node
    },
    transformResult: async ({ result }) => result,
  })
  return { app, tasks, outputs: new SharedOutputs({ ...app.ctx, db }), queries: () => queries }
}

test('the pieces of many logs are not all kept', async () => {
  const { app, tasks, outputs, queries } = await stageLogs()
  const ends: (() => void)[] = []
  for (const task of tasks) {
    const log = outputs.of(task.id)
    ends.push(log.listen(() => undefined))
    const length = await log.length()
    for (let piece = 0; piece < PIECES; piece++) await log.piece(piece * PIECE_BYTES, length)
  }
  const again = async (task: (typeof tasks)[number] | undefined): Promise<number> => {
    const log = task && outputs.of(task.id)
    const length = await log?.length()
    const before = queries()
    if (length) await log?.piece((PIECES - 1) * PIECE_BYTES, length)
    return queries() - before
  }
  expect(await again(tasks.at(-1))).toBe(0)
  expect(await again(tasks[0])).toBeGreaterThan(0)
  for (const end of ends) end()
  await app.close()
})

test('a log whose task has ended is not looked at again', async () => {
  const { app, tasks, outputs, queries } = await stageLogs()
  const [task] = tasks
  if (!task) throw new Error('There is no task')
  const stopper = new AbortController()
  const log = outputs.of(task.id)
  const { bytes } = await log.length()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  const { signal } = stopper
  const following = (async () => {
    for await (const { piece } of followOutput(log, { from: bytes, signal })) expect(piece).toBeUndefined()
  })()
  await vi.advanceTimersByTimeAsync(1_000)
  const before = queries()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(queries()).toBe(before)
  stopper.abort()
  await following
  vi.useRealTimers()
  await app.close()
})
