// The sentences of the policy for compose files. They contain names of keys, never values, which may be secret.
import { safeText } from '../../safe-text.ts'
import type { Refusal } from '../model.ts'
import type { Capability } from './capabilities.ts'

export type Reason = {
  /** What the key does, after its name: `gives the container all rights on the machine`. */
  readonly what: string
  /** What to do, in the imperative. */
  readonly advice?: string
  /** Null: it cannot be granted. */
  readonly capability?: Capability | null
}

export function refusal(key: string, { what, advice = 'Remove it', capability = null }: Reason): Refusal {
  const grant = capability === null ? '' : `. An organization owner can grant "${capability}" to this environment`
  return { key, sentence: `${key} ${what}. ${advice}${grant}`, capability }
}

/** The name of a thing inside another: `services.web`, `labels["a.b"]`. Names come from the repository. */
export function within(key: string, name: string | number): string {
  if (typeof name === 'number') return `${key}[${name}]`
  const shown = safeText(name)
    .slice(0, MAX_NAME)
    .replace(/[\n\t"]/g, ' ')
  if (!/^[A-Za-z0-9_-]+$/.test(shown)) return `${key}["${shown}"]`
  return key === '' ? shown : `${key}.${shown}`
}

const MAX_NAME = 80
