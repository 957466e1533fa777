// Compares the state of servers, certificates and backups with the open alerts: raises new ones, ends those that are over.
import type { Context } from '../../context.ts'
import { type AlertVerdict, judgeCertificate, judgeDisk, judgeReach } from '../../domain/alerts.ts'
import { PLATFORM } from '../../domain/people/actor.ts'
import { deleteAlert, listAlerts, listEndingCertificates, type OpenAlert } from '../../store/alerts/alerts.ts'
import { listServerHealth, type ServerHealth } from '../../store/alerts/server-health.ts'
import { findLastBackup } from '../../store/backup/last-backup.ts'
import { type Alert, endAlert, raiseAlert } from './raise-alert.ts'

const LONGEST_WARNING_MS = 14 * 86_400_000
const MEBIBYTE = 1024 * 1024

type Finding = { readonly alert: Alert; readonly verdict: AlertVerdict }

export async function compareAlerts(ctx: Context): Promise<void> {
  const openAlerts = new Map((await listAlerts(ctx.db)).map((alert) => [keyOf(alert), alert]))
  const findings = [...(await findServers(ctx)), ...(await findCertificates(ctx)), ...(await findBackup(ctx))]
  for (const { alert, verdict } of findings) {
    const isOpen = openAlerts.delete(keyOf(alert))
    if (verdict === 'wrong' && !isOpen) await raiseAlert(ctx, alert)
    if (verdict === 'fine' && isOpen) await endAlert(ctx, alert)
  }
  // Their subject was deleted, so nobody needs a mail.
  for (const alert of openAlerts.values()) await ctx.change(PLATFORM, (tx) => deleteAlert(tx, alert))
}

const keyOf = ({ kind, targetId }: Pick<OpenAlert, 'kind' | 'targetId'>): string => `${kind} ${targetId}`

async function findServers(ctx: Context): Promise<readonly Finding[]> {
  return (await listServerHealth(ctx.db)).flatMap((server) => [reachOf(ctx, server), ...diskOf(ctx, server)])
}

function reachOf(ctx: Context, { id, name, organizationId, outOfReachSince }: ServerHealth): Finding {
  const page = `/organizations/${organizationId}/servers`
  const since = outOfReachSince ?? ctx.clock()
  return {
    alert: { kind: 'server_unreachable', targetId: id, organizationId, page, server: name, since },
    verdict: judgeReach(outOfReachSince, ctx.clock()),
  }
}

/** The disk of an unreachable server is unknown. */
function diskOf(ctx: Context, { id, name, organizationId, outOfReachSince, disk }: ServerHealth): readonly Finding[] {
  if (!disk) return []
  const page = `/organizations/${organizationId}/servers`
  const verdict = judgeDisk(disk, ctx.config.leastDiskMebibytes * MEBIBYTE)
  return [
    {
      alert: { kind: 'disk_low', targetId: id, organizationId, page, server: name, ...disk },
      verdict: outOfReachSince === null ? verdict : 'between',
    },
  ]
}

async function findCertificates(ctx: Context): Promise<readonly Finding[]> {
  const now = ctx.clock()
  const certificates = await listEndingCertificates(ctx.db, now + LONGEST_WARNING_MS)
  return certificates.map(({ id, organizationId, projectId, project, domain, ...life }) => ({
    alert: {
      kind: 'certificate_ending',
      targetId: id,
      organizationId,
      project,
      domain,
      page: `/projects/${projectId}/settings`,
      until: life.notAfter,
    },
    verdict: judgeCertificate(life, now),
  }))
}

/** No verdict before the first backup attempt. */
async function findBackup(ctx: Context): Promise<readonly Finding[]> {
  const last = await findLastBackup(ctx.db)
  if (!last) return []
  const alert = {
    kind: 'backup_failed',
    targetId: 0,
    organizationId: null,
    page: '/admin',
    reason: last.failure ?? '',
  } as const
  return [{ alert, verdict: last.failure === null ? 'fine' : 'wrong' }]
}
