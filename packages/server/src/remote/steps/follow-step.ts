// Follows the output of a durable step to its end, from any position and across lost connections: each byte once. What starts the step goes
// in the same round trip.
import { CommandStopped, ConnectionLost, type Host } from '../host.ts'
import { type Patience, Silence } from '../patience.ts'
import { FollowFrames, type StepEnd, type StepState } from './follow-frames.ts'
import { followCommand, type StepStart, startCommand } from './step-scripts.ts'

export type FollowOptions = Patience & {
  /** Left out where the step was started before; else it is sent until the server has said that the step runs. */
  readonly start?: StepStart
  /** The position in everything that the step prints at which to begin. */
  readonly fromOffset: number
  /**
   * Takes the output in order. An offset past the end of the bytes before it means that the server did not keep what lies between.
   * While its promise is open nothing more is read; the output waits on the server.
   */
  readonly onOutput: (bytes: Buffer, offset: number) => void | Promise<void>
}

/** Throws ServerUnreachable where the server stays out of reach, or is not the one it should be. */
export async function followStep(host: Host, folder: string, options: FollowOptions): Promise<StepEnd> {
  const silence = new Silence(host.name, options)
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
      silence.heard()
      start = undefined
    }
    if (state === undefined) await silence.endure(problem)
    else if (state.state !== 'more') return state
  }
}

/** Many steps are short: at first the end is looked for more often. */
const quickPollsAtFirst = 40
const pollsPerSession = 40
/** Little enough to be soon taken in, also where floods are let in slowly. */
const windowBytes = 1024 * 1024

/** `problem` is what came between us and the server where the session did not end by saying how the step is. */
type Session = {
  readonly reached: number
  readonly hasBegun: boolean
  readonly state: StepState | undefined
  readonly problem: unknown
}

/** A session on the server ends by itself after a window of output or two seconds: others wait for sessions too. */
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
  // A session that is cut does not wait for what was handed over last; the next one goes on after it.
  const fault = await taking.then(
    () => undefined,
    (error: unknown) => ({ error }),
  )
  if (fault) return { reached, hasBegun: frames.hasBegun, state: undefined, problem: fault.error }
  return { reached, hasBegun: frames.hasBegun, state: frames.state, problem }
}

/** The step goes on, and so does whoever follows it. */
const isTooSlow = (error: unknown): boolean => error instanceof CommandStopped && error.reason === 'timed_out'
