// Limits how long a caller waits for a promise.

/** The result of the work, or what `late` returns or throws when the time is over. The work goes on unless `late` aborts it. */
export async function withDeadline<Result, Late>(
  work: Promise<Result>,
  milliseconds: number,
  late: () => Late,
): Promise<Result | Late> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, milliseconds)
  try {
    return await Promise.race([work, promise.then(late)])
  } finally {
    clearTimeout(timer)
  }
}
