// `shipway logout`: revokes the sign-in on the platform and deletes it here.
import { command } from '../command.ts'
import { findInstance } from '../credentials/access.ts'
import { readInstance } from '../credentials/instance.ts'
import { revokeTokens } from '../credentials/oauth.ts'
import { deleteSignIn } from '../credentials/sign-ins.ts'
import { EXIT } from '../exit-code.ts'
import { report, say } from '../report.ts'

export const logout = command({
  words: [{ name: '[address]', description: 'the platform (default: the last sign-in)' }],
  flags: {},
  examples: [
    ['shipway logout', 'Sign out of the last platform'],
    ['shipway logout https://ship.example.com', 'Sign out of that platform'],
  ],
  run: async (ctx, { words: [address] }) => {
    const instance = address === undefined ? (await findInstance(ctx))?.instance : readInstance(address)
    const signIn = instance && (await deleteSignIn(ctx.config.credentialsFile, instance))
    if (instance === undefined || !signIn) {
      say(
        ctx,
        instance === undefined ? 'You are not signed in.' : `You are not signed in to ${new URL(instance).host}.`,
      )
      report(ctx, { url: instance ?? null, signed_out: false }, () => [])
      return EXIT.done
    }
    const isEnded = await revokeTokens(instance, signIn).then(
      () => true,
      () => false,
    )
    say(ctx, `Signed out of ${new URL(instance).host}.`)
    if (!isEnded) say(ctx, 'The platform could not be reached; the sign-in expires there within 30 days.')
    if (ctx.config.token !== undefined) say(ctx, 'SHIPWAY_TOKEN is still set, and commands use it.')
    report(ctx, { url: instance, signed_out: true, ended_on_platform: isEnded }, () => [])
    return EXIT.done
  },
})
