// Conditions on the kind of a task, made from the table of kinds.
//
// They are literals and not parameters, and `locksEnvironment` excludes kinds instead of listing them: a database uses a partial index
// only where it can see that the query's condition implies the index's, and SQLite compares the two word by word.
import { TaskKind } from '@shipway/api/tasks'
import { type RawBuilder, sql } from 'kysely'
import { TASK_KINDS } from '../../domain/tasks/task.ts'

type KindCondition =
  | 'isDeployment'
  | 'locksEnvironment'
  | 'clearsEnvironment'
  | 'removesEnvironment'
  | 'runsInLiveDeployment'
  | 'runsNamedAction'

/** `table` is the name or the alias that the query gives to `tasks`. */
export function whereKind(table: string, property: KindCondition): RawBuilder<boolean> {
  const kind = sql.ref(`${table}.kind`)
  const literals = (value: boolean) =>
    TaskKind.options.filter((option) => TASK_KINDS[option][property] === value).map((option) => sql.lit(option))
  if (property === 'locksEnvironment') {
    return sql`(${sql.join(
      literals(false).map((other) => sql`${kind} <> ${other}`),
      sql` and `,
    )})`
  }
  const [first, ...others] = literals(true)
  return others.length === 0 ? sql`${kind} = ${first}` : sql`${kind} in (${sql.join([first, ...others])})`
}
