// Reads the flags of commands that change settings: what is left out stays as it is.
import { UsageError } from './command-error.ts'
import { plainText } from './terminal/sanitize.ts'

const SWITCH = ['on', 'off'] as const

/** A flag that turns something on or off. */
export const switchFlag = <const Text extends string>(description: Text) =>
  ({ value: 'on|off', choices: SWITCH, description }) as const

export const readSwitch = (value: string | undefined): boolean | undefined =>
  value === undefined ? undefined : value === 'on'

/** Of a flag that is checked by its choices: the same text, typed. */
export const readChoice = <Choice extends string>(
  choices: readonly Choice[],
  value: string | undefined,
): Choice | undefined => choices.find((each) => each === value)

export function readNumber(flag: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined
  if (!/^\d{1,9}(\.\d{1,3})?$/.test(value)) throw UsageError(`${flag} must be a number, not ${plainText(value)}`)
  return Number(value)
}

/** `word` stands for null, such as `never` or `none`. */
export const orNull = <Value extends string, Word extends string>(
  value: Value | undefined,
  word: Word,
): Exclude<Value, Word> | null | undefined => (value === undefined || isOther(value, word) ? value : null)

const isOther = <Value extends string, Word extends string>(value: Value, word: Word): value is Exclude<Value, Word> =>
  String(value) !== word

/** A list that is given as a whole; `none` alone empties it. */
export function readList(values: readonly string[]): string[] | undefined {
  if (values.length === 0) return undefined
  return values.length === 1 && values[0] === 'none' ? [] : [...values]
}

type DefinedFields<Fields> = { readonly [Name in keyof Fields]?: Exclude<Fields[Name], undefined> }

/** Without the fields that are undefined. */
export const given = <const Fields extends object>(fields: Fields): DefinedFields<Fields> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as DefinedFields<Fields>

/** The same, for a change: nothing to change is an error. */
export function changesOf<const Fields extends object>(fields: Fields): DefinedFields<Fields> {
  const changes = given(fields)
  if (Object.keys(changes).length === 0)
    throw UsageError('Give at least one setting to change', 'Add --help to see them')
  return changes
}

/** `expire_after` as `expire-after`, the name of its flag. */
export const changedNames = (changes: object): string => Object.keys(changes).join(', ').replaceAll('_', '-')
