// Edited fields of a form on top of the current record.
import { useState } from 'react'

export type Draft<Fields> = {
  readonly fields: Fields
  /** Fields that differ from the record: the body to send. */
  readonly changes: Partial<Fields>
  readonly isChanged: boolean
  readonly set: <Key extends keyof Fields>(key: Key, value: Fields[Key]) => void
  readonly reset: () => void
}

export function useDraft<Fields extends Readonly<Record<string, unknown>>>(record: Fields): Draft<Fields> {
  const [typed, setTyped] = useState<Partial<Fields>>({})
  const changed = Object.entries(typed).filter(([key, value]) => JSON.stringify(value) !== JSON.stringify(record[key]))
  return {
    fields: { ...record, ...typed },
    changes: Object.fromEntries(changed) as Partial<Fields>,
    isChanged: changed.length > 0,
    set: (key, value) => setTyped((before) => ({ ...before, [key]: value })),
    reset: () => setTyped({}),
  }
}
