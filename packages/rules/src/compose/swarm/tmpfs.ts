// The short form of a temporary filesystem in memory: `/run:size=64m,mode=1777`.

export type Tmpfs = {
  readonly target: string
  readonly sizeBytes: number | null
  /** Options that a Swarm cannot set. */
  readonly others: readonly string[]
}

export function parseTmpfs(text: string): Tmpfs {
  const [target = '', options = ''] = text.split(/:(.*)/s)
  const all = options.split(',').filter(Boolean)
  const sizes = all.flatMap((option) => sizeOf(option) ?? [])
  return {
    target,
    sizeBytes: sizes.at(-1) ?? null,
    others: all.filter((option) => sizeOf(option) === undefined && !DEFAULTS.has(option)),
  }
}

/** What a Swarm mounts it with anyway. */
const DEFAULTS = new Set(['rw', 'noexec', 'nosuid', 'nodev', 'mode=1777', 'mode=01777'])

function sizeOf(option: string): number | undefined {
  const [, amount = '', unit = ''] = /^size=(\d{1,15})([kmg]?)b?$/i.exec(option) ?? []
  return amount === '' ? undefined : Number(amount) * 1024 ** ' kmg'.indexOf(unit.toLowerCase() || ' ')
}
