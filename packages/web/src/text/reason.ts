// Why a task was canceled or failed outside of a step.
import type { TaskReason } from '@shipway/api'

const REASONS: Readonly<Record<TaskReason, string>> = {
  superseded: 'superseded by a newer deployment',
  canceled_by_user: 'canceled by a user',
  protected: 'the environment became protected',
  timed_out: 'timed out',
  server_unreachable: 'the server was unreachable',
  interrupted: 'the platform was interrupted',
  expired: 'nothing was deployed for too long',
}

export const describeReason = (reason: TaskReason): string => REASONS[reason]
