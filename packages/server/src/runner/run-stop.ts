/**
 * What a run of a task does when it is stopped from outside. That depends on the reason and on whether the run is committed,
 * which means that it has begun to switch the routes.
 *
 *                       open                                       committed
 *   canceled_by_user    end: kill the command, step is canceled    go on: the task must say what serves
 *   timed_out           end: kill the command, step has failed     go on
 *   stopping            leave: release the lease                   leave: release the lease
 *   lost                leave: write nothing                       leave: write nothing
 *
 *   open ──► committed   when a step of the phase Switch begins and nothing has stopped the run yet,
 *                        or when an earlier run has begun that step already, whatever was asked for since
 *   committed            stays committed
 *
 * After `end`, nothing of the task runs on the server (or its output says that the server did not answer), and the task ends as the step
 * did. After `leave`, its command goes on there, and the next process joins it.
 *
 * A signal aborts once, with one reason: a committed run that went on after a cancel is not notified here that the platform stops
 * or that the lease is lost. It leaves all the same when a connection throws `PlatformStopping` or a write throws `LostLease`.
 *
 * From the first write of a switch on, cancel and time limits come too late: the task says what serves.
 */

export type StopReason = 'canceled_by_user' | 'timed_out' | 'stopping' | 'lost'

export class RunStop {
  /** Aborted with a `StopReason`. */
  readonly #asked: AbortSignal
  readonly #left = new AbortController()
  #state: 'open' | 'committed' = 'open'

  constructor(asked: AbortSignal) {
    this.#asked = asked
    const leave = (): void => {
      if (effectOf(asked) === 'leave') this.#left.abort(asked.reason)
    }
    leave()
    asked.addEventListener('abort', leave, { once: true })
  }

  get state(): 'open' | 'committed' {
    return this.#state
  }

  commit(): void {
    this.#state = 'committed'
  }

  /** Aborted when the run must end or leave. Ask again after each step: it changes with the state. */
  get signal(): AbortSignal {
    return this.#state === 'committed' ? this.#left.signal : this.#asked
  }

  get reason(): StopReason | undefined {
    return this.signal.aborted ? this.signal.reason : undefined
  }

  /** Undefined while the run goes on. */
  get effect(): 'end' | 'leave' | undefined {
    return effectOf(this.signal)
  }
}

function effectOf({ aborted, reason }: AbortSignal): 'end' | 'leave' | undefined {
  if (!aborted) return undefined
  return reason === 'canceled_by_user' || reason === 'timed_out' ? 'end' : 'leave'
}
