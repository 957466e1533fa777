// Retries work on a server that is out of reach, for a limited time. The work must be idempotent.
import { setTimeout as pause } from 'node:timers/promises'
import { durationInWords } from '../domain/duration.ts'
import { ConnectionLost, PlatformStopping, ServerUnreachable } from './host.ts'

export type RetryPolicy = {
  /** How long the server may be out of reach. */
  readonly giveUpAfterMs?: number
  readonly signal?: AbortSignal
  /** Called once per outage, soon after it begins, with the problem and how long the retries go on. */
  readonly onOutage?: (sentence: string) => void | Promise<void>
}

/** Repeats the attempt while the server is out of reach. */
export async function untilReached<Result>(
  serverName: string,
  options: RetryPolicy,
  attempt: () => Promise<Result>,
): Promise<Result> {
  const outage = new Outage(serverName, options)
  while (true) {
    try {
      return await attempt()
    } catch (error) {
      await outage.waitForRetry(error)
    }
  }
}

/** Tracks how long a server has been out of reach. */
export class Outage {
  readonly #serverName: string
  readonly #options: RetryPolicy
  #since = performance.now()
  #hadContact = false
  #stage: 'fresh' | 'broken' | 'reported' = 'fresh'

  constructor(serverName: string, options: RetryPolicy) {
    this.#serverName = serverName
    this.#options = options
  }

  noteContact(): void {
    this.#since = performance.now()
    this.#hadContact = true
    this.#stage = 'fresh'
  }

  /** Waits until the next attempt. Rethrows problems that waiting does not solve; throws ServerUnreachable when it has taken too long. */
  async waitForRetry(problem: unknown): Promise<void> {
    const { signal, giveUpAfterMs = 15 * 60_000 } = this.#options
    // The next process of the platform takes over.
    if (problem instanceof PlatformStopping) throw problem
    signal?.throwIfAborted()
    if (!isOutOfReach(problem)) throw problem
    if (performance.now() - this.#since >= giveUpAfterMs) throw this.#unreachable(giveUpAfterMs, problem)
    await this.#report(problem, giveUpAfterMs)
    // A broken connection can often be opened again at once.
    const delayMs = this.#hadContact ? 50 : 1_000
    this.#hadContact = false
    await pause(delayMs, undefined, signal ? { signal } : {}).catch(() => signal?.throwIfAborted())
  }

  /** A broken connection is reported only after an attempt to reconnect has failed. */
  async #report(problem: OutOfReach, giveUpAfterMs: number): Promise<void> {
    const hasJustBroken = problem instanceof ConnectionLost && this.#stage === 'fresh'
    const wasReported = this.#stage === 'reported'
    this.#stage = hasJustBroken ? 'broken' : 'reported'
    if (wasReported || hasJustBroken) return
    await this.#options.onOutage?.(`${sentenceOf(problem)}. Retrying for ${durationInWords(giveUpAfterMs)}`)
  }

  #unreachable(giveUpAfterMs: number, problem: OutOfReach): ServerUnreachable {
    // An inner retry has already added how long it waited: the cause says what was wrong.
    const cause = problem.cause instanceof Error ? problem.cause : problem
    const howLong = giveUpAfterMs > 0 ? `was out of reach for ${durationInWords(giveUpAfterMs)}` : 'is out of reach'
    const sentence = `The server ${this.#serverName} ${howLong}. The last attempt: ${sentenceOf(cause)}`
    return new ServerUnreachable('connect', sentence, { cause })
  }
}

type OutOfReach = ServerUnreachable | ConnectionLost

/** The message without its full stop. */
const sentenceOf = ({ message }: Error): string => message.trim().replace(/\.$/, '')

/** Waiting does not help if the server refuses the platform or has the wrong host key. */
function isOutOfReach(problem: unknown): problem is OutOfReach {
  if (problem instanceof ServerUnreachable) return problem.stage === 'connect'
  return problem instanceof ConnectionLost
}
