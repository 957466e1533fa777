// Runs a command on a server while a user waits for the answer.
import { ServerNotReached, ServerTimeout } from '../domain/errors.ts'
import { withDeadline } from '../scheduling/deadline.ts'
import { CommandStopped, ConnectionLost, type Host } from './host.ts'

/** Answers at the deadline, also if ending the command takes longer. Throws ServerNotReached and ServerTimeout. */
export async function withinDeadline<Result>(
  host: Pick<Host, 'name'>,
  deadlineMs: number,
  run: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const abort = new AbortController()
  try {
    return await withDeadline(run(abort.signal), deadlineMs, () => {
      abort.abort()
      throw ServerTimeout(host.name, deadlineMs / 1000)
    })
  } catch (error) {
    if (error instanceof ConnectionLost) throw ServerNotReached('connect', error.message)
    if (error instanceof CommandStopped) throw ServerTimeout(host.name, deadlineMs / 1000)
    throw error
  }
}
