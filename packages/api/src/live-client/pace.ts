// The times and bounds of the live channel's client. Tests shorten them.

export type Pace = {
  /** A pause before the next try is anywhere between nothing and twice the one before: the shortest bound, and the longest. */
  readonly shortestMs: number
  readonly longestMs: number
  /** Pages come back from a restart spread over this time. */
  readonly restartMs: number
  /** A connection that lasted this long was a good one: the next pause is short again. */
  readonly steadyMs: number
  /** How long opening and signing in may take together. */
  readonly openMs: number
  /** How long nothing may come before the platform is asked whether it is there, and how long it has for an answer. */
  readonly silenceMs: number
  readonly answerMs: number
  /** What may wait for a slow reader. */
  readonly mostMessages: number
  readonly mostCharacters: number
  readonly random: () => number
}

export const USUAL_PACE: Pace = {
  shortestMs: 250,
  longestMs: 15_000,
  restartMs: 500,
  steadyMs: 10_000,
  openMs: 10_000,
  silenceMs: 30_000,
  answerMs: 10_000,
  mostMessages: 10_000,
  mostCharacters: 4 * 1024 * 1024,
  random: Math.random,
}
