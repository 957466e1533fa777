// Turns what GitHub refuses into an answer for the caller.
import { AppFault } from '../../../domain/repository/app-fault.ts'
import { HostFailed } from '../ask-host.ts'

/** For `catch`: the sentence of an AppFault is for people. Everything else is a fault of the network or of GitHub. */
export function asGitHostFault(error: unknown): never {
  if (error instanceof AppFault) throw HostFailed(error.message, error.retryAfterMs)
  throw HostFailed('GitHub could not be reached, or did not answer as expected. Try again later')
}
