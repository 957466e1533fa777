// Which platform a command speaks to, and with which token.
import { NotSignedIn, UsageFault } from '../command-error.ts'
import type { Context } from '../context.ts'
import { findLink } from '../target/link-file.ts'
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

type Where = Pick<Context, 'config' | 'flags' | 'folder'>

export async function findAccess(ctx: Where): Promise<Access> {
  const { token } = ctx.config
  return token === undefined ? accessOfSignIn(ctx) : accessOfToken(ctx, token)
}

/** The address of a token is told beside it. One from a repository's file would let the repository choose who gets the token. */
function accessOfToken({ config, flags }: Where, token: string): Access {
  const address = flags.url ?? config.url
  if (address === undefined) {
    throw UsageFault(
      'SHIPWAY_TOKEN is set, but not for which platform',
      'Set SHIPWAY_URL too: the platform that the token is for',
    )
  }
  return { kind: 'token', instance: readInstance(address), token: async () => token, tokenAfter: async () => undefined }
}

async function accessOfSignIn(ctx: Where): Promise<Access> {
  const file = ctx.config.credentialsFile
  const instance = await findInstance(ctx)
  if (instance === undefined)
    throw NotSignedIn('You are not signed in', 'Sign in first: shipway login https://ship.example.com')
  const read = async () => {
    const signIn = (await readCredentials(file)).instances[instance]
    if (!signIn)
      throw NotSignedIn(
        `You are not signed in to ${new URL(instance).host}`,
        `Sign in first: shipway login ${instance}`,
      )
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

/** The first of these: the flag, SHIPWAY_URL, the link file of the repository, the last sign-in. */
export async function findInstance({ config, flags, folder }: Where): Promise<string | undefined> {
  const told = flags.url ?? config.url ?? (await findLink(folder))?.url
  return told === undefined ? (await readCredentials(config.credentialsFile)).current : readInstance(told)
}
