// A time limit in words, exactly as long as it is.

/** Whole minutes as minutes, whatever else as seconds: a user who wrote `90s` reads `90 seconds`. */
export function durationInWords(ms: number): string {
  const seconds = Math.round(ms / 1000)
  return seconds % 60 === 0 ? counted(seconds / 60, 'minute') : counted(seconds, 'second')
}

const counted = (count: number, unit: string): string => `${count} ${unit}${count === 1 ? '' : 's'}`

/** How long something took, to two units: `42 s`, `3 min 5 s`, `1 h 2 min`. */
export function elapsedInWords(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000))
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)]
  if (hours > 0) return `${hours} h ${minutes} min`
  return minutes > 0 ? `${minutes} min ${seconds % 60} s` : `${seconds} s`
}
