// Why a task was canceled or failed outside of a step.
import type { TaskReason } from '@shipway/api'

const REASONS: Readonly<Record<TaskReason, string>> = {
  superseded: 'superseded by a newer one',
  canceled_by_user: 'canceled by hand',
  protected: 'the environment became protected',
  timed_out: 'it took too long',
  server_unreachable: 'the server could not be reached',
  interrupted: 'the platform was interrupted',
  expired: 'nothing was deployed for long',
}

export const describeReason = (reason: TaskReason): string => REASONS[reason]
