// Calls a git host with a token, and once more with another one if the git host refuses the first and there is a way to another.
import type { Secret } from '../../secrets/secret.ts'
import { HostRefused } from './call-host.ts'

export type RenewableToken = {
  readonly token: Secret
  /** Returns another token in place of one that the git host refused; undefined where the token is a fixed one. */
  readonly renew?: ((refused: Secret) => Promise<Secret>) | undefined
}

export const askWithToken = <Answer>(
  { token, renew }: RenewableToken,
  ask: (token: Secret) => Promise<Answer>,
): Promise<Answer> =>
  ask(token).catch(async (error: unknown) => {
    if (!renew || !(error instanceof HostRefused) || error.status !== 401) throw error
    return ask(await renew(token))
  })
