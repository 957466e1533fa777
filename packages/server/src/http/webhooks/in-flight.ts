/** Counts work in flight, in total and per key, and refuses what exceeds the limits. A caller that took a share gives it back. */
export class InFlight {
  readonly #most: { readonly inAll: number; readonly perKey: number }
  readonly #byKey = new Map<string, number>()
  #inAll = 0

  constructor(most: { readonly inAll: number; readonly perKey: number }) {
    this.#most = most
  }

  take(key: string, amount: number): boolean {
    const ofKey = (this.#byKey.get(key) ?? 0) + amount
    if (this.#inAll + amount > this.#most.inAll || ofKey > this.#most.perKey) return false
    this.#inAll += amount
    this.#byKey.set(key, ofKey)
    return true
  }

  giveBack(key: string, amount: number): void {
    this.#inAll -= amount
    const left = (this.#byKey.get(key) ?? 0) - amount
    if (left > 0) this.#byKey.set(key, left)
    else this.#byKey.delete(key)
  }
}
