// When an alert is raised and when it ends. Between the two thresholds nothing changes, so a value that
// oscillates around a limit sends no mails.

export type AlertVerdict = 'wrong' | 'fine' | 'between'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

/** Restarts and short network outages are not worth an alert. */
export function reachVerdict(outOfReachSince: number | null, minutes: number, now: number): AlertVerdict {
  if (outOfReachSince === null) return 'fine'
  return now - outOfReachSince >= minutes * MINUTE_MS ? 'wrong' : 'between'
}

type Disk = { readonly freeBytes: number; readonly totalBytes: number }

/** Builds are refused below `leastBytes`; on a large disk people want to know earlier. */
export function diskVerdict({ freeBytes, totalBytes }: Disk, leastBytes: number): AlertVerdict {
  const low = Math.max(leastBytes, totalBytes * 0.05)
  if (freeBytes < low) return 'wrong'
  return freeBytes >= low * 1.25 ? 'fine' : 'between'
}

const CALM_PERCENT = 5

/** Over once it is some percent below the threshold. */
export function diskUseVerdict({ freeBytes, totalBytes }: Disk, percent: number): AlertVerdict {
  const used = totalBytes === 0 ? 0 : (100 * (totalBytes - freeBytes)) / totalBytes
  if (used > percent) return 'wrong'
  return used <= percent - CALM_PERCENT ? 'fine' : 'between'
}

/** `percent` is the lowest of ten minutes; null if it is not known. */
export function memoryVerdict(percent: number | null, threshold: number): AlertVerdict {
  if (percent === null) return 'between'
  if (percent > threshold) return 'wrong'
  return percent <= threshold - CALM_PERCENT ? 'fine' : 'between'
}

/** Over after ten minutes without a restart. */
export function restartsVerdict(restarts: number, threshold: number): AlertVerdict {
  if (restarts >= threshold) return 'wrong'
  return restarts === 0 ? 'fine' : 'between'
}

/** Automatic renewal happens long before. Short-lived certificates have a quarter of their life left then. */
export function certificateVerdict(
  life: { readonly notBefore: number; readonly notAfter: number },
  days: number,
  now: number,
): AlertVerdict {
  const warningMs = Math.min(days * DAY_MS, (life.notAfter - life.notBefore) / 4)
  return now >= life.notAfter - warningMs ? 'wrong' : 'fine'
}
