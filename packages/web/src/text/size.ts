// Sizes of files and of the database: 640 bytes, 21 KB, 1.4 MB, 2.5 GB.
const KB = 1000
const MB = 1000 * KB
const GB = 1000 * MB

export function formatSize(bytes: number): string {
  if (bytes < KB) return `${bytes} ${bytes === 1 ? 'byte' : 'bytes'}`
  if (bytes < MB) return `${Math.round(bytes / KB)} KB`
  if (bytes < GB) return `${(bytes / MB).toFixed(1)} MB`
  return `${(bytes / GB).toFixed(1)} GB`
}
