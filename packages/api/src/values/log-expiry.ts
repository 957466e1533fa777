// Says when the output of a task was removed, and how old it was: the same sentence in the API, on pages and in the terminal.

type Removal = {
  /** When the task ended. */
  readonly finished_at: string | null
  readonly log_expired_at: string
}

const DAY_MS = 86_400_000

export function describeLogExpiry({ finished_at: ended, log_expired_at: removed }: Removal): string {
  const days = ended === null ? 0 : Math.floor((Date.parse(removed) - Date.parse(ended)) / DAY_MS)
  const age = days > 0 ? `, ${days} ${days === 1 ? 'day' : 'days'} after the task ended` : ''
  return `The output of this task was removed on ${removed.slice(0, 10)}${age}`
}
