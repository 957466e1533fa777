// Compares what the rules find with the open alerts: raises new ones, resolves those that are over.
import type { Context } from '../../context.ts'
import { readRuleSettings } from '../../store/alerts/alert-rules.ts'
import { type AlertKey, listOpenAlerts } from '../../store/alerts/alerts.ts'
import { listSilencedEnvironments } from '../../store/alerts/silences.ts'
import type { AlertSubject, Find } from './finding.ts'
import { dropAlert, endAlert, notifyOfAlert, raiseAlert } from './raise-alert.ts'
import { findBackup } from './rules/backups.ts'
import { findCertificates } from './rules/certificates.ts'
import { findDeployments } from './rules/deployments.ts'
import { findSchedules } from './rules/schedules.ts'
import { findServers } from './rules/servers.ts'
import { findServices } from './rules/services.ts'

const RULES: readonly Find[] = [findServers, findCertificates, findBackup, findDeployments, findSchedules, findServices]

export async function compareAlerts(ctx: Context): Promise<void> {
  const openAlerts = new Map((await listOpenAlerts(ctx.db)).map((alert) => [keyOf(alert), alert]))
  const settings = await readRuleSettings(ctx.db)
  const silenced = await listSilencedEnvironments(ctx.db, ctx.clock())
  for (const find of RULES) {
    for (const { alert, verdict } of await find(ctx, settings)) {
      if (!settings.of(alert.organizationId, alert.rule).isEnabled) continue
      const key = keyOfSubject(alert)
      const open = openAlerts.get(keyOf(key))
      openAlerts.delete(keyOf(key))
      const isSilenced = alert.environmentId !== undefined && silenced.has(alert.environmentId)
      if (verdict === 'wrong' && !open) await raiseAlert(ctx, { alert, key, isSilenced })
      if (verdict === 'wrong' && open && !open.isNotified && !isSilenced) await notifyOfAlert(ctx, { alert, open })
      if (verdict === 'fine' && open) await endAlert(ctx, { alert, open })
    }
  }
  for (const alert of openAlerts.values()) await dropAlert(ctx, alert)
}

const keyOf = ({ rule, targetId, service }: AlertKey): string => `${rule} ${targetId} ${service}`

const keyOfSubject = (alert: AlertSubject): AlertKey => ({
  rule: alert.rule,
  targetId: alert.targetId,
  service: 'service' in alert ? alert.service : 'action' in alert ? alert.action : '',
})
