// Positions of the keys of a compose file, by the names that refusals and notes use.
import { type Document, isMap, isScalar, isSeq, type LineCounter, type Node } from 'yaml'
import type { FilePosition } from '../../service-file/repository-config.ts'
import { within } from '../policy/refusal.ts'

export type KeyPositions = ReadonlyMap<string, FilePosition>

/** For maps the position of the key, for lists that of the entry. For aliases, the position of the original. */
export function keyPositions(document: Document, lines: LineCounter): KeyPositions {
  const positions = new Map<string, FilePosition>()
  const note = (key: string, node: unknown): void => {
    const offset = isNodeWithRange(node) ? node.range[0] : undefined
    if (offset === undefined || positions.has(key)) return
    const { line, col } = lines.linePos(offset)
    positions.set(key, { line, column: col })
  }
  // Iterative, so that no depth exhausts the stack.
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

/** Faults do not point deeper. */
const DEEPEST = 8

const isNodeWithRange = (node: unknown): node is Node & { readonly range: readonly [number, number, number] } =>
  typeof node === 'object' && node !== null && 'range' in node && Array.isArray(node.range)

/** The position of the key, or of its parent: short forms have no keys of their own. */
export function positionIn(positions: KeyPositions, key: string): FilePosition | undefined {
  for (let name = key; name !== ''; name = name.replace(LAST_PART, '')) {
    const found = positions.get(name)
    if (found) return found
    if (!LAST_PART.test(name)) return undefined
  }
  return undefined
}

const LAST_PART = /(?:(?:^|\.)[A-Za-z0-9_-]+|\[\d+\]|\["[^"]*"\])$/
