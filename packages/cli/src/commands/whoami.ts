// `shipway whoami`: the signed-in user, the platform, and the scopes of the token.
import type { Me } from '@shipway/api'
import { command } from '../command.ts'
import { findAccess } from '../credentials/access.ts'
import { EXIT } from '../exit-code.ts'
import { report } from '../report.ts'
import { plainText } from '../terminal/sanitize.ts'
import { fromNow } from '../terminal/times.ts'

export const whoami = command({
  flags: {},
  examples: [
    ['shipway whoami', 'Show your account and platform'],
    ['shipway whoami --json', 'The same for a script'],
  ],
  run: async (ctx) => {
    const { instance } = await findAccess(ctx)
    const me = await (await ctx.client()).getMe()
    report(ctx, { url: instance, ...me }, () => [
      `${plainText(me.name)} <${plainText(me.email)}> on ${new URL(instance).host}`,
      ...me.organizations.map(({ id, name, role }) => `  ${role} of ${plainText(name)} (organization ${id})`),
      ...lockedLines(me),
      ...(me.token ? [`  ${tokenLine(me.token)}`] : []),
    ])
    return EXIT.done
  },
})

/** The client renews its own sign-in, so when that expires is of no interest. */
const tokenLine = ({ kind, scopes, expires_at: end }: NonNullable<Me['token']>): string =>
  kind === 'oauth'
    ? `Signed in for ${scopes.join(', ')}; renews itself`
    : `Personal token for ${scopes.join(', ')}; expires ${fromNow(end)}`

const lockedLines = ({ needs_two_factor: needed }: Me): readonly string[] =>
  needed === null
    ? []
    : [
        ...needed.organizations.map(
          ({ name, role }) => `  ${role} of ${plainText(name)}: no access without two-factor codes`,
        ),
        '  Turn on two-factor codes in your profile, in a browser',
      ]
