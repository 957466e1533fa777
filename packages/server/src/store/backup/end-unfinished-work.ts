/**
 * Ends the unfinished work of a restored backup (tasks, deliveries, mails, leases) before
 * the platform starts on the records. Nothing listens at that time, so there are no change events.
 */
import { type Kysely, sql, type Transaction } from 'kysely'
import { interruptionOf } from '../../domain/tasks/interruption.ts'
import type { Tables } from '../tables/tables.ts'

export type EndedWork = { readonly tasks: number; readonly deliveries: number }

export function endUnfinishedWork(db: Kysely<Tables>, at: number): Promise<EndedWork> {
  return db.transaction().execute((transaction) => endAll(transaction, at))
}

async function endAll(transaction: Transaction<Tables>, at: number): Promise<EndedWork> {
  const tasks = await endTasks(transaction, at)
  const deliveries = await ignoreStoredDeliveries(transaction)
  // Git hosts may have newer statuses by now than those that waited.
  await sql`delete from outbox where task_id is not null`.execute(transaction)
  // What people asked for at git hosts, and commits that waited for checks: both were settled since, and a newer commit may be live.
  await sql`delete from check_requests`.execute(transaction)
  await sql`delete from comment_requests`.execute(transaction)
  await sql`delete from check_waits`.execute(transaction)
  // Waiting mails and messages were sent since, or are outdated. A user who still needs a link asks for it again.
  await sql`delete from mails where given_up_at is null and is_kept = 0`.execute(transaction)
  await sql`update hook_deliveries set status = 'failed', error = ${NOT_SENT} where status = 'pending'`.execute(
    transaction,
  )
  await sql`delete from channel_deliveries`.execute(transaction)
  // Leases of processes from before the restore.
  await sql`delete from leases`.execute(transaction)
  // Readers of the live channel fetch everything again, since their numbers are outside the new range.
  await sql`delete from journal`.execute(transaction)
  await sql`update journal_end set seq = seq + 1000000`.execute(transaction)
  // Certificates may have been issued since with the next serials.
  await sql`update ssh_authorities set last_serial = last_serial + 1000000, revocations = revocations + 1`.execute(
    transaction,
  )
  await sql`insert into settings (key, value) values ('restored_at', ${String(at)})
    on conflict (key) do update set value = excluded.value`.execute(transaction)
  return { tasks, deliveries }
}

const NOT_SENT = 'The platform was restored from a backup before this was sent'
const BECAUSE = 'The platform was restored from a backup that was made while this was queued or running'

async function endTasks(transaction: Transaction<Tables>, at: number): Promise<number> {
  const tasks = await transaction
    .selectFrom('tasks')
    .where('status', 'in', ['queued', 'running'])
    .select(['id', 'kind', 'status', 'switched_at', 'unrouted_at', 'output_bytes'])
    .execute()
  for (const { id, kind, status, switched_at, unrouted_at, output_bytes } of tasks) {
    const routing = { isSwitched: switched_at !== null, isUnrouted: unrouted_at !== null }
    const end = interruptionOf({ kind, ...routing, because: BECAUSE })
    await sql`update steps set status = 'canceled', finished_at = ${at} where task_id = ${id} and status in ('pending', 'running')`.execute(
      transaction,
    )
    await sql`insert into steps (task_id, position, phase, name, status, kind, message, started_at, finished_at, output_from, output_to)
      select ${id}, coalesce(max(position), 0) + 1, 'Prepare', 'Go on after a restore', ${end.status}, 'check', ${end.sentence},
        ${at}, ${at}, ${output_bytes}, ${output_bytes} from steps where task_id = ${id}`.execute(transaction)
    const ended = status === 'queued' ? 'canceled' : end.status
    const reason = ended === 'succeeded' ? null : 'interrupted'
    await sql`update tasks set status = ${ended}, reason = ${reason}, finished_at = ${at}, epoch = epoch + 1, lease_until = null
      where id = ${id}`.execute(transaction)
  }
  return tasks.length
}

/** Marked as applied, so that a redelivery by the git host is a duplicate. */
async function ignoreStoredDeliveries(transaction: Transaction<Tables>): Promise<number> {
  const reason = 'The platform was restored from a backup before this took effect'
  await sql`insert into delivery_ids (project_id, delivery_id, received_at, took_effect)
    select project_id, delivery_id, max(received_at), 1 from deliveries where verdict = 'stored' group by project_id, delivery_id
    on conflict (project_id, delivery_id) do update set took_effect = 1`.execute(transaction)
  const { rows } = await sql`update deliveries set verdict = 'ignored', reason = ${reason}, content = null
    where verdict = 'stored' returning id`.execute(transaction)
  return rows.length
}
