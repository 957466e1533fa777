// A pull request that waits for an environment, as JSON.
import type { RouteAnswer } from '@shipway/api/route'
import type { Routes } from '@shipway/api/routes'
import type { Explanation } from '../../operations/environments/explain-waiting.ts'
import type { PullRequest } from '../../store/repository-events/pull-requests.ts'
import { presentTime } from './time.ts'

export function presentWaiting(
  pullRequest: PullRequest,
  explanation: Explanation | undefined,
): RouteAnswer<Routes['listWaitingPullRequests']>[number] {
  // What waits has passed the rules.
  const refusal = pullRequest.waitingSince === null ? pullRequest.refusal : null
  return {
    number: pullRequest.number,
    title: pullRequest.title,
    url: pullRequest.url,
    author: pullRequest.author,
    branch: pullRequest.branch,
    head_sha: pullRequest.headSha,
    waiting_since: presentTime(pullRequest.waitingSince ?? refusal?.since ?? 0),
    reason: refusal?.code ?? explanation?.reason ?? null,
    detail: refusal?.sentence ?? explanation?.sentence ?? null,
  }
}
