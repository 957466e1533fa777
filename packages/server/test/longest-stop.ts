// How long one piece of work keeps everybody else waiting: the most that the thread computes without a turn of its event loop. It is
// counted in the thread's own processor time, so that a busy machine does not add to it.

export async function longestStopMs(work: () => Promise<unknown>): Promise<number> {
  let longest = 0
  let last = process.threadCpuUsage()
  let isWatching = true
  const look = (): void => {
    const { user, system } = process.threadCpuUsage(last)
    longest = Math.max(longest, user + system)
    last = process.threadCpuUsage()
    if (isWatching) setImmediate(look)
  }
  setImmediate(look)
  try {
    await work()
  } finally {
    isWatching = false
  }
  // The turn in which the work ended counts too.
  await new Promise(setImmediate)
  return longest / 1000
}
