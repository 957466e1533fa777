// What the records of the OAuth server need to know of the request that is being answered: the library does not hand it on.
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Origin } from '../../domain/people/actor.ts'

export type OauthEndpoint = 'device_authorization' | 'token' | 'revocation'

type Call = {
  readonly endpoint: OauthEndpoint
  readonly origin: Origin
  /** Makes the request wait until every earlier one with the same code or token is answered. */
  waitForTurn(key: string): Promise<void>
}

const calls = new AsyncLocalStorage<Call>()

export function currentCall(): Call {
  const call = calls.getStore()
  if (!call) throw new Error('The records of the OAuth server were asked for outside of a request')
  return call
}

/**
 * One code or token is used by one request at a time. Without it a second request could find a token used and revoke its
 * grant while the first is still being given the next one.
 */
export function createCalls() {
  const last = new Map<string, Promise<void>>()
  return async (about: Pick<Call, 'endpoint' | 'origin'>, answer: () => Promise<void>): Promise<void> => {
    const { promise: isAnswered, resolve: end } = Promise.withResolvers<void>()
    const keys = new Set<string>()
    const waitForTurn = async (key: string): Promise<void> => {
      if (keys.has(key)) return
      keys.add(key)
      const before = last.get(key)
      last.set(key, isAnswered)
      await before
    }
    try {
      await calls.run({ ...about, waitForTurn }, answer)
    } finally {
      for (const key of keys) if (last.get(key) === isAnswered) last.delete(key)
      end()
    }
  }
}
