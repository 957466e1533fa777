// Things that come one by one, and are awaited one by one.

export class Awaited<Thing> {
  readonly #here: Thing[] = []
  readonly #waiting: ((thing: Thing) => void)[] = []

  push(thing: Thing): void {
    const taker = this.#waiting.shift()
    if (taker) taker(thing)
    else this.#here.push(thing)
  }

  async next(): Promise<Thing> {
    const thing = this.#here.shift()
    return thing ?? new Promise((resolve) => this.#waiting.push(resolve))
  }

  /** Undefined where something else happens first; what comes then is for the next caller. */
  nextUnless(other: Promise<undefined>): Promise<Thing | undefined> {
    const thing = this.#here.shift()
    if (thing !== undefined) return Promise.resolve(thing)
    return new Promise((resolve, reject) => {
      this.#waiting.push(resolve)
      other.then(() => {
        const place = this.#waiting.indexOf(resolve)
        if (place >= 0) this.#waiting.splice(place, 1)
        resolve(undefined)
      }, reject)
    })
  }
}
