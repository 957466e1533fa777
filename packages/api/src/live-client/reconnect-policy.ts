// When to connect again after a connection has ended, and when not to any more.
import { ApiError, NoAnswer } from '../api-error.ts'
import type { ClientOptions } from '../client-request.ts'
import { pause } from '../pause.ts'
import { askWhy, ChannelRefused } from './ask-why.ts'
import type { Attempt } from './connect.ts'
import type { Ending } from './connection.ts'
import type { Pace } from './pace.ts'

type Until = { readonly pace: Pace; readonly ended: AbortSignal }

/** Before the first connection. After that, a reader learns that it is offline and may wait as long as it likes. */
const MOST_FAILURES = 15
const MOST_REFUSALS = 3

export class ReconnectPolicy {
  readonly #options: ClientOptions
  readonly #until: Until
  #wasOnline = false
  /** Since a connection lasted for a while. */
  #tries = 0
  #failures = 0
  #refusals = 0

  constructor(options: ClientOptions, until: Until) {
    this.#options = options
    this.#until = until
  }

  /** Returns when it is time to connect again; throws what waiting cannot mend. */
  async afterwards({ connection, complaint }: Attempt): Promise<void> {
    const { pace, ended } = this.#until
    const { ending = 'lost', lastedMs } = connection ?? {}
    this.#wasOnline ||= lastedMs !== undefined
    if (lastedMs !== undefined && lastedMs >= pace.steadyMs) {
      this.#tries = 0
      this.#refusals = 0
    }
    // A slow reader has read what it had: nothing failed.
    if (ending === 'slow') this.#tries = 0
    let isRefused = false
    if (ending === 'sign_in') await this.#afterRefusal(complaint)
    else if (lastedMs === undefined) isRefused = await this.#afterFailure(ending)
    await pause(pauseMs(isRefused ? 'refused' : ending, this.#tries++, pace), ended)
  }

  /** A token may have expired meanwhile: the next connection asks for a fresh one, once. Then the platform is asked what is wrong. */
  async #afterRefusal(complaint: string | undefined): Promise<void> {
    this.#refusals++
    if (this.#refusals === 1 && this.#options.token) return
    await this.#askWhy()
    if (this.#refusals < MOST_REFUSALS) return
    const { host } = new URL(this.#options.baseUrl)
    throw new ApiError(401, complaint ?? `${host} ends the sign-in of the live channel. Sign in again`)
  }

  /** Whether the platform answers and opens no connection to a reader who had one. */
  async #afterFailure(ending: Ending): Promise<boolean> {
    this.#failures++
    const reason = ending === 'lost' ? await this.#askWhy() : new Error(`The platform closed the connection: ${ending}`)
    if (this.#wasOnline) return reason instanceof ChannelRefused
    if (this.#failures < MOST_FAILURES) return false
    throw new NoAnswer(new URL(this.#options.baseUrl).host, reason)
  }

  async #askWhy(): Promise<unknown> {
    const { pace, ended } = this.#until
    try {
      return await askWhy(this.#options, { limitMs: pace.openMs, ended })
    } catch (error) {
      // Something in front of a platform that is away may answer anything; only the platform's own word counts then.
      if (ended.aborted || !this.#wasOnline || !(error instanceof ApiError) || error.problem) throw error
      return error
    }
  }
}

/**
 * Anywhere up to a bound that doubles, so that those who were cut off together do not come back together. Where the platform has no place for
 * more connections the bound grows to several times the usual one: its answers to those who come back would keep it busy.
 */
export function pauseMs(ending: Ending | 'refused', tries: number, pace: Pace): number {
  if (ending === 'restart' && tries === 0) return pace.random() * pace.restartMs
  if (ending === 'too_many') return pace.longestMs * Math.min(WHEN_FULL, 2 ** tries) * (0.5 + pace.random() / 2)
  const longestMs = ending === 'refused' ? pace.longestMs * WHEN_FULL : pace.longestMs
  return pace.random() * Math.min(longestMs, pace.shortestMs * 2 ** tries)
}

const WHEN_FULL = 4
