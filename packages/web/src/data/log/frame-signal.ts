// Notifies its watchers at most once per animation frame.
export class FrameSignal {
  /** Incremented with every notification. */
  version = 0
  readonly #watchers = new Set<() => void>()
  #frame: number | undefined

  readonly watch = (watcher: () => void): (() => void) => {
    this.#watchers.add(watcher)
    return () => this.#watchers.delete(watcher)
  }

  protected notify(): void {
    this.#frame ??= requestAnimationFrame(() => {
      this.#frame = undefined
      this.version += 1
      for (const watcher of this.#watchers) watcher()
    })
  }
}
