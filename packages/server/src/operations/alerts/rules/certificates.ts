// The rule about certificates that end soon.
import { thresholdOf } from '@shipway/api/oversight/alerts'
import { certificateVerdict } from '../../../domain/alerts.ts'
import { listEndingCertificates } from '../../../store/alerts/ending-certificates.ts'
import type { Find } from '../finding.ts'

const DAY_MS = 86_400_000

export const findCertificates: Find = async (ctx, settings) => {
  const now = ctx.clock()
  const longestMs = (thresholdOf('certificate_ending')?.most ?? 0) * DAY_MS
  const certificates = await listEndingCertificates(ctx.db, now + longestMs)
  return certificates.map(({ id, organizationId, projectId, project, domain, ...life }) => ({
    alert: {
      rule: 'certificate_ending',
      targetId: id,
      organizationId,
      project,
      domain,
      page: `/projects/${projectId}/settings`,
      until: life.notAfter,
      isMailed: true,
    },
    verdict: certificateVerdict(life, settings.of(organizationId, 'certificate_ending').threshold ?? 0, now),
  }))
}
