// Lets a few go on in each turn of the event loop, in the order in which they came: work for a thousand leaves room for others in between.

/** Resolves when it is one's turn. */
export type Gate = () => Promise<void>

export function createGate(eachTurn: number): Gate {
  const waiting: (() => void)[] = []
  let left = eachTurn
  let isTurnAwaited = false

  const awaitTurn = (): void => {
    if (isTurnAwaited) return
    isTurnAwaited = true
    setImmediate(() => {
      isTurnAwaited = false
      const entering = waiting.splice(0, eachTurn)
      left = eachTurn - entering.length
      for (const enter of entering) enter()
      if (entering.length > 0) awaitTurn()
    })
  }

  return () => {
    awaitTurn()
    if (left === 0) return new Promise((enter) => waiting.push(enter))
    left -= 1
    return Promise.resolve()
  }
}
