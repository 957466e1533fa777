// Reads the output of `df -Pk`. It comes from the server: implausible numbers count as not measured.
const LINE = /\s(\d{1,15})\s+\d{1,15}\s+(-?\d{1,15})\s+\d{1,3}%\s/

export function fullestDisk(printed: string): { readonly freeBytes: number; readonly totalBytes: number } | undefined {
  const disks = printed
    .slice(0, 10_000)
    .split('\n')
    .flatMap((line) => {
      const [, total, free] = LINE.exec(line) ?? []
      if (total === undefined || free === undefined || Number(total) === 0 || Number(total) > MOST_KIB) return []
      if (Number(free) > Number(total)) return []
      return [{ freeBytes: Math.max(0, Number(free)) * 1024, totalBytes: Number(total) * 1024 }]
    })
  return disks.toSorted((one, other) => one.freeBytes - other.freeBytes)[0]
}

/** Keeps numbers of bytes exact. */
const MOST_KIB = 2 ** 42
