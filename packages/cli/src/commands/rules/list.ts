// `shipway rules list`: what opens an alert in an organization.
import { command } from '../../command.ts'
import { EXIT } from '../../exit-code.ts'
import { report } from '../../report.ts'
import { findOwnOrganization } from '../../target/find-own-organization.ts'
import { tableLines } from '../../terminal/table.ts'

export const rulesList = command({
  flags: {},
  examples: [['shipway rules list', 'Every rule with its threshold']],
  run: async (ctx) => {
    const client = await ctx.client()
    const rules = await client.listAlertRules({ params: { id: await findOwnOrganization(ctx, client) } })
    report(ctx, rules, () => {
      const rows = rules.map(({ rule, severity, enabled, threshold, unit }) => [
        rule,
        severity,
        threshold === null ? '' : `${threshold} ${unit ?? ''}`,
        enabled ? 'on' : 'off',
      ])
      return tableLines({ head: ['RULE', 'SEVERITY', 'FROM', 'STATE'], rows }, ctx.out.size()?.columns)
    })
    return EXIT.done
  },
})
