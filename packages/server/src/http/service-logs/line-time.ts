// The place of a line in the logs of an environment: its time in microseconds.

/** Of a time such as 2026-11-16T07:16:33.203343868Z. */
export function microsOf(time: string): number {
  return secondOf(time) * 1_000_000 + Number(time.slice(20, 26))
}

let last = { text: '', second: 0 }

/** Most lines have the second of the line before. */
export function secondOf(time: string): number {
  const text = time.slice(0, 19)
  if (text !== last.text) last = { text, second: Math.floor(Date.parse(`${text}Z`) / 1000) }
  return last.second
}
