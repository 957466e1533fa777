// Finds the platform that a command talks to, and the token for it.
import { NotSignedIn, UsageError } from '../command-error.ts'
import type { Context } from '../context.ts'
import { findLink } from '../target/find-link.ts'
import { plainText } from '../terminal/sanitize.ts'
import { readCredentials, type SignIn } from './credentials-file.ts'
import { isSamePlatform, readInstance } from './instance.ts'
import { useRefreshToken } from './use-refresh-token.ts'

export type Access = {
  /** A token from the environment, or a sign-in of this machine. */
  readonly kind: 'token' | 'sign-in'
  readonly instance: string
  /** A valid token; called before each request. */
  token(): Promise<string>
  /** Called after the platform refused a token: another one, or undefined. */
  tokenAfter(refused: string): Promise<string | undefined>
}

type AccessContext = Pick<Context, 'config' | 'flags' | 'folder'>

export async function findAccess(ctx: AccessContext): Promise<Access> {
  const { token } = ctx.config
  return token === undefined || isForAnother(ctx) ? accessBySignIn(ctx) : accessByToken(ctx, token)
}

/** SHIPWAY_TOKEN belongs to SHIPWAY_URL. A platform that --url names instead must not receive it. */
function isForAnother({ config, flags }: AccessContext): boolean {
  if (config.url === undefined || flags.url === undefined) return false
  return !isSamePlatform(readInstance(config.url), new URL(readInstance(flags.url)))
}

/** A token needs its address from the user: with one from a repository's file, the repository would choose who gets the token. */
function accessByToken({ config, flags }: AccessContext, token: string): Access {
  const address = flags.url ?? config.url
  if (address === undefined) {
    throw UsageError(
      'SHIPWAY_TOKEN is set, but SHIPWAY_URL is not',
      'Set SHIPWAY_URL to the platform that the token is for',
    )
  }
  // The contents are not repeated: they may be a part of the token.
  if (!/^[\x21-\x7e]+$/.test(token)) {
    throw NotSignedIn('SHIPWAY_TOKEN has a space, a line break or another character that no token has', RENEW_TOKEN)
  }
  const instance = readInstance(address)
  return { kind: 'token', instance, token: async () => token, tokenAfter: async () => undefined }
}

export const RENEW_TOKEN = 'Set it to a personal token from the dashboard, or unset it and sign in: shipway login'

async function accessBySignIn(ctx: AccessContext): Promise<Access> {
  const file = ctx.config.credentialsFile
  const found = await findInstance(ctx)
  if (found === undefined)
    throw NotSignedIn('You are not signed in', 'Sign in first: shipway login https://ship.example.com')
  const { instance } = found
  const notForIt = ctx.config.token === undefined ? '' : '. SHIPWAY_TOKEN is for SHIPWAY_URL, so it was not sent'
  const read = async () => {
    const signIn = (await readCredentials(file)).instances[instance]
    if (!signIn) throw NotSignedIn(`You are not signed in to ${new URL(instance).host}${notForIt}`, howToSignIn(found))
    return signIn
  }
  await read()
  return {
    kind: 'sign-in',
    instance,
    token: async () => {
      const signIn = await read()
      const isGood = signIn.expires_at - MARGIN_MS > Date.now()
      return (isGood ? signIn : await renewSignIn(file, instance, signIn.access_token)).access_token
    },
    tokenAfter: async (refused) => (await renewSignIn(file, instance, refused)).access_token,
  }
}

/** A token could expire on its way to the platform. */
const MARGIN_MS = 30_000

/** `spent` is the access token that no longer works. */
const renewSignIn = (file: string, instance: string, spent: string): Promise<SignIn> =>
  useRefreshToken(file, {
    instance,
    isDone: (signIn) => signIn.access_token !== spent,
    keep: (_before, answer) => answer,
  })

export type FoundInstance = {
  readonly instance: string
  /** The link file that names it. It comes with the repository, so it must not decide whom to trust. */
  readonly linkFile: string | undefined
}

/** In this order: the flag, SHIPWAY_URL, the link of the folder, the last sign-in. */
export async function findInstance({ config, flags, folder }: AccessContext): Promise<FoundInstance | undefined> {
  const given = flags.url ?? config.url
  if (given !== undefined) return { instance: readInstance(given), linkFile: undefined }
  const link = await findLink({ config, flags, folder })
  if (link?.url !== undefined)
    return { instance: readInstance(link.url), linkFile: link.by === 'user' ? undefined : link.file }
  const { current } = await readCredentials(config.credentialsFile)
  return current === undefined ? undefined : { instance: current, linkFile: undefined }
}

/** Never suggests a command with an address from a link file: pasted, it would count as the user's own choice. */
const howToSignIn = ({ instance, linkFile }: FoundInstance): string =>
  linkFile === undefined
    ? `Sign in first: shipway login ${instance}`
    : `${plainText(linkFile)} names it. If it is your platform, sign in first: shipway login`
