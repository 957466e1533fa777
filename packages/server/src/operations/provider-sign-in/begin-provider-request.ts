// Begins a sign-in with the provider: an address for the browser, and a token for its cookie that the answer has to come back with.
import { localPath } from '@shipway/api/values/local-path'
import type { Context } from '../../context.ts'
import { ProviderOff } from '../../domain/people/sign-in-errors.ts'
import type { Secret } from '../../secrets/secret.ts'
import { newProviderToken, providerSecretsOf } from '../../secrets/sign-in/provider-token.ts'
import type { SignInProvider } from '../../sign-in-provider/sign-in-provider.ts'
import type { Change } from '../../store/change.ts'
import { insertProviderRequest } from '../../store/credentials/provider-requests.ts'

const PROVIDER_REQUEST_MS = 10 * 60_000

export type BegunRequest = { readonly url: string; readonly token: Secret; readonly maxAgeSeconds: number }

type Purpose = {
  /** The user who links the provider; null for a sign-in. */
  readonly userId: number | null
  /** Any text; only a path of the dashboard is kept. */
  readonly next: string | undefined
}

/** `keep` stores the request in a change. The provider is asked before the transaction, since it may be slow. */
export async function beginProviderRequest(
  ctx: Context,
  { userId, next }: Purpose,
  keep: (write: (tx: Change) => Promise<void>) => Promise<void>,
): Promise<BegunRequest> {
  const { token, digest } = newProviderToken()
  const url = await demandProvider(ctx).begin(providerSecretsOf(token.reveal()))
  const now = ctx.clock()
  const request = {
    token_digest: digest,
    user_id: userId,
    // Without the fragment, which holds the tokens of links: those are stored nowhere.
    next: localPath(next).replace(/#.*/, ''),
    expires_at: now + PROVIDER_REQUEST_MS,
  }
  await keep((tx) => insertProviderRequest(tx, request, now))
  return { url, token, maxAgeSeconds: PROVIDER_REQUEST_MS / 1000 }
}

export function demandProvider({ signInProvider }: Context): SignInProvider {
  if (!signInProvider) throw ProviderOff()
  return signInProvider
}
