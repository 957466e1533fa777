// The texts at the git host: the comment on a pull request, and the status of a commit.
import type { TaskKind, TaskReason, TaskStatus } from '@shipway/api/tasks'
import { durationInWords, elapsedInWords } from '../duration.ts'
import type { CheckWait } from './commit-checks.ts'
import { cellOf, codeOf, plainLine } from './inert-text.ts'
import type { WaitingReason } from './waiting.ts'

export type FeedbackTask = {
  readonly kind: TaskKind
  readonly status: TaskStatus
  readonly reason: TaskReason | null
  readonly commitSha: string | null
  /** Of its page. */
  readonly url: string
  readonly durationMs: number | null
  readonly failedStep: { readonly phase: string; readonly name: string; readonly message: string | null } | null
}

export type FeedbackEnvironment = {
  readonly name: string
  /** Where its main service answers. */
  readonly url: string
  /** Of its page. */
  readonly page: string
  /** Those that a domain leads to; none before its first deployment. */
  readonly services: readonly { readonly name: string; readonly url: string }[]
  readonly awaitsApproval: boolean
  /** Its newest commit, where that is not deployed because of its checks. */
  readonly checkWait: CheckWait | null
  readonly expiresAt: number | null
}

type PullRequestReport = {
  readonly project: { readonly name: string }
  /** Its check run has a button to approve a commit of a fork. */
  readonly hasCheckRun: boolean
  readonly state: 'open' | 'closed' | 'merged'
  /** What it waits for an environment for; undefined if it does not wait. */
  readonly waiting: WaitingReason | null | undefined
  /** Why a rule of the project gives it no environment, or deploys no new commit of it, as a sentence. */
  readonly refusal: string | null
  readonly environment: FeedbackEnvironment | null
  /** Of the one that it had, and why that went: the end of a sentence that begins with "removed". */
  readonly removal: { readonly isExpiry: boolean; readonly because: string | null } | null
  readonly task: FeedbackTask | null
}

export function commentOf(report: PullRequestReport): string {
  const { project, environment, task } = report
  const parts = [environment ? `**Environment ${codeOf(environment.name)}**: ${stateOf(report)}` : stateOf(report)]
  if (environment && report.state === 'open') parts.push(...addressesOf(environment), ...expiryOf(environment))
  if (environment && report.refusal !== null && report.state === 'open')
    parts.push(`New commits are not deployed: ${codeOf(report.refusal)}`)
  if (task?.failedStep && task.status === 'failed') parts.push(`Failed step: ${failedStepOf(task.failedStep)}`)
  if (task) parts.push(`Output: ${task.url}`)
  if (environment && report.state === 'open') parts.push(logsOf(project.name, environment))
  return parts.join('\n\n')
}

/** More would make the text longer than git hosts take. */
export const MOST_SERVICES = 50

function addressesOf({ services, url }: FeedbackEnvironment): readonly string[] {
  if (services.length === 0) return [`Address: ${url}`]
  const rows = services.slice(0, MOST_SERVICES).map((service) => `| ${cellOf(service.name)} | ${service.url} |`)
  return [['| Service | Address |', '|---|---|', ...rows].join('\n')]
}

const expiryOf = ({ expiresAt }: FeedbackEnvironment): readonly string[] =>
  expiresAt === null ? [] : [`It is removed on ${timeOf(expiresAt)} unless it is deployed before.`]

/** `2026-03-12 at 09:26 UTC`. */
const timeOf = (at: number): string => new Date(at).toISOString().replace(/T(\d\d:\d\d).*/, ' at $1 UTC')

/** A name with a space is quoted, so that the command can be copied. */
function logsOf(project: string, { name, page }: FeedbackEnvironment): string {
  const named = /^[\w.-]+$/.test(project) ? project : `'${project.replaceAll("'", "'\\''")}'`
  return `Logs: ${codeOf(`shipway logs -p ${named} -e ${name}`)} or ${page}`
}

export const failedStepOf = ({ phase, name, message }: NonNullable<FeedbackTask['failedStep']>): string =>
  `${codeOf(`${phase}: ${name}`)}${message ? ` ${codeOf(message)}` : ''}`

function stateOf({ state, waiting, environment, removal, refusal, task, hasCheckRun }: PullRequestReport): string {
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
  if (environment.awaitsApproval)
    return `this commit of a fork is deployed when ${APPROVERS}${hasCheckRun ? `, or ${APPROVERS_AT_HOST} in its check` : ''}`
  if (environment.checkWait) return checkWaitSentence(environment.checkWait)
  return task ? `${sentenceOf(task)}${durationOf(task)}` : 'not deployed yet'
}

const APPROVERS = 'an administrator or the owner of the project approves it in Shipway'
/** Whom GitHub lets press the button of the check run. */
const APPROVERS_AT_HOST = 'a user with write access to the repository'

export const APPROVAL_SENTENCE = `This commit comes from a fork. It is deployed when ${APPROVERS_AT_HOST} approves it here, or ${APPROVERS}.`

const MOST_CHECKS = 10

/** Anybody who can report a check chooses its name. */
export function checkWaitSentence({ state, sha, openChecks, since, deadlineAt }: CheckWait): string {
  const commit = sha.slice(0, 12)
  const shown = openChecks.slice(0, MOST_CHECKS).map(codeOf).join(', ')
  const names = openChecks.length > MOST_CHECKS ? `${shown} and ${openChecks.length - MOST_CHECKS} more` : shown
  if (state === 'failed') return `${commit} is not deployed: the check ${names} failed`
  if (state === 'waiting') return names === '' ? `${commit} waits for checks` : `${commit} waits for checks: ${names}`
  const limit = durationInWords(deadlineAt - since)
  if (names === '') return `${commit} is not deployed: no checks were reported within ${limit}`
  return `${commit} is not deployed: after ${limit} these checks are not green: ${names}`
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
  if (status === 'failed') return failedStep ? `failed at ${plainLine(failedStep.name)}` : 'failed'
  return reason === 'superseded' ? 'replaced by a newer commit' : 'canceled'
}

/** Of a deployment that ended by itself. */
export function durationOf({ status, durationMs }: FeedbackTask): string {
  if (durationMs === null || (status !== 'succeeded' && status !== 'failed')) return ''
  return ` ${status === 'failed' ? 'after' : 'in'} ${elapsedInWords(durationMs)}`
}
