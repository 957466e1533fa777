// Why a task ended as it did, where its steps do not tell. That a removal is an expiry is known from its beginning, and no end.
import type { TaskReason } from '@shipway/api/tasks'

export type EndReason = Exclude<TaskReason, 'expired'>
