// Titles and descriptions of tasks in lists.
import type { Task } from '@shipway/api'
import { commandLine } from '@shipway/api/values/command-line'
import { describeCause } from './cause.ts'
import { describeReason } from './reason.ts'
import { shortSha } from './sha.ts'

type Named = Pick<Task, 'kind' | 'action' | 'commit' | 'branch'> & { readonly command: readonly string[] | null }

export function taskTitle({ kind, action, command, commit, branch }: Named): string {
  if (kind === 'remove') return 'Removal'
  if (kind === 'run') return commandLine(command ?? [])
  if (kind === 'action') return `Action ${action ?? ''}`.trim()
  const subject = commit?.message?.split('\n', 1)[0]?.trim()
  const name = subject || (branch === null ? 'Deployment' : `Deployment of ${branch}`)
  return kind === 'reset' ? `Reset: ${name}` : name
}

export function describeFailure({ failed_step, reason }: Pick<Task, 'failed_step' | 'reason'>): string {
  if (failed_step === null) return reason === null ? 'Failed' : `Failed: ${describeReason(reason)}`
  const { phase, name, message } = failed_step
  return `Failed in ${phase}: ${message ?? name}`
}

/** Subtitle: commit and its author, and the cause or the reason for its cancellation. */
export function describeOrigin(
  task: Pick<Task, 'kind' | 'commit' | 'cause' | 'started_by' | 'status' | 'reason'>,
): string {
  const sha = task.commit
    ? [`${shortSha(task.commit.sha)}${task.commit.author ? ` by ${task.commit.author}` : ''}`]
    : []
  const isCanceled = task.status === 'canceled' && task.reason !== null
  return [...sha, isCanceled && task.reason !== null ? describeReason(task.reason) : describeCause(task)].join(' · ')
}
