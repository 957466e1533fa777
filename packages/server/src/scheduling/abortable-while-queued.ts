/**
 * Makes queued work abortable while it waits. Until the work calls `begin`, an abort rejects at once, and `begin` throws afterwards. Once it
 * has begun, the work handles the signal itself.
 */
export async function abortableWhileQueued<Result>(
  signal: AbortSignal | undefined,
  work: (begin: () => void) => Promise<Result>,
  faultOf: (signal: AbortSignal) => unknown = ({ reason }) => reason,
): Promise<Result> {
  if (!signal) return work(() => undefined)
  const stopped = Promise.withResolvers<never>()
  const onAbort = (): void => stopped.reject(faultOf(signal))
  const begin = (): void => {
    if (signal.aborted) throw faultOf(signal)
    signal.removeEventListener('abort', onAbort)
  }
  if (signal.aborted) onAbort()
  else signal.addEventListener('abort', onAbort, { once: true })
  try {
    return await Promise.race([work(begin), stopped.promise])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
