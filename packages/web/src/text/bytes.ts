// Disk space: 0.9 GiB, 14 GiB, 1.8 TiB.
const GIB = 1024 ** 3

export function formatDiskSpace(bytes: number): string {
  const gibibytes = bytes / GIB
  if (gibibytes >= 1000) return `${(gibibytes / 1024).toFixed(1)} TiB`
  return `${gibibytes < 10 ? gibibytes.toFixed(1) : Math.round(gibibytes)} GiB`
}
