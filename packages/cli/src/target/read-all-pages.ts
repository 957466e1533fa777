// Reads all pages of a list, since names are searched in the whole list.
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

/** A hostile platform could send pages for ever. */
const MOST_PAGES = 1_000
const MOST_CHARACTERS = 64 * 1024 * 1024

/** The largest page that the platform serves. */
export const PAGE_SIZE = 200
