// Turns what GitHub refuses into an answer for the caller.
import { GitHostFailed } from '../../../domain/errors.ts'
import { AppFault } from '../../../domain/repository/app-fault.ts'

/** For `catch`: the sentence of an AppFault is for people. Everything else is a fault of the network or of GitHub. */
export function asGitHostFault(error: unknown): never {
  if (error instanceof AppFault) throw GitHostFailed(error.message, error)
  throw GitHostFailed('GitHub could not be reached, or did not answer as expected. Try again later', error)
}
