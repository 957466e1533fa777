// The conditions that are made from the table of kinds, as both databases plan them.
import { TaskKind } from '@shipway/api/tasks'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { databases } from '../../../test/databases.ts'
import { stageApp } from '../../../test/stage/stage-app.ts'
import { TASK_KINDS } from '../../domain/tasks/task.ts'
import { whereKind } from './task-kinds.ts'

const PROPERTIES = [
  'isDeployment',
  'locksEnvironment',
  'clearsEnvironment',
  'removesEnvironment',
  'runsInLiveDeployment',
] as const

describe.each(databases)('conditions on the kind of a task on $name', (source) => {
  const app = stageApp(source)

  test.each(PROPERTIES)('%s holds for the kinds that have it in the table', async (property) => {
    const rows = TaskKind.options.map((kind) => sql`select ${sql.lit(kind)} as kind`)
    const found = await sql<{ kind: string }>`
      select kind from (${sql.join(rows, sql` union all `)}) tasks where ${whereKind('tasks', property)}`.execute(
      app.ctx.db,
    )
    const expected = TaskKind.options.filter((kind) => TASK_KINDS[kind][property])
    expect(found.rows.map(({ kind }) => kind).sort()).toEqual([...expected].sort())
  })

  test.each([
    ['tasks_running_unique', sql`t.status = 'running' and ${whereKind('t', 'locksEnvironment')}`],
    ['tasks_queued_unique', sql`t.status = 'queued' and ${whereKind('t', 'locksEnvironment')}`],
    ['tasks_without_actions', sql`${whereKind('t', 'locksEnvironment')} order by t.id desc limit 1`],
    ['tasks_live', sql`${whereKind('t', 'isDeployment')} and t.status = 'succeeded' order by t.id desc limit 1`],
    [
      'tasks_deployments',
      sql`${whereKind('t', 'isDeployment')} and t.finished_at is not null order by t.id desc limit 1`,
    ],
    ['tasks_action_unique', sql`t.kind = 'action' and t.status in ('queued', 'running') and t.action = 'seed'`],
  ])('the condition of %s is one that the index can answer', async (index, condition) => {
    const plan = await app.ctx.db.transaction().execute(async (tx) => {
      if (source.name === 'embedded') {
        // Refused where the condition does not imply the index's.
        const tasks = sql`tasks t indexed by ${sql.id(index)}`
        return sql`explain query plan select t.id from ${tasks} where t.environment_id = 1 and ${condition}`.execute(tx)
      }
      // Tables of a test are so small that PostgreSQL would rather read them whole.
      await sql`set local enable_seqscan = off`.execute(tx)
      await sql`set local enable_bitmapscan = off`.execute(tx)
      return sql`explain select t.id from tasks t where t.environment_id = 1 and ${condition}`.execute(tx)
    })
    expect(JSON.stringify(plan.rows)).toContain(index)
  })
})
