// Classifies API errors for pages.
import { ApiError } from '@shipway/api'

/** Missing, or not visible to the user: the API does not distinguish the two. */
export const isNotFound = (error: Error): boolean => error instanceof ApiError && error.status === 404
