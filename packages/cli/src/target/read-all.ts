// Reads a list to its end: names are looked for in all of it.
import type { RawAnswer } from '@shipway/api'
import { pages } from '@shipway/api/pages'

export async function readAll<Item>(
  readPage: (cursor: string | undefined) => Promise<RawAnswer<Item[]>>,
): Promise<Item[]> {
  const all: Item[] = []
  for await (const page of pages(readPage)) all.push(...page)
  return all
}

/** As many at a time as the platform gives. */
export const MOST_AT_A_TIME = 200
