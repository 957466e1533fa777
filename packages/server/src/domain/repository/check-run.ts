// The check run of an environment at GitHub: what it says about a commit, and its buttons.
import type { OutputTail } from '../tasks/output-tail.ts'
import type { Annotation } from './annotations.ts'
import { type CheckWait, OWN_CHECKS } from './commit-checks.ts'
import {
  APPROVAL_SENTENCE,
  checkWaitSentence,
  durationOf,
  type FeedbackEnvironment,
  type FeedbackTask,
  failedStepOf,
  MOST_SERVICES,
  sentenceOf,
} from './feedback.ts'
import { blockOf, cellOf, plainLine } from './inert-text.ts'

export type CheckRun = {
  readonly sha: string
  readonly name: string
  /** Ours, to find one again whose id was not stored. */
  readonly externalId: string
  /** Of the page that has the rest. */
  readonly url: string
  readonly state: CheckState
  readonly title: string
  readonly summary: string
  readonly annotations: readonly Annotation[]
  readonly buttons: readonly CheckButton[]
}

type CheckState = 'queued' | 'in_progress' | 'success' | 'failure' | 'cancelled' | 'action_required'

/** What a button asks for. GitHub sends it back when someone clicks. */
export type CheckAction = 'approve' | 'redeploy' | 'extend'
export const CHECK_ACTIONS: readonly CheckAction[] = ['approve', 'redeploy', 'extend']

/** GitHub takes at most three, with labels of 20 characters and descriptions of 40. */
type CheckButton = { readonly label: string; readonly description: string; readonly action: CheckAction }

const BUTTONS: Readonly<Record<CheckAction, CheckButton>> = {
  approve: { label: 'Approve', description: 'Deploy this commit of a fork', action: 'approve' },
  redeploy: { label: 'Redeploy', description: 'Deploy this commit again', action: 'redeploy' },
  extend: { label: 'Extend', description: 'Restart the time until it is removed', action: 'extend' },
}

type CheckedEnvironment = FeedbackEnvironment & { readonly id: number }

export const checkNameOf = (environment: { readonly name: string }): string => `${OWN_CHECKS}${environment.name}`

type TaskReport = {
  readonly environment: CheckedEnvironment
  readonly sha: string
  readonly task: FeedbackTask & { readonly id: number }
  readonly output: OutputTail | undefined
  readonly annotations: readonly Annotation[]
}

export function checkRunOfTask({ environment, sha, task, output, annotations }: TaskReport): CheckRun {
  const sentence = `${sentenceOf(task)}${durationOf(task)}`
  const hasEnded = task.status !== 'queued' && task.status !== 'running'
  const buttons = hasEnded ? [BUTTONS.redeploy, ...(environment.expiresAt === null ? [] : [BUTTONS.extend])] : []
  return {
    sha,
    name: checkNameOf(environment),
    externalId: `environment-${environment.id}-task-${task.id}`,
    url: task.url,
    state: STATES[task.status],
    title: capitalized(sentence),
    summary: [addressesOf(environment), failureOf(task, output)].filter((part) => part !== '').join('\n\n'),
    annotations: task.status === 'failed' ? annotations : [],
    buttons,
  }
}

const STATES: Readonly<Record<FeedbackTask['status'], CheckState>> = {
  queued: 'queued',
  running: 'in_progress',
  succeeded: 'success',
  failed: 'failure',
  canceled: 'cancelled',
}

/** A commit of a fork that is not approved yet. */
export function checkRunOfApproval(environment: CheckedEnvironment, sha: string): CheckRun {
  return {
    sha,
    name: checkNameOf(environment),
    externalId: `environment-${environment.id}-commit-${sha}`,
    url: environment.page,
    state: 'action_required',
    title: 'Approve this commit to deploy it',
    summary: APPROVAL_SENTENCE,
    annotations: [],
    buttons: [BUTTONS.approve],
  }
}

/** A commit that waits for other checks, or is not deployed because of them. */
export function checkRunOfWait(environment: CheckedEnvironment, wait: CheckWait): CheckRun {
  const sentence = checkWaitSentence(wait)
  return {
    sha: wait.sha,
    name: checkNameOf(environment),
    externalId: `environment-${environment.id}-commit-${wait.sha}`,
    url: environment.page,
    state: wait.state === 'waiting' ? 'queued' : 'cancelled',
    title: sentence.replaceAll('`', ''),
    summary: `${sentence}.`,
    annotations: [],
    buttons: wait.state === 'waiting' ? [] : [BUTTONS.redeploy],
  }
}

function addressesOf({ services, url }: CheckedEnvironment): string {
  if (services.length === 0) return `Address: ${url}`
  return services
    .slice(0, MOST_SERVICES)
    .map((service) => `- ${cellOf(service.name)}: ${service.url}`)
    .join('\n')
}

function failureOf(task: FeedbackTask, output: OutputTail | undefined): string {
  if (task.status !== 'failed') return ''
  const step = task.failedStep ? `Failed step: ${failedStepOf(task.failedStep)}` : ''
  return output ? `${step}\n\nIts last lines:\n\n${blockOf(lastLines(output.text))}` : step
}

/** GitHub takes 65,535 characters of Markdown. Counted in bytes, to be on the safe side; the rest of the summary has less than is left. */
const MOST_OUTPUT_BYTES = 45_000

function lastLines(text: string): string {
  const bytes = Buffer.from(text.trimEnd())
  if (bytes.length <= MOST_OUTPUT_BYTES) return text.trimEnd()
  const cut = bytes.subarray(-MOST_OUTPUT_BYTES)
  return cut.subarray(cut.indexOf(0x0a) + 1).toString()
}

const capitalized = (sentence: string): string => {
  const text = plainLine(sentence)
  return text.charAt(0).toUpperCase() + text.slice(1)
}
