// Alerts, their rules and silences as JSON.
import { ALERT_RULES, thresholdOf } from '@shipway/api/oversight/alerts'
import type { RouteAnswer } from '@shipway/api/route'
import type { Routes } from '@shipway/api/routes'
import type { RuleSetting } from '../../store/alerts/alert-rules.ts'
import type { StoredAlert } from '../../store/alerts/alerts.ts'
import type { Silence } from '../../store/alerts/silences.ts'
import { presentTime } from './time.ts'

export function presentAlert(alert: StoredAlert): RouteAnswer<Routes['listAlerts']>[number] {
  return {
    id: alert.id,
    rule: alert.rule,
    subject: alert.subject,
    severity: alert.severity,
    message: alert.message,
    ...presentPart(alert),
    environment_id: alert.environmentId,
    page: alert.page,
    is_silenced: !alert.isNotified,
    opened_at: presentTime(alert.openedAt),
    resolved_at: presentTime(alert.resolvedAt),
  }
}

/** One column has both. */
function presentPart({ rule, service: part }: StoredAlert) {
  if (part === '') return { service: null, action: null }
  return rule === 'schedule_failed' ? { service: null, action: part } : { service: part, action: null }
}

export function presentAlertRule({
  rule,
  isEnabled,
  threshold,
}: RuleSetting): RouteAnswer<Routes['listAlertRules']>[number] {
  return {
    rule,
    severity: ALERT_RULES[rule].severity,
    enabled: isEnabled,
    threshold,
    unit: thresholdOf(rule)?.unit ?? null,
  }
}

export const presentSilence = (silence: Silence | undefined): RouteAnswer<Routes['getSilence']> => ({
  silenced: silence !== undefined,
  until: presentTime(silence?.until ?? null),
})
