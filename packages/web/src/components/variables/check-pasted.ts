// Checks each line of a pasted `.env`: new, replaces a variable, empty, or refused with the reason.
import {
  type EnvEntry,
  type ParsedEnv,
  type Recipe,
  reservedFor,
  VARIABLE_LIMITS,
  type Variable,
  VariableKey,
  VariableValue,
} from '@shipway/api'

export type KnownVariable = Variable & { readonly source?: 'environment' | 'project' }
export type Verdict = 'new' | 'replaces' | 'empty' | 'refused'
export type CheckedLine = {
  readonly line: number
  /** Undefined if the key is invalid, because that text may be part of a secret. */
  readonly key: string | undefined
  readonly verdict: Verdict
  /** Shown after the line number. */
  readonly detail: string | undefined
  /** Variable that it replaces. */
  readonly replaced: KnownVariable | undefined
}

type PasteContext = { readonly known: readonly KnownVariable[]; readonly recipe: Recipe }

export function checkPasted({ entries, faults }: ParsedEnv, context: PasteContext): readonly CheckedLine[] {
  const known = new Map(context.known.map((variable) => [variable.key, variable]))
  const checked = entries.map((entry) => checkEntry(entry, known, context.recipe))
  const unread = faults.map(({ line, sentence }) => ({ line, ...refused(undefined, sentence) }))
  return [...checked, ...unread].toSorted((one, other) => one.line - other.line)
}

function checkEntry(entry: EnvEntry, known: ReadonlyMap<string, KnownVariable>, recipe: Recipe): CheckedLine {
  const { key, value, line, earlier } = entry
  const fault = keyFault(key, recipe) ?? valueFault(value)
  if (fault !== undefined) return { line, ...refused(VariableKey.safeParse(key).success ? key : undefined, fault) }
  const replaced = known.get(key)
  const notes = [value === '' && 'an empty value is allowed', describeEarlier(earlier)].filter(Boolean)
  return {
    line,
    key,
    verdict: value === '' ? 'empty' : replaced ? 'replaces' : 'new',
    detail: notes.length === 0 ? undefined : notes.join(', '),
    replaced,
  }
}

const refused = (key: string | undefined, detail: string) =>
  ({ key, verdict: 'refused', detail, replaced: undefined }) as const

/** Reason without a final period. */
export function keyFault(key: string, recipe: Recipe): string | undefined {
  const parsed = VariableKey.safeParse(key)
  if (!parsed.success) return `is not a valid key. ${parsed.error.issues[0]?.message ?? ''}`.trim()
  if (!reservedFor(key, recipe)) return undefined
  if (!reservedFor(key, 'docker')) return `the manual recipe reserves ${key} for the shell of the server`
  const prefix = `${key.split('_', 1)[0]}_`
  return `${prefix} variables are set by the platform`
}

function valueFault(value: string): string | undefined {
  const parsed = VariableValue.safeParse(value)
  return parsed.success ? undefined : `its value is refused: ${lowered(parsed.error.issues[0]?.message ?? '')}`
}

const lowered = (sentence: string): string => sentence.charAt(0).toLowerCase() + sentence.slice(1)

function describeEarlier(earlier: readonly number[]): string | undefined {
  if (earlier.length === 0) return undefined
  return `the last of ${earlier.length + 1} (${earlier.map((line) => `line ${line}`).join(', ')} left out)`
}

/** Reason why nothing can be saved. */
export function tooMany(checked: readonly CheckedLine[], known: readonly KnownVariable[]): string | undefined {
  const own = known.filter(({ source }) => source !== 'project').map(({ key }) => key)
  const after = new Set([...own, ...checked.flatMap(({ key }) => key ?? [])])
  if (after.size <= VARIABLE_LIMITS.keys) return undefined
  return `At most ${VARIABLE_LIMITS.keys} variables are allowed; this would make ${after.size}`
}
