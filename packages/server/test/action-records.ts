// Actions and artifacts for tests, put straight into the database.
import type { Insertable } from 'kysely'
import type { Tables } from '../src/store/tables/tables.ts'
import type { Records } from './factories.ts'

type Overrides<Table extends keyof Tables> = Partial<Insertable<Tables[Table]>>

let counter = 0

/** `task_id` is the deployment that brought it. */
export function buildAction(
  ctx: Records,
  environmentId: number,
  overrides: Overrides<'environment_actions'> & { readonly task_id: number },
) {
  const action = { name: 'dump', place: 0, run: 'make dump', artifact_paths: '["dump*.sql"]', ...overrides }
  return ctx.db
    .insertInto('environment_actions')
    .values({ environment_id: environmentId, ...action })
    .execute()
}

/** The file itself is nowhere, unless the test has a server for it. */
export function buildArtifact(ctx: Records, taskId: number, overrides: Overrides<'artifacts'> = {}) {
  const artifact = {
    task_id: taskId,
    number: ++counter,
    path: 'out/report.txt',
    size: 10,
    stamp: '1:2',
    created_at: ctx.clock(),
    expires_at: ctx.clock() + 7 * 86_400_000,
    ...overrides,
  }
  return ctx.db.insertInto('artifacts').values(artifact).returningAll().executeTakeFirstOrThrow()
}
