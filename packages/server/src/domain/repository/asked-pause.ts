// How long a git host asks to be left alone, in an error that carries it: a refused request, or a fault of a GitHub App.

/** 0 if it does not ask. */
export function askedPauseMs(error: unknown): number {
  if (!(error instanceof Error) || !('retryAfterMs' in error)) return 0
  return typeof error.retryAfterMs === 'number' ? error.retryAfterMs : 0
}
