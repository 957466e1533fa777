// One thing at a time for each key, in the order in which they came.

export type Turns = {
  take<Result>(key: number, work: () => Promise<Result>): Promise<Result>
  /** Whoever comes while another waits to begin shares that turn: it has not looked yet. */
  share(key: number, work: () => Promise<void>): Promise<void>
}

export function createTurns(): Turns {
  const last = new Map<number, Promise<unknown>>()
  const shared = new Map<number, Promise<void>>()

  const take: Turns['take'] = (key, work) => {
    // One that failed holds up nobody.
    const turn = last.get(key)?.then(work, work) ?? work()
    const leave = (): void => {
      if (last.get(key) === turn) last.delete(key)
    }
    last.set(key, turn)
    turn.then(leave, leave)
    return turn
  }

  return {
    take,
    share: (key, work) => {
      const waiting = shared.get(key)
      if (waiting) return waiting
      if (!last.has(key)) return take(key, work)
      const turn = take(key, () => {
        shared.delete(key)
        return work()
      })
      shared.set(key, turn)
      return turn
    },
  }
}
