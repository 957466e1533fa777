// Whatever happens to tasks, in whatever order: some things hold always. Sequences are made up by the hundred, and played.
// More of them: SEQUENCES=100000 npx vitest run packages/server/src/store/tasks/task-life.test.ts
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { databases } from '../../../test/databases.ts'
import { buildEnvironment, buildOrganization, buildProject, buildServer, buildUser } from '../../../test/factories.ts'
import { stageApp } from '../../../test/stage/stage-app.ts'
import { isActive } from '../../../test/task-life/model.ts'
import { Play, type Stage } from '../../../test/task-life/play.ts'
import { mustBe } from '../../../test/task-life/rules.ts'
import { sentenceOf, type TaskEvent, taskEvent } from '../../../test/task-life/task-events.ts'
import { activeTaskOf } from '../../domain/environment.ts'
import type { Actor } from '../../domain/people/actor.ts'
import { listEnvironmentsOfProject } from '../environments/environments.ts'

const sequences = { embedded: Number(process.env.SEQUENCES ?? 150), postgres: 50 }

describe.each(databases)('the life of tasks on $name', (source) => {
  const app = stageApp(source)
  let owner: { readonly id: number }
  let organizationId: number
  let serverId: number
  const seen = new Set<string>()

  beforeAll(async () => {
    const user = await buildUser(app.ctx)
    owner = user
    organizationId = (await buildOrganization(app.ctx, [{ user, role: 'owner' }])).id
    serverId = (await buildServer(app.ctx, organizationId)).id
  })

  const actorOf = (role: 'member' | 'admin'): Actor => ({
    userId: owner.id,
    name: 'Ada',
    isPlatformAdmin: false,
    roles: new Map([[organizationId, role]]),
    scopes: new Set(),
    credential: { kind: 'session', id: 1, expiresAt: 0 },
    origin: { address: '127.0.0.1', requestId: 'test' },
  })

  const setTheStage = (): Promise<Stage> =>
    app.ctx.db.transaction().execute(async (db) => {
      const records = { db, clock: app.ctx.clock }
      const project = await buildProject(records, { organizationId, ownerId: owner.id, serverId })
      const environmentIds = [
        (await buildEnvironment(records, project)).id,
        (await buildEnvironment(records, project)).id,
      ]
      return { ctx: app.ctx, member: actorOf('member'), admin: actorOf('admin'), projectId: project.id, environmentIds }
    })

  const play = async (events: readonly TaskEvent[]): Promise<void> => {
    const stage = await setTheStage()
    const play = new Play(stage)
    const lines: string[] = []
    try {
      for (const one of events) {
        lines.push(sentenceOf(one))
        const answer = await play.happen(one)
        lines[lines.length - 1] += ` → ${answer}`
        seen.add(answer)
      }
      await checkOutput(stage)
      await checkLocks(stage, play)
    } catch (error) {
      const sentence = error instanceof Error ? error.message : String(error)
      throw new Error(`${lines.map((line, index) => `${index + 1}. ${line}`).join('\n')}\n${sentence}`, {
        cause: error,
      })
    } finally {
      await app.ctx.db.deleteFrom('projects').where('id', '=', stage.projectId).execute()
    }
  }

  const checkOutput = async ({ ctx, environmentIds }: Stage): Promise<void> => {
    const rows = await ctx.db
      .selectFrom('tasks as t')
      .leftJoin('outputs as o', 'o.task_id', 't.id')
      .where('t.environment_id', 'in', environmentIds)
      .orderBy('t.id')
      .orderBy('o.output_from')
      .select(['t.id', 't.output_bytes', 'o.output_from', 'o.bytes'])
      .execute()
    for (const [id, chunks] of Map.groupBy(rows, (row) => row.id)) {
      let end = 0
      for (const { output_from: from, bytes } of chunks) {
        if (from === null) continue
        mustBe(from, end, `a chunk of task ${id} begins where the one before ends`)
        end += bytes?.length ?? 0
      }
      mustBe(chunks[0]?.output_bytes, end, `output_bytes of task ${id} is the sum of its chunks`)
    }
  }

  const checkLocks = async ({ ctx, projectId, environmentIds }: Stage, { model }: Play): Promise<void> => {
    const environments = await listEnvironmentsOfProject(ctx.db, projectId)
    const locked = environments.filter(({ tasks }) => activeTaskOf(tasks) !== null).map(({ id }) => id)
    const active = model.isGone ? [] : model.tasks.filter(isActive).map((task) => environmentIds[task.environment])
    mustBe(new Set(locked), new Set(active), 'locked is having a task that is queued or running')
  }

  const runs = sequences[source.name]
  test(`keeps its rules over ${runs} sequences`, { timeout: 60_000 + runs * 60 }, async () => {
    const script = fc.array(taskEvent, { minLength: 1, maxLength: 10, size: 'max' })
    const examples = [[twiceDeleted], [oneLife], [takenOver]] satisfies [readonly TaskEvent[]][]
    await fc.assert(fc.asyncProperty(script, play), { numRuns: runs, examples })
    expect([...seen]).toEqual(expect.arrayContaining(mustBeSeen))
  })
})

// Chance comes to some answers too seldom: these come to all of them.
const twiceDeleted: readonly TaskEvent[] = [
  { what: 'start', environment: 0 },
  { what: 'take', worker: 'A' },
  { what: 'delete project' },
  { what: 'delete project' },
]

const oneLife: readonly TaskEvent[] = [
  { what: 'start', environment: 0 },
  { what: 'start', environment: 0 },
  { what: 'push', environment: 0 },
  { what: 'take', worker: 'A' },
  { what: 'push', environment: 0 },
  { what: 'begin step', lease: 0, position: 1 },
  { what: 'append', lease: 0, bytes: 7 },
  { what: 'end step', lease: 0, position: 1 },
  { what: 'cancel', task: 0 },
  { what: 'delete environment', environment: 0 },
  { what: 'finish', lease: 0, status: 'failed' },
  { what: 'finish', lease: 0, status: 'succeeded' },
  { what: 'append', lease: 0, bytes: 7 },
  { what: 'begin step', lease: 0, position: 2 },
  { what: 'renew', lease: 0 },
  { what: 'cancel', task: 0 },
  { what: 'cancel', task: 1 },
  { what: 'take', worker: 'B' },
]

const takenOver: readonly TaskEvent[] = [
  { what: 'start', environment: 0 },
  { what: 'take', worker: 'A' },
  { what: 'release', lease: 0 },
  { what: 'take', worker: 'B' },
  { what: 'finish', lease: 1, status: 'succeeded' },
  { what: 'finish', lease: 0, status: 'succeeded' },
  { what: 'delete environment', environment: 0 },
]

/** Sequences that never come to these would prove little. */
const mustBeSeen = [
  'start: queued',
  'start: deployment_in_progress',
  'push: queued',
  'push: refused',
  'take: taken',
  'take: taken over',
  'take: nothing',
  'renew: lost',
  'release: released',
  'begin step: written',
  'begin step: lost',
  'end step: written',
  'append: written',
  'append: lost',
  'finish: written',
  'finish: lost',
  'cancel: canceled',
  'cancel: running',
  'cancel: too_late',
  'delete environment: accepted',
  'delete environment: deployment_in_progress',
  'delete project: accepted',
  'delete project: project_deleting',
]
