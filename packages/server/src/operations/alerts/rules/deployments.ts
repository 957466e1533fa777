// The rule about watched environments whose last deployment failed. Watchers get mails of their own.
import { listWatchedOutcomes } from '../../../store/alerts/watched-outcomes.ts'
import type { Find } from '../finding.ts'

export const findDeployments: Find = async (ctx) =>
  (await listWatchedOutcomes(ctx.db)).map((outcome) => ({
    alert: {
      rule: 'deployment_failed',
      targetId: outcome.environmentId,
      organizationId: outcome.organizationId,
      environmentId: outcome.environmentId,
      project: outcome.project,
      environment: outcome.environment,
      step: outcome.failedStep,
      page: `/environments/${outcome.environmentId}/tasks/${outcome.taskId}`,
      isMailed: false,
    },
    verdict: outcome.hasFailed ? 'wrong' : 'fine',
  }))
