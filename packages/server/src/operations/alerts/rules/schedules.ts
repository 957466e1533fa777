// The rule about schedules whose last run failed.
import { listScheduledOutcomes } from '../../../store/alerts/scheduled-outcomes.ts'
import type { Find } from '../finding.ts'

export const findSchedules: Find = async (ctx) =>
  (await listScheduledOutcomes(ctx.db)).map(({ taskId, hasFailed, ...schedule }) => ({
    alert: {
      rule: 'schedule_failed',
      ...schedule,
      targetId: schedule.environmentId,
      page: `/environments/${schedule.environmentId}/tasks/${taskId}`,
      isMailed: true,
    },
    verdict: hasFailed ? 'wrong' : 'fine',
  }))
