// How long to go on trying to reach a server. For work that may be repeated: it does nothing the second time.
import { setTimeout as pause } from 'node:timers/promises'
import { ConnectionLost, ServerUnreachable } from './host.ts'

export type Patience = {
  /** How long the server may be out of reach. */
  readonly patienceMs?: number
  readonly signal?: AbortSignal
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

  constructor(serverName: string, options: Patience) {
    this.#serverName = serverName
    this.#options = options
  }

  heard(): void {
    this.#since = performance.now()
    this.#wasHeard = true
  }

  /** Waits for the next attempt; throws what waiting does not help against, and ServerUnreachable when it has been too long. */
  async endure(problem: unknown): Promise<void> {
    const { signal, patienceMs = 15 * 60_000 } = this.#options
    signal?.throwIfAborted()
    if (!isOutOfReach(problem)) throw problem
    if (performance.now() - this.#since >= patienceMs) throw this.#unreachable(patienceMs, problem)
    // A connection that just broke can often be made again at once.
    const delayMs = this.#wasHeard ? 50 : 1_000
    this.#wasHeard = false
    await pause(delayMs, undefined, signal ? { signal } : {}).catch(() => signal?.throwIfAborted())
  }

  #unreachable(patienceMs: number, cause: unknown): ServerUnreachable {
    const minutes = Math.round(patienceMs / 60_000)
    const sentence = `The server ${this.#serverName} was out of reach for ${minutes} minutes. Check that it runs and answers ssh`
    return new ServerUnreachable(cause instanceof ServerUnreachable ? cause.stage : 'connect', sentence, { cause })
  }
}

/** A server that refuses us, or is not the one it should be, does not become another by waiting. */
function isOutOfReach(problem: unknown): boolean {
  if (problem instanceof ServerUnreachable) return problem.stage === 'connect'
  return problem instanceof ConnectionLost
}
