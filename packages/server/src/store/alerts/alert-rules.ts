// Rows of alert_rules: where an organization differs from the defaults of a rule.
import { ALERT_RULES, type AlertRule, thresholdOf } from '@shipway/api/oversight/alerts'
import type { Kysely } from 'kysely'
import type { Change } from '../change.ts'
import type { Tables } from '../tables/tables.ts'

export type RuleSetting = {
  readonly rule: AlertRule
  readonly isEnabled: boolean
  /** Null for a rule without a number. */
  readonly threshold: number | null
}

export type RuleSettings = { readonly of: (organizationId: number | null, rule: AlertRule) => RuleSetting }

export async function listAlertRules(db: Kysely<Tables>, organizationId: number): Promise<readonly RuleSetting[]> {
  const settings = await readRuleSettings(db, organizationId)
  return Object.keys(ALERT_RULES)
    .filter((rule): rule is AlertRule => rule in ALERT_RULES)
    .map((rule) => settings.of(organizationId, rule))
}

/** Of one organization, or of all. */
export async function readRuleSettings(db: Kysely<Tables>, organizationId?: number): Promise<RuleSettings> {
  const rows = await db
    .selectFrom('alert_rules')
    .$if(organizationId !== undefined, (query) => query.where('organization_id', '=', organizationId ?? 0))
    .selectAll()
    .execute()
  const changed = new Map(rows.map((row) => [`${row.organization_id} ${row.rule}`, row]))
  return {
    of: (id, rule) => {
      const row = changed.get(`${id} ${rule}`)
      const standard = thresholdOf(rule)?.standard ?? null
      return { rule, isEnabled: row?.is_enabled !== 0, threshold: row?.threshold ?? standard }
    },
  }
}

/** Rules that are not named get their defaults. */
export async function replaceAlertRules(
  tx: Change,
  organizationId: number,
  rules: readonly RuleSetting[],
): Promise<void> {
  await tx.deleteFrom('alert_rules').where('organization_id', '=', organizationId).execute()
  if (rules.length > 0) {
    await tx
      .insertInto('alert_rules')
      .values(
        rules.map(({ rule, isEnabled, threshold }) => ({
          organization_id: organizationId,
          rule,
          is_enabled: isEnabled ? (1 as const) : (0 as const),
          threshold,
        })),
      )
      .execute()
  }
  tx.notify({ about: 'organization', id: organizationId, how: 'updated' })
}
