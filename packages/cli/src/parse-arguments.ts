// Parses the arguments and flags of a command, with Node's own parser.
import { parseArgs } from 'node:util'
import { ArgumentError, UnknownArgument } from './argument-error.ts'
import { type Command, type Flag, type Flags, flagName, GLOBAL_FLAGS } from './command.ts'
import type { GlobalFlags } from './context.ts'
import { plainText } from './terminal/sanitize.ts'

type ParsedArguments = { readonly words: readonly string[]; readonly flags: object; readonly globals: GlobalFlags }

/** `path` is the name of the command, for error messages. */
export function parseArguments(command: Command, argv: readonly string[], path: readonly string[]): ParsedArguments {
  const flags: Flags = { ...GLOBAL_FLAGS, ...command.flags }
  const given = new Map<string, string[]>()
  const words: string[] = []
  for (const token of tokensOf(argv, flags)) {
    if (token.kind === 'positional') words.push(token.value)
    if (token.kind !== 'option') continue
    const [name, flag] = Object.entries(flags).find(([each]) => flagName(each) === `--${token.name}`) ?? []
    if (name === undefined || !flag)
      throw UnknownArgument({ kind: 'flag', given: token.rawName, known: knownFlags(flags) }, path)
    checkValue(token.rawName, flag, token.value, path)
    given.set(name, [...(given.get(name) ?? []), token.value ?? ''])
  }
  checkWords(command, words, path)
  return { words, flags: valuesOf(command.flags, given, path), globals: valuesOf(GLOBAL_FLAGS, given, path) }
}

function tokensOf(argv: readonly string[], flags: Flags) {
  const options = Object.entries(flags).map(([name, { short, value }]) => {
    const type = value === undefined ? ('boolean' as const) : ('string' as const)
    return [flagName(name).slice(2), short === undefined ? { type } : { type, short }] as const
  })
  return parseArgs({
    args: [...argv],
    options: Object.fromEntries(options),
    strict: false,
    allowPositionals: true,
    tokens: true,
  }).tokens
}

function checkValue(name: string, flag: Flag, value: string | undefined, path: readonly string[]): void {
  if (flag.value !== undefined && value === undefined)
    throw ArgumentError(`${name} needs a value: ${name} <${flag.value}>`, path)
  if (flag.value === undefined && value !== undefined) throw ArgumentError(`${name} takes no value`, path)
  if (flag.choices && !flag.choices.includes(value ?? '')) {
    throw ArgumentError(`${name} must be one of ${flag.choices.join(', ')}`, path)
  }
}

/** Arguments in brackets are optional; the last one may stand for several. */
function checkWords({ words: known = [] }: Command, words: readonly string[], path: readonly string[]): void {
  const missing = known.slice(words.length).find(({ name }) => !name.startsWith('['))
  if (missing) throw ArgumentError(`missing argument: ${missing.name.replace('...', '')}`, path)
  const isOpenEnded = known.some(({ name }) => name.includes('...'))
  const extra = isOpenEnded ? undefined : words[known.length]
  if (extra !== undefined) throw ArgumentError(`unexpected argument: ${plainText(extra)}`, path)
}

/** A missing flag without a value is `false`; a repeatable flag is a list. */
function valuesOf(flags: Flags, given: ReadonlyMap<string, readonly string[]>, path: readonly string[]): object {
  const entries = Object.entries(flags).map(([name, { value, isRepeatable, isRequired }]) => {
    const values = given.get(name) ?? []
    if (isRequired && values.length === 0)
      throw ArgumentError(`${flagName(name)} is missing: ${flagName(name)} <${value}>`, path)
    if (isRepeatable) return [name, values]
    return [name, value === undefined ? values.length > 0 : values.at(-1)]
  })
  return Object.fromEntries(entries)
}

const knownFlags = (flags: Flags): string[] => [...Object.keys(flags).map(flagName), '--help']
