// Reads a list to its end: names are looked for in all of it.
import type { RawAnswer } from '@shipway/api'
import { pages } from '@shipway/api/pages'
import { TooLarge } from '../http/answer-limits.ts'

export async function readAllPages<Item>(
  readPage: (cursor: string | undefined) => Promise<RawAnswer<Item[]>>,
): Promise<Item[]> {
  const all: Item[] = []
  let characters = 0
  let count = 0
  for await (const page of pages(readPage)) {
    characters += JSON.stringify(page).length
    if (++count > MOST_PAGES || characters > MOST_CHARACTERS) throw TooLarge()
    for (const item of page) all.push(item)
  }
  return all
}

/** A platform that always has one more page would be read for ever. */
const MOST_PAGES = 1_000
const MOST_CHARACTERS = 64 * 1024 * 1024

/** As many at a time as the platform gives. */
export const PAGE_SIZE = 200
