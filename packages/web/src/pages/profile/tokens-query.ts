// All personal tokens of the user.
import { type PersonalToken, pages } from '@shipway/api'
import { queryOptions } from '@tanstack/react-query'
import { client } from '../../data/client.ts'
import { keys } from '../../data/keys.ts'

export const tokensQuery = queryOptions({
  queryKey: keys.tokens,
  queryFn: async ({ signal }): Promise<readonly PersonalToken[]> => {
    const tokens: PersonalToken[] = []
    const read = (cursor: string | undefined) => client.raw.listTokens({ query: { limit: 200, cursor }, signal })
    for await (const page of pages(read)) tokens.push(...page)
    return tokens
  },
})
