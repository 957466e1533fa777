// One thing at a time for each key. Whoever comes while another waits for its turn shares that turn: it has not looked yet.
export type Turns = { take(key: number, work: () => Promise<void>): Promise<void> }

export function createTurns(): Turns {
  const running = new Map<number, Promise<void>>()
  const waiting = new Map<number, Promise<void>>()

  const begin = (key: number, work: () => Promise<void>): Promise<void> => {
    const result = work()
    const ended = result
      .catch(() => undefined)
      .then(() => {
        if (running.get(key) === ended) running.delete(key)
      })
    running.set(key, ended)
    return result
  }

  return {
    take: (key, work) => {
      const shared = waiting.get(key)
      if (shared) return shared
      const before = running.get(key)
      if (!before) return begin(key, work)
      const turn = before.then(() => {
        waiting.delete(key)
        return begin(key, work)
      })
      waiting.set(key, turn)
      return turn
    },
  }
}
