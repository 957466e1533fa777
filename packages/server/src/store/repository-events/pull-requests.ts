// Rows of pull_requests: the last known state of each, and whether it waits for an environment.
import { type Kysely, type Selectable, sql, type Updateable } from 'kysely'
import type { DecidedFacts, Refusal } from '../../domain/repository/decide-pull-request.ts'
import type { KnownState } from '../../domain/repository/pull-request-state.ts'
import type { PullRequestFacts } from '../../domain/repository/repository-event.ts'
import type { Change } from '../change.ts'
import { idList } from '../id-list.ts'
import type { Page, PageRequest } from '../page.ts'
import type { Tables } from '../tables/tables.ts'

export type PullRequest = DecidedFacts & {
  readonly projectId: number
  readonly number: number
  readonly state: 'open' | 'closed' | 'merged'
  readonly title: string
  readonly url: string | null
  readonly branch: string
  readonly headSha: string
  readonly isFork: boolean
  readonly hostUpdatedAt: number
  readonly closings: number
  readonly environmentId: number | null
  readonly waitingSince: number | null
  readonly isRefSeen: boolean
  readonly commentId: string | null
  readonly changedAt: number
  /** Which rule gives it no environment, or deploys no new commit of it. */
  readonly refusal: (Refusal & { readonly since: number }) | null
  /** Whether the changed files of a commit match the paths; null if none were compared. They depend on the target branch. */
  readonly comparison: { readonly sha: string; readonly targetBranch: string | null; readonly isMatch: boolean } | null
}

export async function findPullRequest(
  db: Kysely<Tables>,
  projectId: number,
  number: number,
): Promise<PullRequest | undefined> {
  const row = await db
    .selectFrom('pull_requests')
    .where('project_id', '=', projectId)
    .where('number', '=', number)
    .selectAll()
    .executeTakeFirst()
  return row && toPullRequest(row)
}

/** The caller has found the project. In the order in which they get their environments; the cursor is a place in it. */
export async function listWaiting(
  db: Kysely<Tables>,
  projectId: number,
  { limit, before }: PageRequest,
): Promise<Page<PullRequest>> {
  const rows = await db
    .selectFrom('pull_requests')
    .where('project_id', '=', projectId)
    .where('waiting_since', 'is not', null)
    .orderBy('waiting_since')
    .orderBy('number')
    .offset(before ?? 0)
    .limit(limit + 1)
    .selectAll()
    .execute()
  const next = rows.length > limit ? (before ?? 0) + limit : undefined
  return { items: rows.slice(0, limit).map(toPullRequest), next }
}

/** Those that wait, then those that a rule gives no environment. The caller has found the project; the cursor is a place in the order. */
export async function listWithoutEnvironment(
  db: Kysely<Tables>,
  projectId: number,
  { limit, before }: PageRequest,
): Promise<Page<PullRequest>> {
  const { rows } = await sql<Selectable<Tables['pull_requests']>>`
    select * from pull_requests where project_id = ${projectId}
      and (waiting_since is not null or (refusal is not null and state = 'open' and environment_id is null))
    order by case when waiting_since is null then 1 else 0 end, coalesce(waiting_since, refused_at), number
    limit ${limit + 1} offset ${before ?? 0}`.execute(db)
  const next = rows.length > limit ? (before ?? 0) + limit : undefined
  return { items: rows.slice(0, limit).map(toPullRequest), next }
}

/** The paths of the project changed: what was compared with the old ones says nothing. */
export async function deleteComparisons(tx: Change, projectId: number): Promise<void> {
  await tx
    .updateTable('pull_requests')
    .set({ compared_sha: null, compared_match: null })
    .where('project_id', '=', projectId)
    .execute()
}

/** How many pull requests wait in each project; projects without any are left out. */
export async function listWaitingCounts(
  db: Kysely<Tables>,
  projectIds: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const { rows } = await sql<{ project_id: number; waiting: number }>`
    select project_id, count(*) as waiting from pull_requests
    where project_id in (${idList(projectIds)}) and waiting_since is not null group by project_id`.execute(db)
  return new Map(rows.map((row) => [row.project_id, row.waiting]))
}

export async function listOpenPullRequests(db: Kysely<Tables>, projectId: number): Promise<readonly PullRequest[]> {
  const rows = await db
    .selectFrom('pull_requests')
    .where('project_id', '=', projectId)
    .where('state', '=', 'open')
    .orderBy('number')
    .selectAll()
    .execute()
  return rows.map(toPullRequest)
}

/** Where the pull request of an environment leads to, or the branch that the environment follows. */
export async function findTargetBranch(db: Kysely<Tables>, environmentId: number): Promise<string | undefined> {
  const { rows } = await sql<{ branch: string }>`
    select coalesce(r.target_branch, e.branch) as branch from environments e
    left join pull_requests r on r.project_id = e.project_id and r.number = e.pull_request_number
    where e.id = ${environmentId}`.execute(db)
  return rows[0]?.branch
}

/** Projects with waiting pull requests. */
export async function listProjectsWithWaiting(db: Kysely<Tables>): Promise<readonly number[]> {
  const { rows } = await sql<{ project_id: number }>`
    select distinct project_id from pull_requests where waiting_since is not null`.execute(db)
  return rows.map((row) => row.project_id)
}

type PullRequestValues = {
  readonly projectId: number
  readonly state: KnownState
  readonly facts: PullRequestFacts
  readonly at: number
}

/** Values of the git host replace earlier ones; the platform's own stay. An omitted author stays, too, and whether it is a bot. */
export async function writePullRequest(
  tx: Change,
  { projectId, state, facts, at }: PullRequestValues,
): Promise<PullRequest> {
  const reported = {
    ...stateColumns(state),
    title: facts.title,
    url: facts.url,
    branch: facts.branch,
    target_branch: facts.targetBranch,
    head_sha: facts.headSha,
    is_fork: facts.isFork ? 1 : 0,
    is_draft: facts.isDraft ? 1 : 0,
    labels: facts.labels === null ? null : JSON.stringify(facts.labels),
    changed_at: at,
    ...(facts.isBot !== null && { is_bot: facts.isBot ? (1 as const) : (0 as const) }),
  } as const
  const row = await tx
    .insertInto('pull_requests')
    .values({ project_id: projectId, number: facts.number, author: facts.author, ...reported })
    .onConflict((conflict) =>
      conflict
        .columns(['project_id', 'number'])
        .doUpdateSet({ ...reported, ...(facts.author !== null && { author: facts.author }) }),
    )
    .returningAll()
    .executeTakeFirstOrThrow()
  notifyOfPullRequest(tx, projectId, row.environment_id)
  return toPullRequest(row)
}

const stateColumns = ({ state, hostUpdatedAt, closings }: KnownState) => ({
  state,
  host_updated_at: hostUpdatedAt,
  host_closings: closings,
})

/** Not visible to users: a late event can decide how the next one is interpreted. */
export async function updatePullRequestState(tx: Change, pullRequest: PullRequest, state: KnownState): Promise<void> {
  if (state.closings === pullRequest.closings && state.hostUpdatedAt === pullRequest.hostUpdatedAt) return
  await updatePullRequest(tx, pullRequest, stateColumns(state))
}

export async function updatePullRequest(
  tx: Change,
  { projectId, number }: { readonly projectId: number; readonly number: number },
  values: Updateable<Tables['pull_requests']>,
): Promise<void> {
  const updated = await tx
    .updateTable('pull_requests')
    .set(values)
    .where('project_id', '=', projectId)
    .where('number', '=', number)
    .returning('environment_id')
    .executeTakeFirst()
  if (updated) notifyOfPullRequest(tx, projectId, updated.environment_id)
}

/** Its environment shows it; a project that it waits in lists it. */
function notifyOfPullRequest(tx: Change, projectId: number, environmentId: number | null): void {
  tx.notify({ about: 'project', id: projectId, how: 'updated' })
  if (environmentId !== null) tx.notify({ about: 'environment', id: environmentId, how: 'updated' })
}

function toPullRequest(row: Selectable<Tables['pull_requests']>): PullRequest {
  return {
    projectId: row.project_id,
    number: row.number,
    state: row.state,
    title: row.title,
    url: row.url,
    author: row.author,
    branch: row.branch,
    headSha: row.head_sha,
    isFork: row.is_fork === 1,
    hostUpdatedAt: row.host_updated_at,
    closings: row.host_closings,
    environmentId: row.environment_id,
    waitingSince: row.waiting_since,
    isRefSeen: row.is_ref_seen === 1,
    commentId: row.comment_id,
    changedAt: row.changed_at,
    isDraft: row.is_draft === 1,
    isBot: row.is_bot === 1,
    targetBranch: row.target_branch,
    // Written by `writePullRequest` in this shape.
    labels: row.labels === null ? null : JSON.parse(row.labels),
    requested: row.requested,
    refusal:
      row.refusal === null
        ? null
        : { code: row.refusal, sentence: row.refusal_detail ?? '', since: row.refused_at ?? row.changed_at },
    comparison:
      row.compared_sha === null
        ? null
        : { sha: row.compared_sha, targetBranch: row.compared_target, isMatch: row.compared_match !== 0 },
  }
}
