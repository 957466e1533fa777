// Alerts of an organization: what is wrong now and what was, the rules that open them, and silences of environments.
import { z } from 'zod'
import { IdParams, PageQuery } from '../page.ts'
import { route } from '../route.ts'
import { Id, IdParam, Time } from '../values/ids.ts'

export const AlertSeverity = z.enum(['warning', 'critical'])
export type AlertSeverity = z.infer<typeof AlertSeverity>

type Threshold = {
  readonly unit: 'minutes' | 'percent' | 'days' | 'restarts'
  readonly standard: number
  readonly least: number
  readonly most: number
}

type RuleFacts = { readonly severity: AlertSeverity; readonly threshold: Threshold | null }

/** Every rule with its defaults. A rule has at most one number that an organization may change. */
export const ALERT_RULES = {
  server_unreachable: {
    severity: 'critical',
    threshold: { unit: 'minutes', standard: 5, least: 1, most: 1_440 },
  },
  disk_low: { severity: 'critical', threshold: null },
  disk_high: { severity: 'warning', threshold: { unit: 'percent', standard: 85, least: 50, most: 99 } },
  certificate_ending: { severity: 'warning', threshold: { unit: 'days', standard: 14, least: 1, most: 60 } },
  backup_failed: { severity: 'critical', threshold: null },
  deployment_failed: { severity: 'warning', threshold: null },
  schedule_failed: { severity: 'warning', threshold: null },
  memory_high: { severity: 'warning', threshold: { unit: 'percent', standard: 90, least: 50, most: 99 } },
  restarts: { severity: 'critical', threshold: { unit: 'restarts', standard: 3, least: 1, most: 100 } },
  oom_kill: { severity: 'critical', threshold: null },
} as const satisfies Record<string, RuleFacts>

export type AlertRule = keyof typeof ALERT_RULES
const RULE_NAMES = Object.keys(ALERT_RULES).filter((name): name is AlertRule => name in ALERT_RULES)
export const AlertRule = z.enum(RULE_NAMES)

export const thresholdOf = (rule: AlertRule): Threshold | null => ALERT_RULES[rule].threshold

export const Alert = z.object({
  id: Id,
  rule: AlertRule,
  subject: z.string().describe('What it is about, such as the name of a server'),
  severity: AlertSeverity,
  message: z.string(),
  service: z.string().nullable(),
  action: z.string().nullable(),
  environment_id: Id.nullable(),
  page: z.string().describe('A path of the dashboard'),
  is_silenced: z.boolean().describe('Opened while its environment was silenced: no channel got it'),
  opened_at: Time,
  resolved_at: Time.nullable(),
})
export type Alert = z.infer<typeof Alert>

export const AlertRuleSettings = z.object({
  rule: AlertRule,
  severity: AlertSeverity,
  enabled: z.boolean(),
  threshold: z.int().nullable(),
  unit: z.enum(['minutes', 'percent', 'days', 'restarts']).nullable(),
})
export type AlertRuleSettings = z.infer<typeof AlertRuleSettings>

const ChangedRule = z.strictObject({
  rule: AlertRule,
  enabled: z.boolean().default(true),
  threshold: z.int().optional(),
})
export const ChangedRules = z.strictObject({ rules: z.array(ChangedRule).max(RULE_NAMES.length) })
export type ChangedRules = z.infer<typeof ChangedRules>

export const Silence = z.object({
  silenced: z.boolean(),
  until: Time.nullable().describe('Null: until it is turned on again'),
})
export type Silence = z.infer<typeof Silence>

const ofEnvironment = { path: '/api/environments/{id}/silence', params: IdParams } as const

export const alertRoutes = {
  listAlerts: route({
    method: 'GET',
    path: '/api/organizations/{id}/alerts',
    summary: 'Alerts, newest first',
    description: 'The open ones, and resolved ones of the last 90 days, at most 1,000.',
    permission: 'read',
    scope: 'read',
    params: IdParams,
    query: PageQuery.extend({
      state: z.enum(['open', 'resolved']).optional(),
      severity: AlertSeverity.optional(),
      environment_id: IdParam.optional(),
    }),
    success: 200,
    answer: z.array(Alert),
  }),
  listAlertRules: route({
    method: 'GET',
    path: '/api/organizations/{id}/alert-rules',
    summary: 'What opens an alert in this organization',
    description: 'Every rule with its threshold.',
    permission: 'read',
    scope: 'read',
    params: IdParams,
    success: 200,
    answer: z.array(AlertRuleSettings),
  }),
  updateAlertRules: route({
    method: 'PUT',
    path: '/api/organizations/{id}/alert-rules',
    summary: 'Turn rules off and on, and change thresholds',
    description: 'A rule that is left out gets its default. A rule that is turned off ends its open alerts.',
    permission: 'administer',
    scope: 'admin',
    params: IdParams,
    body: ChangedRules,
    success: 200,
    answer: z.array(AlertRuleSettings),
  }),
  getSilence: route({
    method: 'GET',
    ...ofEnvironment,
    summary: 'Whether alerts of an environment are silenced',
    description: 'Silenced alerts are listed, and sent to no channel.',
    permission: 'read',
    scope: 'read',
    success: 200,
    answer: Silence,
  }),
  silenceEnvironment: route({
    method: 'PUT',
    ...ofEnvironment,
    summary: 'Silence the alerts of an environment',
    description: 'Until the time given, or until you turn them on again. An alert that is still open then is sent.',
    permission: 'deploy',
    scope: 'deploy',
    body: z.strictObject({ until: Time.nullable().optional() }),
    success: 200,
    answer: Silence,
  }),
  unsilenceEnvironment: route({
    method: 'DELETE',
    ...ofEnvironment,
    summary: 'Turn the alerts of an environment on again',
    description: 'Has no effect where they are on.',
    permission: 'deploy',
    scope: 'deploy',
    success: 204,
  }),
}
