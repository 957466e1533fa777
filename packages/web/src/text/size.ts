// File sizes: 640 bytes, 21 KB, 1.4 MB.
const KB = 1000
const MB = 1000 * KB

export function formatSize(bytes: number): string {
  if (bytes < KB) return `${bytes} ${bytes === 1 ? 'byte' : 'bytes'}`
  if (bytes < MB) return `${Math.round(bytes / KB)} KB`
  return `${(bytes / MB).toFixed(1)} MB`
}
