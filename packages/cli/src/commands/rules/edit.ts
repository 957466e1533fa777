// `shipway rules edit`: turns a rule for alerts off and on, or changes its threshold.
import { command } from '../../command.ts'
import { UsageError } from '../../command-error.ts'
import { EXIT } from '../../exit-code.ts'
import { nearest } from '../../nearest.ts'
import { report } from '../../report.ts'
import { changesOf, readNumber, readSwitch, switchFlag } from '../../settings.ts'
import { findOwnOrganization } from '../../target/find-own-organization.ts'
import { plainText } from '../../terminal/sanitize.ts'

export const rulesEdit = command({
  words: [{ name: 'rule', description: 'its name, as in shipway rules list' }],
  flags: {
    enabled: switchFlag('turn it on or off; a rule that is off ends its open alerts'),
    threshold: { value: 'number', description: 'from where on it opens an alert, in its own unit' },
  },
  examples: [
    ['shipway rules edit disk_high --threshold 90', 'From 90 percent on'],
    ['shipway rules edit deployment_failed --enabled off', 'No alerts for failed deployments'],
  ],
  run: async (ctx, { words: [wanted = ''], flags }) => {
    const changes = changesOf({
      enabled: readSwitch(flags.enabled),
      threshold: readNumber('--threshold', flags.threshold),
    })
    const client = await ctx.client()
    const params = { id: await findOwnOrganization(ctx, client) }
    const before = await client.listAlertRules({ params })
    if (!before.some(({ rule }) => rule === wanted)) {
      const known = before.map(({ rule }) => rule)
      const near = nearest(wanted, known)
      throw UsageError(
        `No rule is called ${plainText(wanted)}${near ? `. Did you mean ${near}?` : ''}`,
        known.join(', '),
      )
    }
    // A rule that is left out would get its default.
    const rules = before.map(({ rule, enabled, threshold }) => ({
      rule,
      enabled,
      ...(threshold !== null && { threshold }),
      ...(rule === wanted && changes),
    }))
    const after = await client.updateAlertRules({ params, body: { rules } })
    report(ctx, after, () => [`Changed ${wanted}`])
    return EXIT.done
  },
})
