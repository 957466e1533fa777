// Finds a record by its name. The error for an unknown name lists the known ones and suggests the nearest.
import { CommandError } from '../command-error.ts'
import { EXIT } from '../exit-code.ts'
import { nearest } from '../nearest.ts'
import { plainText } from '../terminal/sanitize.ts'

export type Named = { readonly id: number; readonly name: string }
export type Kind =
  | 'project'
  | 'environment'
  | 'server'
  | 'node'
  | 'organization'
  | 'service'
  | 'channel'
  | 'connection'
  | 'member'
  | 'token'
  | 'webhook'
  | 'invitation'

/** By the exact name, else by one that differs in capitals only. */
export function findByName<Thing extends Named>(kind: Kind, wanted: string, things: readonly Thing[]): Thing {
  const exact = things.filter(({ name }) => name === wanted)
  const found = exact.length > 0 ? exact : things.filter(({ name }) => name.toLowerCase() === wanted.toLowerCase())
  if (found.length > 1) throw Ambiguous(kind, wanted, found)
  if (!found[0]) throw NameNotFound(kind, wanted, things)
  return found[0]
}

/** Only digits are an id. Undefined for everything else. */
export function readId(text: string): number | undefined {
  return /^[1-9][0-9]{0,15}$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : undefined
}

export function NameNotFound(kind: Kind, wanted: string, things: readonly Named[]): CommandError {
  const names = things.map(({ name }) => plainText(name))
  const near = nearest(wanted, names)
  const sentence = `No ${kind} is called ${plainText(wanted)}.${near === undefined ? '' : ` Did you mean ${near}?`}`
  return new CommandError(sentence, {
    code: `${kind}_not_found`,
    exitCode: EXIT.notFound,
    advice: listNames(kind, names),
    fields: { known: names.slice(0, MOST_NAMES), ...(near !== undefined && { nearest: near }) },
  })
}

const Ambiguous = (kind: Kind, wanted: string, found: readonly Named[]): CommandError =>
  new CommandError(`Several ${kind}s are called ${plainText(wanted)}`, {
    code: `${kind}_ambiguous`,
    exitCode: EXIT.usage,
    advice: [`Give the id of one: ${found.map(({ id }) => id).join(', ')}`],
  })

const MOST_NAMES = 40

/** One indented line with at most `MOST_NAMES` names. */
export function listNames(kind: Kind, names: readonly string[]): string[] {
  if (names.length === 0) return [`There are no ${kind}s that you can see`]
  const more = names.length > MOST_NAMES ? [`and ${names.length - MOST_NAMES} more`] : []
  return [`  ${[...names.slice(0, MOST_NAMES), ...more].join('   ')}`]
}
