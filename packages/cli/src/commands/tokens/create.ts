// `shipway tokens create`: creates a personal token, and prints it once.
import type { Scope } from '@shipway/api'
import { command } from '../../command.ts'
import { EXIT } from '../../exit-code.ts'
import { findOrganization } from '../../http/find-organization.ts'
import { report, say } from '../../report.ts'
import { readChoice, readNumber } from '../../settings.ts'
import { plainText } from '../../terminal/sanitize.ts'
import { fromNow } from '../../terminal/times.ts'

const SCOPES = ['read', 'deploy', 'vars:write', 'ssh', 'admin'] as const satisfies readonly Scope[]

export const tokensCreate = command({
  words: [{ name: 'name', description: 'what it is for, such as CI' }],
  flags: {
    scope: {
      value: 'scope',
      isRepeatable: true,
      choices: SCOPES,
      description: 'what it allows; can be repeated (default: read)',
    },
    days: { value: 'days', description: 'how long it is valid, at most 366 (default: 90)' },
  },
  notes: 'With --org, the token is bound to that organization. Only the token is printed on standard output.',
  examples: [
    ['shipway tokens create CI --scope deploy --scope read', 'For deployments from CI'],
    [
      'shipway tokens create CI --scope deploy --scope read | gh secret set SHIPWAY_TOKEN',
      'Pass it on without showing it',
    ],
  ],
  run: async (ctx, { words: [name = ''], flags }) => {
    const client = await ctx.client()
    const days = readNumber('--days', flags.days)
    const organization = await findOrganization(ctx, client)
    const scopes = flags.scope.flatMap((each) => readChoice(SCOPES, each) ?? [])
    const token = await client.createToken({
      body: {
        name,
        scopes: scopes.length === 0 ? ['read'] : [...new Set(scopes)],
        ...(days !== undefined && { expires_in_days: days }),
        ...(organization !== undefined && { organization_id: organization }),
      },
    })
    say(
      ctx,
      `${plainText(token.name)} (${token.id}) for ${token.scopes.join(', ')}; expires ${fromNow(token.expires_at)}`,
    )
    report(ctx, token, () => [plainText(token.token)])
    say(ctx, 'It is shown only once.')
    return EXIT.done
  },
})
