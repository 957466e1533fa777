// Where the keys of a compose file stand in its text, by the names that refusals and notes have for them.
import { type Document, isMap, isScalar, isSeq, type LineCounter, type Node } from 'yaml'
import type { FilePosition } from '../../service-file/repository-config.ts'
import { within } from '../policy/refusal.ts'

export type KeyPositions = ReadonlyMap<string, FilePosition>

/** Of maps the place of the key, of lists that of the entry. What an alias repeats stands where it was written first. */
export function keyPositions(document: Document, lines: LineCounter): KeyPositions {
  const positions = new Map<string, FilePosition>()
  const note = (key: string, node: unknown): void => {
    const offset = isNodeWithRange(node) ? node.range[0] : undefined
    if (offset === undefined || positions.has(key)) return
    const { line, col } = lines.linePos(offset)
    positions.set(key, { line, column: col })
  }
  // Walked with a list of our own rather than by calls, so that no depth exhausts the stack.
  const open: { readonly key: string; readonly node: unknown; readonly depth: number }[] = []
  if (document.contents) open.push({ key: '', node: document.contents, depth: 0 })
  for (let next = open.pop(); next; next = open.pop()) {
    const { key, node, depth } = next
    if (depth > DEEPEST) continue
    if (isMap(node)) {
      for (const pair of node.items) {
        if (!isScalar(pair.key)) continue
        const name = within(key, String(pair.key.value))
        note(name, pair.key)
        open.push({ key: name, node: pair.value, depth: depth + 1 })
      }
    } else if (isSeq(node)) {
      node.items.forEach((item, index) => {
        note(within(key, index), item)
        open.push({ key: within(key, index), node: item, depth: depth + 1 })
      })
    }
  }
  return positions
}

/** As deep as faults point. */
const DEEPEST = 8

const isNodeWithRange = (node: unknown): node is Node & { readonly range: readonly [number, number, number] } =>
  typeof node === 'object' && node !== null && 'range' in node && Array.isArray(node.range)

/** The key itself, or what it stands in: a short form has no keys of its own. */
export function positionIn(positions: KeyPositions, key: string): FilePosition | undefined {
  for (let name = key; name !== ''; name = name.replace(LAST_PART, '')) {
    const found = positions.get(name)
    if (found) return found
    if (!LAST_PART.test(name)) return undefined
  }
  return undefined
}

const LAST_PART = /(?:(?:^|\.)[A-Za-z0-9_-]+|\[\d+\]|\["[^"]*"\])$/
