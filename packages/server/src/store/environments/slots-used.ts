// How many environments of `projects p` take a slot of its limit, as a subquery.
import { sql } from 'kysely'

/** One that awaits approval takes none, unless an earlier commit of it was approved and is on the server. */
export const SLOTS_USED = sql`
  select count(*) from environments e
  where e.project_id = p.id and e.removed_at is null and (e.awaits_approval = 0 or exists (
    select 1 from tasks t where t.environment_id = e.id and t.started_at is not null))`
