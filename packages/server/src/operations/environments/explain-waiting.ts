// Explains what each waiting pull request waits for, from the current records.
import type { Kysely } from 'kysely'
import { type WaitingReason, waitingReason, waitingSentence } from '../../domain/repository/waiting.ts'
import { findSlots } from '../../store/environments/environments.ts'
import { findObstacles } from '../../store/repository-events/obstacles.ts'
import type { PullRequest } from '../../store/repository-events/pull-requests.ts'
import type { Tables } from '../../store/tables/tables.ts'

export type Explanation = { readonly reason: WaitingReason | null; readonly sentence: string | null }

/** By their numbers. The caller has found the project. */
export async function explainWaiting(
  db: Kysely<Tables>,
  projectId: number,
  waiting: readonly PullRequest[],
): Promise<ReadonlyMap<number, Explanation>> {
  const slots = (await findSlots(db, projectId)) ?? { used: 0, limit: 0 }
  const numbers = waiting.map(({ number }) => number)
  const obstacles = await findObstacles(db, { projectId, numbers })
  return new Map(
    waiting.map((pullRequest) => {
      const facts = { slots, obstacle: obstacles.get(pullRequest.number) ?? { isLeaving: false, taken: null } }
      const reason = waitingReason(pullRequest, facts)
      return [pullRequest.number, { reason, sentence: waitingSentence(reason, facts) }]
    }),
  )
}
