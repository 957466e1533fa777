/**
 * Ends all processes that the platform has started when the platform itself is killed. A process cannot do that for its own children, and a
 * child may not notice: an ssh that a server floods with output is busy. So a small shell knows every process group and waits for the end
 * of its input, which comes however the platform ends. Processes that must outlive the platform, such as the steps of a deployment, have
 * sessions of their own and are in none of these groups.
 */

/** The guard's process. */
export type Guard = {
  send(line: string): void
  /** Resolves when it has ended. */
  readonly ended: Promise<void>
}

/** Avoids a tight loop where a guard cannot run at all. */
const REPLACEMENT_PAUSE_MS = 200

export function createProcessGuard(start: () => Guard): { watch(group: number): () => void } {
  const groups = new Set<number>()
  let guard: Guard | undefined

  /** A guard that was killed is replaced, and the new one gets every group. */
  const begin = (): Guard => {
    const begun = start()
    guard = begun
    void begun.ended.then(() => {
      guard = undefined
      setTimeout(replace, REPLACEMENT_PAUSE_MS).unref()
    })
    for (const group of groups) begun.send(`+ ${group}\n`)
    return begun
  }
  const replace = (): void => {
    if (guard === undefined && groups.size > 0) begin()
  }

  return {
    watch: (group) => {
      const current = guard ?? begin()
      groups.add(group)
      current.send(`+ ${group}\n`)
      return () => {
        if (groups.delete(group)) guard?.send(`- ${group}\n`)
      }
    },
  }
}
