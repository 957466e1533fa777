// Rules about services: memory, restarts and kills, from the samples of the last ten minutes.
import { memoryVerdict, restartsVerdict } from '../../../domain/alerts.ts'
import { listServiceWarnings, type ServiceWarning } from '../../../store/metrics/service-warnings.ts'
import type { Find, Finding } from '../finding.ts'

export const findServices: Find = async (ctx, settings) =>
  (await listServiceWarnings(ctx.db, ctx.clock())).flatMap((service) => {
    const thresholdOf = (rule: 'memory_high' | 'restarts'): number =>
      settings.of(service.organizationId, rule).threshold ?? 0
    return findingsOf(service, { memory: thresholdOf('memory_high'), restarts: thresholdOf('restarts') })
  })

type Thresholds = { readonly memory: number; readonly restarts: number }

function findingsOf(warning: ServiceWarning, thresholds: Thresholds): readonly Finding[] {
  const { organizationId, environmentId, project, environment, service, memoryPercent, restarts, oomKills } = warning
  const about = {
    targetId: environmentId,
    organizationId,
    environmentId,
    project,
    environment,
    service,
    page: `/environments/${environmentId}`,
    isMailed: false,
  }
  return [
    {
      alert: { ...about, rule: 'memory_high', percent: memoryPercent ?? 0 },
      verdict: memoryVerdict(memoryPercent, thresholds.memory),
    },
    { alert: { ...about, rule: 'restarts', count: restarts }, verdict: restartsVerdict(restarts, thresholds.restarts) },
    { alert: { ...about, rule: 'oom_kill' }, verdict: oomKills > 0 ? 'wrong' : 'fine' },
  ]
}
