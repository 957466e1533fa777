// Formats the size of a file.

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const

/** `17 B`, `3.4 KiB`, `2.0 GiB`. */
export function fileSize(bytes: number): string {
  const power = bytes < 1024 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log2(bytes) / 10))
  return power === 0 ? `${bytes} B` : `${(bytes / 1024 ** power).toFixed(1)} ${UNITS[power]}`
}
