// The result of one check of the doctor.
export type Finding = {
  readonly name: string
  readonly outcome: 'ok' | 'warning' | 'failed'
  readonly detail: string
  /** What to do about it; only where it is not ok. */
  readonly fix?: string
}

export const ok = (name: string, detail: string): Finding => ({ name, outcome: 'ok', detail })
export const warning = (name: string, detail: string, fix: string): Finding => ({
  name,
  outcome: 'warning',
  detail,
  fix,
})
export const failed = (name: string, detail: string, fix: string): Finding => ({
  name,
  outcome: 'failed',
  detail,
  fix,
})

export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
