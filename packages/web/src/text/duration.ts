// Durations: 0.8 s, 41 s, 3:46, 1:02:09.
export function formatDuration(ms: number): string {
  const seconds = ms / 1000
  if (seconds < 10) return `${seconds.toFixed(1)} s`
  if (seconds < 60) return `${Math.floor(seconds)} s`
  const whole = Math.floor(seconds)
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60]
  const two = (number: number): string => String(number).padStart(2, '0')
  return hours === 0 ? `${minutes}:${two(rest)}` : `${hours}:${two(minutes)}:${two(rest)}`
}

/** For running tasks: whole seconds only, so that the layout does not jump. */
export const formatRunning = (ms: number): string => (ms < 10_000 ? `${Math.floor(ms / 1000)} s` : formatDuration(ms))
