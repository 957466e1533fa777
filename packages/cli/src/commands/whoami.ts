// `shipway whoami`: who is signed in, where, and what the sign-in lets through.
import { command } from '../command.ts'
import { findAccess } from '../credentials/access.ts'
import { EXIT } from '../exit-code.ts'
import { report } from '../report.ts'
import { plainText } from '../terminal/sanitize.ts'
import { untilThen } from '../terminal/times.ts'

export const whoami = command({
  flags: {},
  examples: [
    ['shipway whoami', 'Who am I, and where'],
    ['shipway whoami --json', 'The same for a script'],
  ],
  run: async (ctx) => {
    const { instance } = await findAccess(ctx)
    const me = await (await ctx.client()).getMe()
    report(ctx, { url: instance, ...me }, () => [
      `${plainText(me.name)} <${plainText(me.email)}> on ${new URL(instance).host}`,
      ...me.organizations.map(({ id, name, role }) => `  ${role} of ${plainText(name)} (organization ${id})`),
      ...(me.token
        ? [`  ${KINDS[me.token.kind]} for ${me.token.scopes.join(', ')}, ${untilThen(me.token.expires_at)}`]
        : []),
    ])
    return EXIT.done
  },
})

const KINDS = { personal: 'personal token', oauth: 'sign-in' } as const
