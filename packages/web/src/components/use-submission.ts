// State of a form submission: busy, or the errors by field.
import { ApiError } from '@shipway/api'
import { useState } from 'react'

export type Submission = {
  readonly isBusy: boolean
  /** Errors that belong to no field of the form. */
  readonly formError: string | undefined
  /** Errors by the JSON pointer of their field. */
  readonly fieldErrors: ReadonlyMap<string, string>
  /** The error itself, for callers that handle certain codes. */
  readonly error: Error | undefined
  readonly submit: (action: () => Promise<unknown>) => Promise<boolean>
  readonly clear: () => void
}

const NOTHING: ReadonlyMap<string, string> = new Map()

/** `pointers` are the fields of the form; errors elsewhere become the form error. */
export function useSubmission(pointers: readonly string[] = []): Submission {
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<Error>()
  const submit = async (action: () => Promise<unknown>): Promise<boolean> => {
    setBusy(true)
    setError(undefined)
    try {
      await action()
      return true
    } catch (problem) {
      setError(problem instanceof Error ? problem : new Error(String(problem)))
      return false
    } finally {
      setBusy(false)
    }
  }
  return { isBusy, error, submit, clear: () => setError(undefined), ...errorsOf(error, pointers) }
}

function errorsOf(
  error: Error | undefined,
  pointers: readonly string[],
): Pick<Submission, 'formError' | 'fieldErrors'> {
  if (error === undefined) return { formError: undefined, fieldErrors: NOTHING }
  const problems = error instanceof ApiError ? (error.problem?.errors ?? []) : []
  const fieldErrors = new Map<string, string>()
  const elsewhere: string[] = []
  for (const { pointer, detail } of problems) {
    const field = pointers.find((known) => pointer === known || pointer.startsWith(`${known}/`))
    if (field === undefined) elsewhere.push(detail)
    else if (!fieldErrors.has(field)) fieldErrors.set(field, detail)
  }
  if (problems.length === 0) return { formError: error.message, fieldErrors }
  return { formError: elsewhere.length === 0 ? undefined : elsewhere.join('. '), fieldErrors }
}
