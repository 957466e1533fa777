// CPU, memory and network: 0.25 cores, 120 MiB, 1.4 MB/s.
const KIB = 1024

/** Without its unit. */
export function formatCores(cores: number): string {
  if (cores === 0) return '0'
  if (cores < 0.001) return '< 0.001'
  if (cores < 0.1) return cores.toFixed(3)
  return cores < 10 ? cores.toFixed(2) : cores.toFixed(1)
}

export const describeCores = (cores: number): string => `${formatCores(cores)} ${cores === 1 ? 'core' : 'cores'}`

export function formatMemory(bytes: number): string {
  if (bytes === 0) return '0'
  return format(bytes, KIB, ['B', 'KiB', 'MiB', 'GiB', 'TiB'])
}

export function formatRate(bytes: number): string {
  if (bytes === 0) return '0'
  return format(bytes, 1000, ['B/s', 'KB/s', 'MB/s', 'GB/s', 'TB/s'])
}

function format(value: number, base: number, units: readonly string[]): string {
  let [rest, unit] = [value, 0]
  while (rest >= base && unit < units.length - 1) {
    rest /= base
    unit += 1
  }
  const digits = unit === 0 || rest >= 100 || Number.isInteger(rest) ? 0 : 1
  return `${rest.toFixed(digits)} ${units[unit]}`
}
