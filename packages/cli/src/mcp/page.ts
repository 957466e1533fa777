// Pages of a list in an answer: as many items as fit, and where the next ones begin.
import { z } from 'zod'
import { type OwnWords, own } from './own-words.ts'
import type { ToolAnswer } from './tool.ts'
import { fitToLimit } from './tool-result.ts'

export const PageInput = {
  skip: z.int().min(0).max(1_000_000).optional().describe('Leave out this many: next_skip of an earlier answer'),
}

export const PageOutput = {
  total: z.int(),
  next_skip: z.int().nullable().describe('There are more: call again with it as skip. Null at the end'),
}

export type Page<Item> = {
  readonly items: readonly Item[]
  readonly total: number
  readonly next_skip: number | null
  /** Says what is left out, and how to get it; empty if nothing is. */
  readonly note: OwnWords
}

export function pageOf<Item, Output>(
  all: readonly Item[],
  skip: number | undefined,
  answer: (page: Page<Item>) => ToolAnswer<Output>,
): ToolAnswer<Output> {
  const rest = all.slice(skip ?? 0)
  return fitToLimit(rest.length, (most) => {
    const items = rest.slice(0, most)
    const end = (skip ?? 0) + items.length
    const next_skip = items.length < rest.length ? end : null
    const note =
      next_skip === null ? own`` : own` These are ${items.length} of them. For more, call again with skip ${end}.`
    return answer({ items, total: all.length, next_skip, note })
  })
}
