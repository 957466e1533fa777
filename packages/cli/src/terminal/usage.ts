// Formats CPU and memory: `0.25`, `120 MiB`.

/** In cores. */
export function cores(value: number): string {
  if (value > 0 && value < 0.001) return '<0.001'
  return value < 0.1 ? value.toFixed(3) : value.toFixed(2)
}

export function memory(bytes: number): string {
  let [rest, unit] = [bytes, 0]
  while (rest >= 1024 && unit < UNITS.length - 1) {
    rest /= 1024
    unit += 1
  }
  return `${rest >= 100 || Number.isInteger(rest) ? rest.toFixed(0) : rest.toFixed(1)} ${UNITS[unit]}`
}

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB']
