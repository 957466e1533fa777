/**
 * Ends whatever the platform has started when the platform itself is killed. A process cannot do that for its own children, and a child need
 * not notice: an ssh to a server that floods it has enough to do. So one small shell is told of every process group and waits for
 * the end of its input, which comes however the platform ends.
 *
 * Processes that must outlive the platform, such as the steps of a deployment, lead sessions of their own and are in none of these groups.
 */

/** The guard's process. */
export type Guard = {
  tell(line: string): void
  /** Resolves when it has ended. */
  readonly ended: Promise<void>
}

export function createProcessGuard(start: () => Guard): { watch(group: number): () => void } {
  const groups = new Set<number>()
  let guard: Guard | undefined

  /** One that was killed is replaced when the next group begins, and learns of all. */
  const begin = (): Guard => {
    const begun = start()
    guard = begun
    void begun.ended.then(() => {
      if (guard === begun) guard = undefined
    })
    for (const group of groups) begun.tell(`+ ${group}\n`)
    return begun
  }

  return {
    watch: (group) => {
      const current = guard ?? begin()
      groups.add(group)
      current.tell(`+ ${group}\n`)
      return () => {
        if (groups.delete(group)) guard?.tell(`- ${group}\n`)
      }
    },
  }
}
