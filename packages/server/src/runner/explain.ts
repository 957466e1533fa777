// Turns what a step threw into the end of that step: its kind, its sentence, and a reason for the task where one is needed.
import { UnreadableCompose } from '@shipway/rules/compose/read-compose-model'
import { RepositoryConfigFault } from '@shipway/rules/service-file/repository-config'
import type { Logger } from 'pino'
import { isDiskFull } from '../domain/disk-full.ts'
import { StepFault } from '../domain/tasks/step-fault.ts'
import type { EndReason } from '../domain/tasks/task.ts'
import { HaproxyFailed } from '../edge/haproxy/ask-haproxy.ts'
import type { StepEnd } from '../progress/progress.ts'
import { CommandStopped, ConnectionLost, ServerUnreachable } from '../remote/host.ts'
import type { Mask } from '../secrets/mask.ts'
import { SourceError } from '../source/source-error.ts'
import { maskError } from './mask-error.ts'

export type Explained = { readonly step: StepEnd; readonly reason?: EndReason }

export function explain(error: unknown, { log, mask }: { log: Logger; mask: Mask }): Explained {
  if (error instanceof StepFault) {
    const { kind, message, exitCode, reason } = error
    return { step: { status: 'failed', kind, message, exitCode }, ...(reason && { reason }) }
  }
  if (error instanceof ServerUnreachable) {
    return { step: { status: 'failed', kind: 'server', message: error.message }, reason: 'server_unreachable' }
  }
  if (error instanceof ConnectionLost) {
    return { step: { status: 'failed', kind: 'server', message: error.message }, reason: 'interrupted' }
  }
  if (error instanceof CommandStopped && error.reason === 'timed_out') {
    const message = 'The server took too long to answer. See whether it is overloaded, or whether Docker hangs there'
    return { step: { status: 'failed', kind: 'server', message } }
  }
  if (error instanceof HaproxyFailed) return { step: { status: 'failed', kind: 'server', message: error.message } }
  if (error instanceof RepositoryConfigFault || error instanceof SourceError || error instanceof UnreadableCompose) {
    return { step: { status: 'failed', kind: 'check', message: error.message } }
  }
  log.error({ err: maskError(error, mask) }, 'a step failed in the platform')
  if (isDiskFull(error)) {
    const message =
      'A disk of the platform itself is full. Its administrator has to free some space in the data folder or the ' +
      'database. Then deploy again'
    return { step: { status: 'failed', kind: 'check', message } }
  }
  const words = error instanceof Error ? error.name : 'an error'
  return {
    step: {
      status: 'failed',
      kind: 'check',
      message: `The platform itself failed here (${words}). Its log has the details`,
    },
  }
}
