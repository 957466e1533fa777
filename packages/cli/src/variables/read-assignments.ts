// Reads the arguments of `vars set`: KEY=VALUE, KEY=- for a typed or piped value, and files with such lines.
import { readFile } from 'node:fs/promises'
import { text as readText } from 'node:stream/consumers'
import { UsageError } from '../command-error.ts'
import type { Context } from '../context.ts'
import { askHidden, canAsk } from '../terminal/ask.ts'
import { plainText } from '../terminal/sanitize.ts'
import { readEnvFile } from './env-file.ts'

type Sources = {
  readonly words: readonly string[]
  readonly files: readonly string[]
  /** Whether a typed or piped value may be empty. */
  readonly allowEmpty: boolean
}

export async function readAssignments(
  ctx: Context,
  { words, files, allowEmpty }: Sources,
): Promise<Record<string, string>> {
  const values = new Map<string, string>()
  const add = (key: string, value: string): void => {
    if (values.has(key)) throw UsageError(`${plainText(key)} is given twice`)
    values.set(key, value)
  }
  const isInputUsed = files.includes('-')
  for (const file of files) {
    const content = file === '-' ? await readText(ctx.stdin) : await readNamedFile(file)
    if (file === '-' && content === '' && !allowEmpty) throw EmptyInput('Standard input is empty')
    for (const [key, value] of readEnvFile(content, file === '-' ? 'standard input' : file)) add(key, value)
  }
  const assignments = words.map(parseAssignment)
  const keys = assignments.filter(({ value }) => value === '-').map(({ key }) => key)
  refuseSharedInput(ctx, { isInputUsed, keys })
  for (const { key, value } of assignments) add(key, value)
  for (const [key, value] of await readValues(ctx, keys)) {
    if (value === '' && !allowEmpty) throw EmptyInput(`The value of ${plainText(key)} is empty`)
    values.set(key, value)
  }
  return Object.fromEntries(values)
}

function parseAssignment(word: string): { key: string; value: string } {
  const index = word.indexOf('=')
  if (index > 0) return { key: word.slice(0, index), value: word.slice(index + 1) }
  // The word may be a secret value, so it is not repeated.
  throw UsageError('Give variables as KEY=VALUE, or as KEY=- to type the value or to pipe it in')
}

/** A program that fails before it prints a secret must not delete the one that is set. */
const EmptyInput = (sentence: string) =>
  UsageError(`${sentence}, so nothing was set`, 'To set an empty value, add --allow-empty or give it as KEY=')

/** A pipe is read to its end, so it can hold only one value or file. */
function refuseSharedInput(
  ctx: Context,
  { isInputUsed, keys }: { isInputUsed: boolean; keys: readonly string[] },
): void {
  const readers = (isInputUsed ? 1 : 0) + (canAsk(ctx) && !isInputUsed ? 0 : keys.length)
  if (readers > 1)
    throw UsageError('Standard input can hold only one value', 'Give several as lines KEY=VALUE: --from-file -')
}

/** Typed where a terminal asks, else piped in. */
export async function readValues(ctx: Context, keys: readonly string[]): Promise<[key: string, value: string][]> {
  if (keys.length === 0) return []
  if (canAsk(ctx)) return askHidden(ctx, keys)
  // `echo` adds a newline. A value that really ends with a newline can come from a file.
  const value = (await readText(ctx.stdin)).replace(/\r?\n$/, '')
  return keys.map((key) => [key, value])
}

async function readNamedFile(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    throw UsageError(`${plainText(file)} could not be read: ${error instanceof Error ? error.message : String(error)}`)
  }
}
