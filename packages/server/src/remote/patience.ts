// How long to go on trying to reach a server. For work that may be repeated: it does nothing the second time.
import { setTimeout as pause } from 'node:timers/promises'
import { durationInWords } from '../domain/duration.ts'
import { ConnectionLost, PlatformStopping, ServerUnreachable } from './host.ts'

export type Patience = {
  /** How long the server may be out of reach. */
  readonly patienceMs?: number
  readonly signal?: AbortSignal
  /** Told what is wrong, and how long it is tried again: once for each silence, soon after it begins. */
  readonly onSilence?: (sentence: string) => void | Promise<void>
}

/** Repeats the attempt while the server is out of reach. */
export async function untilReached<Result>(
  serverName: string,
  options: Patience,
  attempt: () => Promise<Result>,
): Promise<Result> {
  const silence = new Silence(serverName, options)
  while (true) {
    try {
      return await attempt()
    } catch (error) {
      await silence.endure(error)
    }
  }
}

/** The time since a server was last heard of. */
export class Silence {
  readonly #serverName: string
  readonly #options: Patience
  #since = performance.now()
  #wasHeard = false
  #stage: 'fresh' | 'broken' | 'told' = 'fresh'

  constructor(serverName: string, options: Patience) {
    this.#serverName = serverName
    this.#options = options
  }

  heard(): void {
    this.#since = performance.now()
    this.#wasHeard = true
    this.#stage = 'fresh'
  }

  /** Waits for the next attempt; throws what waiting does not help against, and ServerUnreachable when it has been too long. */
  async endure(problem: unknown): Promise<void> {
    const { signal, patienceMs = 15 * 60_000 } = this.#options
    // Whatever else was asked for can no longer be done here.
    if (problem instanceof PlatformStopping) throw problem
    signal?.throwIfAborted()
    if (!isOutOfReach(problem)) throw problem
    if (performance.now() - this.#since >= patienceMs) throw this.#unreachable(patienceMs, problem)
    await this.#tell(problem, patienceMs)
    // A connection that just broke can often be made again at once.
    const delayMs = this.#wasHeard ? 50 : 1_000
    this.#wasHeard = false
    await pause(delayMs, undefined, signal ? { signal } : {}).catch(() => signal?.throwIfAborted())
  }

  /** A connection that broke is no news before it turns out that it cannot be made again. */
  async #tell(problem: OutOfReach, patienceMs: number): Promise<void> {
    const hasJustBroken = problem instanceof ConnectionLost && this.#stage === 'fresh'
    const wasTold = this.#stage === 'told'
    this.#stage = hasJustBroken ? 'broken' : 'told'
    if (wasTold || hasJustBroken) return
    await this.#options.onSilence?.(`${wordsOf(problem)}. It is tried again for ${durationInWords(patienceMs)}`)
  }

  #unreachable(patienceMs: number, problem: OutOfReach): ServerUnreachable {
    // Whoever waited inside has said how long; what is left to tell is what was wrong.
    const cause = problem.cause instanceof Error ? problem.cause : problem
    const howLong = patienceMs > 0 ? `was out of reach for ${durationInWords(patienceMs)}` : 'is out of reach'
    const sentence = `The server ${this.#serverName} ${howLong}. The last attempt: ${wordsOf(cause)}`
    return new ServerUnreachable('connect', sentence, { cause })
  }
}

type OutOfReach = ServerUnreachable | ConnectionLost

/** The sentence, without the full stop that some have. */
const wordsOf = ({ message }: Error): string => message.trim().replace(/\.$/, '')

/** A server that refuses us, or is not the one it should be, does not become another by waiting. */
function isOutOfReach(problem: unknown): problem is OutOfReach {
  if (problem instanceof ServerUnreachable) return problem.stage === 'connect'
  return problem instanceof ConnectionLost
}
