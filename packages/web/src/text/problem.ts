// What an error of the API means for a page.
import { ApiError } from '@shipway/api'

/** It is not there, or is not to be seen: the platform tells these apart to nobody. */
export const isNotFound = (error: Error): boolean => error instanceof ApiError && error.status === 404
