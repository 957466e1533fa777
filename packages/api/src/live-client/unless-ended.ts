// Work that cannot be stopped, and a reader who does not wait for it.

/** As the work ends, or rejected with the reason of the signal as soon as it is aborted. */
export function unlessEnded<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const giveUp = (): void => reject(signal.reason)
    signal.addEventListener('abort', giveUp, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', giveUp))
    if (signal.aborted) giveUp()
  })
}
