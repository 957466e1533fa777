// Rules about servers: out of reach, and a disk that fills up.
import type { Context } from '../../../context.ts'
import { diskUseVerdict, diskVerdict, reachVerdict } from '../../../domain/alerts.ts'
import { listServerHealth, type ServerHealth } from '../../../store/alerts/server-health.ts'
import type { Find, Finding } from '../finding.ts'

const MEBIBYTE = 1024 * 1024

export const findServers: Find = async (ctx, settings) =>
  (await listServerHealth(ctx.db)).flatMap((server) => {
    const thresholdOf = (rule: 'server_unreachable' | 'disk_high'): number =>
      settings.of(server.organizationId, rule).threshold ?? 0
    return [reachOf(ctx, server, thresholdOf('server_unreachable')), ...disksOf(ctx, server, thresholdOf('disk_high'))]
  })

const pageOf = ({ organizationId }: ServerHealth): string => `/organizations/${organizationId}/servers`

function reachOf(ctx: Context, server: ServerHealth, minutes: number): Finding {
  const { id, name, organizationId, outOfReachSince } = server
  const since = outOfReachSince ?? ctx.clock()
  return {
    alert: {
      rule: 'server_unreachable',
      targetId: id,
      organizationId,
      page: pageOf(server),
      server: name,
      since,
      isMailed: true,
    },
    verdict: reachVerdict(outOfReachSince, minutes, ctx.clock()),
  }
}

/** The disk of an unreachable server is unknown. */
function disksOf(ctx: Context, server: ServerHealth, percent: number): readonly Finding[] {
  const { id, name, organizationId, outOfReachSince, disk } = server
  if (!disk) return []
  const about = { targetId: id, organizationId, page: pageOf(server), server: name, ...disk }
  const isKnown = outOfReachSince === null
  return [
    {
      alert: { rule: 'disk_low', ...about, isMailed: true },
      verdict: isKnown ? diskVerdict(disk, ctx.config.leastDiskMebibytes * MEBIBYTE) : 'between',
    },
    {
      alert: { rule: 'disk_high', ...about, isMailed: false },
      verdict: isKnown ? diskUseVerdict(disk, percent) : 'between',
    },
  ]
}
