// The rule about backups of the platform: for platform administrators, and for the organizations that they run.
import type { AlertVerdict } from '../../../domain/alerts.ts'
import { listPlatformOrganizations } from '../../../store/alerts/alerts.ts'
import { findLastBackup } from '../../../store/backup/last-backup.ts'
import type { Find } from '../finding.ts'

/** No verdict before the first backup attempt. */
export const findBackup: Find = async (ctx) => {
  const last = await findLastBackup(ctx.db)
  if (!last) return []
  const verdict: AlertVerdict = last.failure === null ? 'fine' : 'wrong'
  const about = { rule: 'backup_failed', page: '/admin', reason: last.failure ?? '' } as const
  const organizations = await listPlatformOrganizations(ctx.db)
  return [
    { alert: { ...about, targetId: 0, organizationId: null, isMailed: true }, verdict },
    ...organizations.map((id) => ({
      alert: { ...about, targetId: id, organizationId: id, isMailed: false },
      verdict,
    })),
  ]
}
