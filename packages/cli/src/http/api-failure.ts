// Failures of the typed client, told apart by their names: their classes come with the whole contract, which `--help` does without.
import type { ApiError, NoAnswer } from '@shipway/api'
import { CommandError } from '../command-error.ts'

export const isApiError = (error: unknown): error is ApiError => error instanceof Error && error.name === 'ApiError'

export const isNoAnswer = (error: unknown): error is NoAnswer =>
  error instanceof Error && error.name === 'NoAnswer' && !ownFailure(error)

/** What failed on our side while a request was sent, such as a sign-in that has ended; the client takes it for a lost connection. */
export const ownFailure = ({ cause }: Error): CommandError | undefined =>
  cause instanceof CommandError ? cause : undefined

/** A platform that restarts is away for a while, and a proxy in front of it answers meanwhile. */
export const isTransient = (error: unknown): boolean =>
  isNoAnswer(error) || (isApiError(error) && (error.status >= 500 || error.status === 429))
