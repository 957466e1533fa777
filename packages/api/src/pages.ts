// Follows a list to its end, page by page, as its Link header leads.
import type { RawAnswer } from './client.ts'

/** `for await (const page of pages((cursor) => client.raw.listProjects({ query: { cursor } })))` */
export async function* pages<Item>(
  readPage: (cursor: string | undefined) => Promise<RawAnswer<Item[]>>,
): AsyncGenerator<Item[], void, undefined> {
  let cursor: string | undefined
  do {
    const { body, headers } = await readPage(cursor)
    yield body
    cursor = nextCursor(headers.get('link'))
  } while (cursor !== undefined)
}

/** Of the Link header of an answer. The cursor alone is taken from the link, so that no answer can send the next request elsewhere. */
export function nextCursor(link: string | null): string | undefined {
  const address = /<([^<>]*)>\s*;\s*rel="?next"?/.exec(link ?? '')?.[1]
  if (address === undefined) return undefined
  return URL.parse(address, 'http://localhost')?.searchParams.get('cursor') ?? undefined
}
