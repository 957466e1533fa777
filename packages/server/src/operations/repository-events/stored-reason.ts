/** Why a request of the git host failed, as it is stored with what is tried again. */
export const storedReason = (error: unknown): string =>
  error instanceof Error ? error.message.slice(0, 500) : 'unknown'
