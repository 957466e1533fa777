// The output as text to copy: the marked lines, or everything that is kept.
import type { LineStore } from '../../../data/log/line-store.ts'
import type { MarkedLines } from './marked-lines.ts'

export function textOf(store: LineStore, marked: MarkedLines | undefined): string {
  const first = marked === undefined ? store.dropped : Math.max(store.dropped, marked.first - 1)
  const end = marked === undefined ? store.count : Math.min(store.count, marked.last)
  const lines: string[] = []
  for (let line = first; line < end; line++) lines.push(store.textAt(line))
  return `${lines.join('\n')}\n`
}
