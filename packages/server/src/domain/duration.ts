// A time limit in words, exactly as long as it is.

/** Whole minutes as minutes, whatever else as seconds: a user who wrote `90s` reads `90 seconds`. */
export function durationInWords(ms: number): string {
  const seconds = Math.round(ms / 1000)
  return seconds % 60 === 0 ? counted(seconds / 60, 'minute') : counted(seconds, 'second')
}

const counted = (count: number, unit: string): string => `${count} ${unit}${count === 1 ? '' : 's'}`
