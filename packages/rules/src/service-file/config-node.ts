/** A node of `.service.yml`: its path, its value, and its position for faults. */
import { isMap, isScalar, isSeq, type YAMLMap } from 'yaml'
import type { z } from 'zod'
import { didYouMean } from '../did-you-mean.ts'
import type { FileFault, FilePosition } from './repository-config.ts'
import { keyText, offsetOf, quoteKey } from './repository-yaml.ts'

/**
 * Readers record faults and continue, so that the user sees all of them at once. For a faulty value they return undefined, which
 * is never used: a file with a fault yields no configuration.
 */
export type ConfigNode = {
  readonly path: string
  readonly value: unknown
  /** Of the value, or of the key if there is no value. */
  readonly offset: number
  readonly keyOffset: number
  readonly file: { readonly faults: FileFault[]; readonly positionAt: (offset: number) => FilePosition }
}

export type Entry = { readonly name: string; readonly node: ConfigNode }

export function addFault({ file, path }: ConfigNode, offset: number, sentence: string): undefined {
  file.faults.push({ ...file.positionAt(offset), path, sentence: path === '' ? sentence : `${path}: ${sentence}` })
}

/** Records a missing key, unless a misspelt one is there, which `readSection` reports. */
export function addMissingKey(
  node: ConfigNode,
  key: string,
  { offset, sentence }: { offset: number; sentence: string },
) {
  if (entriesOf(node).some(({ name }) => didYouMean(name, [key]) === key)) return
  addFault(node, offset, sentence)
}

/** A single value, checked by its schema. */
export function readValue<T>(node: ConfigNode, schema: z.ZodType<T>): T | undefined {
  const content = singleValue(node)
  if (content === null || typeof content === 'object') return addFault(node, node.offset, 'Give a single value')
  const result = schema.safeParse(content)
  return result.success ? result.data : addFault(node, node.offset, result.error.issues[0]?.message ?? 'Not valid')
}

/** Null for a value that the file leaves out. */
export function readOptional<T>(node: ConfigNode | undefined, schema: z.ZodType<T>): T | null {
  return node ? (readValue(node, schema) ?? null) : null
}

/** The entries of a map whose keys are names that the file chooses. */
export function readEntries(node: ConfigNode, names: z.ZodType<string>, max: number): readonly Entry[] {
  const entries = expectMap(node, 'a map of names')
  if (entries.length > max) addFault(node, node.keyOffset, `At most ${max} entries are allowed here`)
  return entries.slice(0, max).filter(({ name, node: entry }) => {
    const { error } = names.safeParse(name)
    if (error) addFault(entry, entry.keyOffset, error.issues[0]?.message ?? 'Not valid')
    return error === undefined
  })
}

/** The entries of a map whose keys are known; asking for another key does not compile. */
export function readSection<Key extends string>(
  node: ConfigNode,
  known: readonly Key[],
): (key: Key) => ConfigNode | undefined {
  const entries = new Map(expectMap(node, `a map with ${known.join(', ')}`).map((entry) => [entry.name, entry.node]))
  const names: readonly string[] = known
  for (const [name, entry] of entries) {
    if (names.includes(name)) continue
    const meant = didYouMean(name, known)
    const advice = meant ? `did you mean ${meant}?` : `known here: ${known.join(', ')}`
    const { file, path, keyOffset } = entry
    file.faults.push({ ...file.positionAt(keyOffset), path, sentence: `${path} is not a known key; ${advice}` })
  }
  return (key) => entries.get(key)
}

export function readList(node: ConfigNode, max: number): readonly ConfigNode[] | undefined {
  const { value, file, path } = node
  if (!isSeq(value)) return addFault(node, node.offset, 'Give a list')
  if (value.items.length > max) addFault(node, node.offset, `At most ${max} entries are allowed here`)
  return value.items.slice(0, max).map((item, index) => {
    const offset = offsetOf(item) ?? node.offset
    return { path: `${path}[${index}]`, value: item, offset, keyOffset: offset, file }
  })
}

export const isList = ({ value }: ConfigNode): boolean => isSeq(value)
export const isSection = ({ value }: ConfigNode): boolean => isMap(value)
export const isNothing = (node: ConfigNode): boolean => singleValue(node) === null

/** The scalar's value; for a list or a map, the node itself. */
export const singleValue = ({ value }: ConfigNode): unknown => (isScalar(value) ? value.value : value)

/** Empty if the node is not a map. */
export function entriesOf(node: ConfigNode): readonly Entry[] {
  return isMap(node.value) ? node.value.items.map((pair) => entryOf(node, pair)) : []
}

function expectMap(node: ConfigNode, expected: string): readonly Entry[] {
  if (!isMap(node.value)) addFault(node, node.offset, `Give ${expected}`)
  return entriesOf(node)
}

function entryOf({ path, file, offset }: ConfigNode, { key, value }: YAMLMap['items'][number]): Entry {
  const name = keyText(key) ?? ''
  const keyOffset = offsetOf(key) ?? offset
  const own = path === '' ? quoteKey(name) : `${path}.${quoteKey(name)}`
  return { name, node: { path: own, value, keyOffset, offset: valueOffset(value) ?? keyOffset, file } }
}

/** An omitted value has an offset after the colon, which does not help the user. */
function valueOffset(value: unknown): number | undefined {
  return isScalar(value) && value.source === '' ? undefined : offsetOf(value)
}
