// Something that is being sent to the platform: busy, or what was wrong with it, by field.
import { ApiError } from '@shipway/api'
import { useState } from 'react'

export type Sending = {
  readonly isBusy: boolean
  /** What is wrong and belongs to no field of the form. */
  readonly fault: string | undefined
  /** What is wrong, by the pointer of the field. */
  readonly faults: ReadonlyMap<string, string>
  /** The problem as the platform told it, for those few that are answered with a question. */
  readonly error: Error | undefined
  readonly send: (action: () => Promise<unknown>) => Promise<boolean>
  readonly clear: () => void
}

const NOTHING: ReadonlyMap<string, string> = new Map()

/** `pointers` are the fields of the form: what is wrong elsewhere is told at its foot. */
export function useSending(pointers: readonly string[] = []): Sending {
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<Error>()
  const send = async (action: () => Promise<unknown>): Promise<boolean> => {
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
  return { isBusy, error, send, clear: () => setError(undefined), ...faultsOf(error, pointers) }
}

function faultsOf(error: Error | undefined, pointers: readonly string[]): Pick<Sending, 'fault' | 'faults'> {
  if (error === undefined) return { fault: undefined, faults: NOTHING }
  const told = error instanceof ApiError ? (error.problem?.errors ?? []) : []
  const faults = new Map<string, string>()
  const elsewhere: string[] = []
  for (const { pointer, detail } of told) {
    const field = pointers.find((known) => pointer === known || pointer.startsWith(`${known}/`))
    if (field === undefined) elsewhere.push(detail)
    else if (!faults.has(field)) faults.set(field, detail)
  }
  if (told.length === 0) return { fault: error.message, faults }
  return { fault: elsewhere.length === 0 ? undefined : elsewhere.join('. '), faults }
}
