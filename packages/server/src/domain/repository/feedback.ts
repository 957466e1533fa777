// The texts at the git host: the comment on a pull request, and the status of a commit.
import type { TaskKind, TaskReason, TaskStatus } from '@shipway/api/tasks'
import { safeText } from '@shipway/rules/safe-text'
import type { WaitingReason } from './waiting.ts'

export type FeedbackTask = {
  readonly kind: TaskKind
  readonly status: TaskStatus
  readonly reason: TaskReason | null
  readonly commitSha: string | null
  readonly url: string
  readonly failedStep: { readonly phase: string; readonly name: string; readonly message: string | null } | null
}

type PullRequestReport = {
  readonly projectId: number
  readonly state: 'open' | 'closed' | 'merged'
  /** What it waits for an environment for; undefined if it does not wait. */
  readonly waiting: WaitingReason | null | undefined
  /** Why a rule of the project gives it no environment, or deploys no new commit of it, as a sentence. */
  readonly refusal: string | null
  readonly environment: {
    readonly name: string
    readonly url: string
    readonly awaitsApproval: boolean
    readonly expiresAt: number | null
  } | null
  /** Of the one that it had, and why that went: the end of a sentence that begins with "removed". */
  readonly removal: { readonly isExpiry: boolean; readonly because: string | null } | null
  readonly task: FeedbackTask | null
}

/** An invisible marker that identifies the project's comment. */
export const commentMarker = (projectId: number): string => `[//]: # (shipway-project-${projectId})`

export function commentOf(report: PullRequestReport): string {
  const { environment, task } = report
  const lines = [
    commentMarker(report.projectId),
    '',
    environment ? `**Environment ${codeOf(environment.name)}**: ${stateOf(report)}` : stateOf(report),
  ]
  if (environment && report.state === 'open') lines.push('', `Address: ${environment.url}`)
  if (environment && environment.expiresAt !== null && report.state === 'open')
    lines.push('', `It is removed on ${timeOf(environment.expiresAt)} unless it is deployed before.`)
  if (environment && report.refusal !== null && report.state === 'open')
    lines.push('', `New commits are not deployed: ${codeOf(report.refusal)}`)
  if (task?.failedStep && task.status === 'failed') {
    const { phase, name, message } = task.failedStep
    lines.push('', `Failed step: ${codeOf(`${phase}: ${name}`)}${message ? ` ${codeOf(message)}` : ''}`)
  }
  if (task) lines.push('', `Output: ${task.url}`)
  return lines.join('\n')
}

/** `2026-03-12 at 09:26 UTC`. */
const timeOf = (at: number): string => new Date(at).toISOString().replace(/T(\d\d:\d\d).*/, ' at $1 UTC')

function stateOf({ state, waiting, environment, removal, refusal, task }: PullRequestReport): string {
  if (waiting !== undefined)
    return `This pull request waits for an environment${waiting === null ? '' : WAITING[waiting]}.`
  const because = removal?.because == null ? '' : ` ${removal.because}`
  if (!environment && state === 'open' && refusal !== null)
    return `This pull request has no environment: ${codeOf(refusal)}`
  if (!environment && state === 'open' && removal?.isExpiry)
    return `The environment was removed${because}. The next commit brings it back.`
  if (!environment)
    return state === 'open' ? 'This pull request has no environment.' : `The environment was removed${because}.`
  if (task?.kind === 'remove') return `${task.status === 'succeeded' ? 'removed' : 'being removed'}${because}`
  if (environment.awaitsApproval) return 'an administrator has to approve this commit before it is deployed'
  return task ? sentenceOf(task) : 'not deployed yet'
}

/** Everybody with access to the repository reads this, so it must not mention other projects. */
const WAITING: Readonly<Record<WaitingReason, string>> = {
  environment_limit_reached: ': the project is at its limit',
  environment_removing: ': its earlier one is still being removed',
  domain_taken: ': another one has its domain. The list of waiting pull requests of the project says which',
}

/** For the status of a commit. */
export function sentenceOf({ status, reason, commitSha, failedStep }: FeedbackTask): string {
  const commit = commitSha === null ? '' : ` ${commitSha.slice(0, 12)}`
  if (status === 'succeeded') return `deployed${commit}`
  if (status === 'queued') return `waiting to deploy${commit}`
  if (status === 'running') return `deploying${commit}`
  if (status === 'failed') return failedStep ? `failed at ${plain(failedStep.name)}` : 'failed'
  return reason === 'superseded' ? 'replaced by a newer commit' : 'canceled'
}

/** Shows untrusted text inertly: no markup, no links, no mentions. */
const codeOf = (text: string): string => `\`${plain(text).replaceAll('`', "'")}\``

const MOST_CHARACTERS = 300

const plain = (text: string): string => safeText(text).replaceAll(/\s+/g, ' ').trim().slice(0, MOST_CHARACTERS)
