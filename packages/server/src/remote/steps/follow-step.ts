// Follows the output of a durable step to its end, from any offset and across lost connections: each byte once. The command that starts the
// step is part of the first round trip.
import { CommandStopped, ConnectionLost, type Host } from '../host.ts'
import { Outage, type RetryPolicy } from '../retry-policy.ts'
import { FollowFrames, type StepEnd, type StepState } from './follow-frames.ts'
import { followCommand, type StepStart, startCommand } from './step-scripts.ts'

export type FollowOptions = RetryPolicy & {
  /** Omitted if the step was started before; otherwise sent until the server has confirmed that the step runs. */
  readonly start?: StepStart
  /** Offset in the whole output of the step to begin at. */
  readonly fromOffset: number
  /**
   * Receives the output in order. A gap between two offsets means that the server did not keep the bytes between. Reading pauses until the
   * promise resolves; the output waits on the server.
   */
  readonly onOutput: (bytes: Buffer, offset: number) => void | Promise<void>
}

/** Throws ServerUnreachable if the server stays out of reach or has the wrong host key. */
export async function followStep(host: Host, folder: string, options: FollowOptions): Promise<StepEnd> {
  const outage = new Outage(host.name, options)
  let offset = options.fromOffset
  let quickPolls = quickPollsAtFirst
  let { start, ...rest } = options
  while (true) {
    options.signal?.throwIfAborted()
    const session = followSession(host, folder, { ...rest, ...(start && { start }), fromOffset: offset, quickPolls })
    const { state, hasBegun, problem, reached } = await session
    offset = reached
    quickPolls = 0
    if (hasBegun) {
      outage.noteContact()
      start = undefined
    }
    if (state === undefined) await outage.waitForRetry(problem)
    else if (state.state !== 'more') return state
  }
}

/** Many steps are short, so it polls more often at first. */
const quickPollsAtFirst = 40
const pollsPerSession = 40
/** Small enough to be processed quickly, also when the output is throttled. */
const windowBytes = 1024 * 1024

/** `problem` is the error if the session ended without reporting the state of the step. */
type Session = {
  readonly reached: number
  readonly hasBegun: boolean
  readonly state: StepState | undefined
  readonly problem: unknown
}

/** Returns after a window of output or two seconds, because other commands need the session too. */
async function followSession(
  host: Host,
  folder: string,
  options: FollowOptions & { quickPolls: number },
): Promise<Session> {
  const frames = new FollowFrames(options.fromOffset)
  let reached = options.fromOffset
  let taking: Promise<void> = Promise.resolve()
  const take = async (received: Buffer): Promise<void> => {
    for (const { bytes, position } of frames.read(received)) {
      options.signal?.throwIfAborted()
      await options.onOutput(bytes, position)
      reached = position + bytes.length
    }
  }
  const onOutput = (received: Buffer): Promise<void> => {
    taking = take(received)
    return taking
  }
  const { start, signal, quickPolls } = options
  const session = { from: reached, bytes: windowBytes, polls: pollsPerSession, quickPolls }
  const command = start ? startCommand(folder, start, session) : followCommand(folder, session)
  const isUnanswered = (): boolean => start !== undefined && !frames.hasBegun
  const problem = await host
    .run(command, { onOutput, ...(start && { input: start.input }), ...(signal && { signal }) })
    .then(
      ({ exitCode, stderr }) =>
        isUnanswered()
          ? new Error(`Could not start a step (exit code ${exitCode}): ${stderr.toString().trim()}`)
          : new ConnectionLost(`Following a step ended with exit code ${exitCode}: ${stderr}`),
      (error: unknown) =>
        isTooSlow(error) && !isUnanswered() ? new ConnectionLost(`${host.name} did not end a session`) : error,
    )
  // A session that is cut off does not wait for the piece that was handed over last; the next one continues after it.
  const fault = await taking.then(
    () => undefined,
    (error: unknown) => ({ error }),
  )
  if (fault) return { reached, hasBegun: frames.hasBegun, state: undefined, problem: fault.error }
  return { reached, hasBegun: frames.hasBegun, state: frames.state, problem }
}

/** Only the session has timed out: the step continues, and the follower opens the next session. */
const isTooSlow = (error: unknown): boolean => error instanceof CommandStopped && error.reason === 'timed_out'
