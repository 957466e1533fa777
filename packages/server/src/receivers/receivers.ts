// Receivers of webhooks and channels. Sending a message returns an outcome, whatever the receiver does.
import { receiverHostOf } from '@shipway/api/values/receiver-url'
import { safeText } from '@shipway/rules/safe-text'
import { retryAfterMs } from '../domain/retry-after.ts'
import type { Resolve } from '../network/resolve-allowed.ts'
import { callReceiver } from './call-receiver.ts'
import { receiverSentence } from './receiver-fault.ts'
import { resolveReceiver } from './resolve-receiver.ts'

type SentMessage = {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

type SentOutcome = {
  /** Null if there was no response. */
  readonly status: number | null
  /** The beginning of the answer, safe to show. */
  readonly text: string | null
  readonly error: string | null
  readonly retryAfterMs: number
}

export type Receivers = { readonly send: (message: SentMessage, signal: AbortSignal) => Promise<SentOutcome> }

type ReceiversOptions = {
  readonly allowedNetworks: readonly string[]
  readonly clock: () => number
  /** For all of it: the name, the connection, the first line of the answer. */
  readonly timeoutMs?: number
  readonly resolve?: Resolve
}

const TIMEOUT_MS = 15_000

export const TELEGRAM_API = 'https://api.telegram.org'

/** Rejects only where `signal` ends it. */
export function createReceivers({
  allowedNetworks,
  clock,
  timeoutMs = TIMEOUT_MS,
  resolve,
}: ReceiversOptions): Receivers {
  return {
    send: async ({ url, headers, body }, signal) => {
      const timeout = AbortSignal.timeout(timeoutMs)
      const either = AbortSignal.any([timeout, signal])
      try {
        const addresses = await resolveReceiver(receiverHostOf(url), { allowedNetworks, signal: either, resolve })
        either.throwIfAborted()
        const { status, bytes, retryAfter } = await callReceiver({
          url: new URL(url),
          addresses,
          body,
          signal: either,
          headers: { 'content-type': 'application/json', ...headers, 'user-agent': 'shipway' },
        })
        const text = safeText(bytes.toString())
        return { status, text, error: refusalOf(status), retryAfterMs: retryAfterMs(retryAfter, clock()) }
      } catch (error) {
        signal.throwIfAborted()
        const late = `The receiver did not answer within ${timeoutMs / 1000} seconds`
        return { status: null, text: null, error: timeout.aborted ? late : receiverSentence(error), retryAfterMs: 0 }
      }
    },
  }
}

function refusalOf(status: number): string | null {
  if (status >= 200 && status <= 299) return null
  if (status >= 300 && status <= 399)
    return `The receiver answered ${status}. Redirects are not followed: give the address that it leads to`
  return `The receiver answered ${status}`
}
