// `shipway login`: the device flow. The user approves it in a browser, on any machine.
import { setTimeout as pause } from 'node:timers/promises'
import { command } from '../command.ts'
import { CommandError, UsageError } from '../command-error.ts'
import type { Context } from '../context.ts'
import { type FoundInstance, findInstance } from '../credentials/access.ts'
import type { SignIn } from '../credentials/credentials-file.ts'
import { isUnencrypted, readInstance } from '../credentials/instance.ts'
import {
  type Device,
  isOauthUnreachable,
  OauthRefusal,
  requestDeviceTokens,
  revokeTokens,
  startDevice,
} from '../credentials/oauth.ts'
import { saveSignIn } from '../credentials/sign-ins.ts'
import { EXIT } from '../exit-code.ts'
import { openBrowser } from '../process.ts'
import { report, say } from '../report.ts'
import { askYesNo, canAsk } from '../terminal/ask.ts'
import { plainText } from '../terminal/sanitize.ts'

const SCOPES = 'read deploy vars:write ssh admin'

export const login = command({
  words: [{ name: '[address]', description: 'the platform, such as https://ship.example.com' }],
  flags: { noBrowser: { description: 'do not open a browser' } },
  notes:
    'The sign-in is stored in $XDG_CONFIG_HOME/shipway/credentials.json, readable by you only. If only a .shipway file names the address, ' +
    'you are asked first. Without a terminal, such an address is refused.',
  examples: [
    ['shipway login https://ship.example.com', 'Sign in, and use this platform from now on'],
    ['shipway login', 'Sign in again to the last platform'],
  ],
  run: async (ctx, { words: [address], flags }) => {
    const found =
      address === undefined ? await findInstance(ctx) : { instance: readInstance(address), linkFile: undefined }
    if (found === undefined)
      throw UsageError('Which platform?', 'Give its address: shipway login https://ship.example.com')
    const { instance, linkFile } = found
    if (linkFile !== undefined) await confirmInstance(ctx, { instance, linkFile })
    if (isUnencrypted(instance)) say(ctx, `${instance} is not encrypted: others on the network can read the traffic.`)
    const device = await startDevice(instance, SCOPES, ctx.signal)
    await showCode(ctx, device, { isBrowserWanted: !flags.noBrowser })
    const signIn = await waitForApproval(ctx, instance, device)
    await keep(ctx, instance, signIn)
    await greet(ctx, instance)
    return EXIT.done
  },
})

type Linked = FoundInstance & { readonly linkFile: string }

/** Asks before a sign-in to an address that only a link file names: the author of the repository could capture the account. */
async function confirmInstance(ctx: Context, { instance, linkFile }: Linked): Promise<void> {
  const named = `Only the file ${plainText(linkFile)} names ${instance}`
  if (!canAsk(ctx)) {
    throw UsageError(named, 'If it is your platform, pass its address yourself: --url ADDRESS or SHIPWAY_URL')
  }
  const isConfirmed = await askYesNo(ctx, `${named}. Sign in there?`)
  if (!isConfirmed) throw new CommandError('You were not signed in', { code: 'not_confirmed' })
}

async function showCode(
  ctx: Context,
  device: Device,
  { isBrowserWanted }: { isBrowserWanted: boolean },
): Promise<void> {
  // Printed with --json too: without it the user could not sign in.
  const print = (line: string) => ctx.err.print(line)
  // The page for the code names the same origin.
  print(`Signing in to ${device.verification_uri.origin}`)
  print(`Open ${device.verification_uri.href} and enter\n\n    ${device.user_code}\n`)
  const isAtDesk = isBrowserWanted && ctx.config.hasDesktop && ctx.err.isTerminal
  if (isAtDesk && (await openBrowser(device.verification_uri_complete))) print('Opened in your browser.')
  print(`Waiting … (the code is good for ${Math.round(device.expires_in / 60)} minutes)`)
}

async function waitForApproval(ctx: Context, instance: string, device: Device): Promise<SignIn> {
  const end = Date.now() + device.expires_in * 1000
  let seconds = device.interval
  while (Date.now() < end) {
    await pause(seconds * 1000, undefined, { signal: ctx.signal })
    try {
      return await requestDeviceTokens(instance, device, ctx.signal)
    } catch (error) {
      seconds += pauseAfter(error)
    }
  }
  throw SignInFailed('The sign-in was not approved in time')
}

/** How many seconds to add to the polling interval; throws if the answer is final. */
function pauseAfter(error: unknown): number {
  if (isOauthUnreachable(error)) return 0
  if (!(error instanceof OauthRefusal)) throw error
  if (error.error === 'authorization_pending' || error.error === 'temporarily_unavailable') return 0
  if (error.error === 'slow_down') return 5
  if (error.error === 'access_denied') throw SignInFailed('The sign-in was refused in the browser')
  if (error.error === 'expired_token') throw SignInFailed('The sign-in was not approved in time')
  throw SignInFailed(`The sign-in failed: ${error.message}`)
}

const SignInFailed = (message: string): CommandError =>
  new CommandError(message, { code: 'sign_in_failed', exitCode: EXIT.signIn, advice: ['Try again: shipway login'] })

async function keep(ctx: Context, instance: string, signIn: SignIn): Promise<void> {
  const before = await saveSignIn(ctx.config.credentialsFile, instance, signIn)
  if (!before) return
  try {
    await revokeTokens(instance, before)
  } catch {
    say(ctx, 'The previous sign-in could not be revoked; it expires by itself.')
  }
}

async function greet(ctx: Context, instance: string): Promise<void> {
  const client = await (await import('../http/open-client.ts')).openClient({
    ...ctx,
    config: { ...ctx.config, token: undefined, organization: undefined },
    flags: { url: instance },
  })
  const me = await client.getMe()
  const names = me.organizations.map(({ name }) => plainText(name))
  const organizations =
    names.length === 0
      ? 'in no organization yet'
      : `${names.length === 1 ? 'organization' : 'organizations'} ${names.join(', ')}`
  say(ctx, `Signed in to ${new URL(instance).host}, ${organizations}.`)
  if (ctx.config.token !== undefined) say(ctx, 'SHIPWAY_TOKEN is set and takes precedence over this sign-in.')
  report(
    ctx,
    { url: instance, user: { id: me.id, name: me.name, email: me.email }, organizations: me.organizations },
    () => [],
  )
}
