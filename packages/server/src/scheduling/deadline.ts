// Waits for something no longer than so long.

/**
 * What the work comes to, or what `late` gives or throws once the time is over. The work is not ended by that; whoever can end it does so in
 * `late`.
 */
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
