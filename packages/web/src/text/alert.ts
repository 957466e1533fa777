// Names of alert rules, and their thresholds in words.
import type { Alert, AlertRule, AlertRuleSettings } from '@shipway/api'
import type { Appearance } from '../status/appearance.ts'

/** A rule of a newer release is shown by its name. */
export const describeRule = (rule: string): string =>
  Object.entries(RULES).find(([name]) => name === rule)?.[1] ?? rule.replaceAll('_', ' ')

const RULES: Readonly<Record<AlertRule, string>> = {
  server_unreachable: 'Server out of reach',
  disk_low: 'Disk almost full',
  disk_high: 'Disk fills up',
  certificate_ending: 'Certificate about to end',
  backup_failed: 'Backup failed',
  deployment_failed: 'Deployment failed',
  schedule_failed: 'Scheduled action failed',
  memory_high: 'Memory almost used up',
  restarts: 'Service restarts',
  oom_kill: 'Service ran out of memory',
}

/** What opens an alert; the threshold stands between the two parts where there is one. */
export const RULE_CONDITIONS: Readonly<Record<AlertRule, readonly [before: string, after: string]>> = {
  server_unreachable: ['The platform does not reach a server for', 'minutes'],
  disk_low: ['A server has too little disk space left to build images', ''],
  disk_high: ['A disk is more than', 'percent full'],
  certificate_ending: ['A certificate ends within', 'days and was not renewed'],
  backup_failed: ['The last backup of the platform failed; only in organizations of platform administrators', ''],
  deployment_failed: ['The last deployment of a watched environment failed', ''],
  schedule_failed: ['The last scheduled run of an action failed', ''],
  memory_high: ['A service uses more than', 'percent of its memory limit for ten minutes'],
  restarts: ['A service restarts', 'times or more within ten minutes'],
  oom_kill: ['A process of a service was killed because it ran out of memory', ''],
}

export function alertAppearance({ severity, resolved_at }: Pick<Alert, 'severity' | 'resolved_at'>): Appearance {
  if (resolved_at !== null) return { shape: 'ticked', label: 'Resolved', tone: 'quiet' }
  return severity === 'critical'
    ? { shape: 'octagon', label: 'Critical', tone: 'bad' }
    : { shape: 'triangle', label: 'Warning', tone: 'warn' }
}

/** Rules as the API takes them back. */
export const toChangedRule = ({ rule, enabled, threshold }: AlertRuleSettings) => ({
  rule,
  enabled,
  ...(threshold !== null && { threshold }),
})
