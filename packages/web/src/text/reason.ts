// Why a task ended without success, where no step of it tells, in few words.
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
