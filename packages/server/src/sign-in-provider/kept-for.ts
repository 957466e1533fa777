// Something that is fetched when it is first needed and kept for a while. Those who ask meanwhile wait for the same answer; a failure is
// not kept.
export function cacheFor<Value>(
  lifeMs: number,
  clock: () => number,
  fetch: () => Promise<Value>,
): () => Promise<Value> {
  let kept: { readonly value: Promise<Value>; readonly until: number } | undefined
  return () => {
    if (kept && clock() < kept.until) return kept.value
    const value = fetch().catch((error: unknown) => {
      if (kept === mine) kept = undefined
      throw error
    })
    const mine = { value, until: clock() + lifeMs }
    kept = mine
    return value
  }
}
