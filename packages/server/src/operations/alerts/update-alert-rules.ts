// Turns rules of an organization off and on, and changes their thresholds.
import { type ChangedRules, thresholdOf } from '@shipway/api/oversight/alerts'
import type { Context } from '../../context.ts'
import { InvalidField } from '../../domain/errors.ts'
import type { Actor } from '../../domain/people/actor.ts'
import { demand } from '../../domain/people/permissions.ts'
import { listAlertRules, type RuleSetting, replaceAlertRules } from '../../store/alerts/alert-rules.ts'
import { findOrganizationForUpdate } from '../people/find-organization-for-update.ts'

type ChangeOfRules = { readonly organizationId: number; readonly rules: ChangedRules['rules'] }

export async function updateAlertRules(
  ctx: Context,
  actor: Actor,
  { organizationId, rules }: ChangeOfRules,
): Promise<readonly RuleSetting[]> {
  return ctx.change(actor, async (tx) => {
    const { organization, actor: current } = await findOrganizationForUpdate(tx, actor, organizationId)
    demand(current, 'administer', organizationId)
    if (new Set(rules.map(({ rule }) => rule)).size < rules.length)
      throw InvalidField('/rules', 'duplicate', 'Name each rule once')
    await replaceAlertRules(tx, organizationId, rules.map(readRule))
    await tx.audit({
      organizationId,
      action: 'organization.alert_rules_changed',
      target: { kind: 'organization', id: organizationId, name: organization.name },
      fields: rules.map(({ rule }) => rule),
    })
    return listAlertRules(tx, organizationId)
  })
}

function readRule({ rule, enabled, threshold }: ChangedRules['rules'][number], index: number): RuleSetting {
  const bounds = thresholdOf(rule)
  const pointer = `/rules/${index}/threshold`
  if (threshold !== undefined && bounds === null)
    throw InvalidField(pointer, 'not_used', `The rule ${rule} has no threshold`)
  if (threshold !== undefined && bounds !== null && (threshold < bounds.least || threshold > bounds.most))
    throw InvalidField(pointer, 'out_of_range', `Give ${bounds.least} to ${bounds.most} ${bounds.unit} for ${rule}`)
  return { rule, isEnabled: enabled, threshold: threshold ?? null }
}
