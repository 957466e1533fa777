// Recognizes failures of the typed client by name. Importing their classes would load the whole contract, also for `--help`.
import type { ApiError, NoAnswer } from '@shipway/api'
import { CommandError } from '../command-error.ts'

export const isApiError = (error: unknown): error is ApiError => error instanceof Error && error.name === 'ApiError'

export const isNoAnswer = (error: unknown): error is NoAnswer =>
  error instanceof Error && error.name === 'NoAnswer' && !ownFailure(error)

/** A failure of the client itself during a request, such as an expired sign-in, which the typed client reports as a lost connection. */
export const ownFailure = ({ cause }: Error): CommandError | undefined =>
  cause instanceof CommandError ? cause : undefined

/** During a restart the platform is unreachable, or a proxy answers in its place. */
export const isTransient = (error: unknown): boolean =>
  isNoAnswer(error) || (isApiError(error) && (error.status >= 500 || error.status === 429))
