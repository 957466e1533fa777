// How long one piece of work blocks the event loop: the most that the thread computes without a turn of its event loop. It is
// counted in the thread's own processor time, so that a busy machine does not add to it. What earlier tests have left in memory is collected
// before, so that it is not counted either.
import { collect } from './processes/held-memory.ts'

export async function longestStopMs(work: () => Promise<unknown>): Promise<number> {
  collect()
  let longest = 0
  let last = process.threadCpuUsage()
  const sample = (): void => {
    const { user, system } = process.threadCpuUsage(last)
    longest = Math.max(longest, user + system)
    last = process.threadCpuUsage()
  }
  // Turns shorter than this count together, which adds at most so much to the answer. To sample in every turn would keep a core busy while
  // the work is done in another thread.
  const sampling = setInterval(sample, 1)
  try {
    await work()
    // The turn in which the work ended counts too.
    await new Promise(setImmediate)
    sample()
  } finally {
    clearInterval(sampling)
  }
  return longest / 1000
}
