// Personal tokens of the user: by name or id.
import type { Client, PersonalToken } from '@shipway/api'
import { findByName, readId } from './find-by-name.ts'
import { PAGE_SIZE, readAllPages } from './read-all-pages.ts'

export const listTokens = (client: Client): Promise<PersonalToken[]> =>
  readAllPages((cursor) => client.raw.listTokens({ query: { limit: PAGE_SIZE, cursor } }))

export async function findToken(client: Client, wanted: string): Promise<PersonalToken> {
  const tokens = await listTokens(client)
  const id = readId(wanted)
  return tokens.find((token) => token.id === id) ?? findByName('token', wanted, tokens)
}
