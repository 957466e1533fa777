// Which platform a command speaks to, and with which token.
import { NotSignedIn, UsageError } from '../command-error.ts'
import type { Context } from '../context.ts'
import { findLink } from '../target/link-file.ts'
import { plainText } from '../terminal/sanitize.ts'
import { readCredentials } from './credentials-file.ts'
import { readInstance } from './instance.ts'
import { renewSignIn } from './renew-sign-in.ts'

export type Access = {
  /** A token that was handed in, or a sign-in of this machine. */
  readonly kind: 'token' | 'sign-in'
  readonly instance: string
  /** A token that holds for now; asked before each request. */
  token(): Promise<string>
  /** After the platform has refused a token: another one, or undefined where there is none to be had. */
  tokenAfter(refused: string): Promise<string | undefined>
}

type AccessContext = Pick<Context, 'config' | 'flags' | 'folder'>

export async function findAccess(ctx: AccessContext): Promise<Access> {
  const { token } = ctx.config
  return token === undefined ? accessBySignIn(ctx) : accessByToken(ctx, token)
}

/** The address of a token is told beside it. One from a repository's file would let the repository choose who gets the token. */
function accessByToken({ config, flags }: AccessContext, token: string): Access {
  const address = flags.url ?? config.url
  if (address === undefined) {
    throw UsageError(
      'SHIPWAY_TOKEN is set, but not for which platform',
      'Set SHIPWAY_URL too: the platform that the token is for',
    )
  }
  return { kind: 'token', instance: readInstance(address), token: async () => token, tokenAfter: async () => undefined }
}

async function accessBySignIn(ctx: AccessContext): Promise<Access> {
  const file = ctx.config.credentialsFile
  const found = await findInstance(ctx)
  if (found === undefined)
    throw NotSignedIn('You are not signed in', 'Sign in first: shipway login https://ship.example.com')
  const { instance } = found
  const read = async () => {
    const signIn = (await readCredentials(file)).instances[instance]
    if (!signIn) throw NotSignedIn(`You are not signed in to ${new URL(instance).host}`, howToSignIn(found))
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

/** A token that ends on its way there is no good either. */
const MARGIN_MS = 30_000

export type FoundInstance = {
  readonly instance: string
  /** The link file that names it. Whoever wrote the repository wrote that too, so it says nothing about who is to be trusted. */
  readonly linkFile: string | undefined
}

/** The first of these: the flag, SHIPWAY_URL, the link file of the repository, the last sign-in. */
export async function findInstance({ config, flags, folder }: AccessContext): Promise<FoundInstance | undefined> {
  const given = flags.url ?? config.url
  if (given !== undefined) return { instance: readInstance(given), linkFile: undefined }
  const link = await findLink(folder)
  if (link?.url !== undefined) return { instance: readInstance(link.url), linkFile: link.file }
  const { current } = await readCredentials(config.credentialsFile)
  return current === undefined ? undefined : { instance: current, linkFile: undefined }
}

/** A command with the address of a link file in it would be pasted, and then the address would count as the user's own. */
const howToSignIn = ({ instance, linkFile }: FoundInstance): string =>
  linkFile === undefined
    ? `Sign in first: shipway login ${instance}`
    : `${plainText(linkFile)} names it. Where you know it as your platform, sign in first: shipway login`
