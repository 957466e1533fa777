// How a server is: what the last look at it found, how full it is, and what runs there.
import { queryOptions } from '@tanstack/react-query'
import { client } from '../../data/client.ts'
import { keys } from '../../data/keys.ts'

/** A new check is told of. Tasks and environments on a server come and go without a message about it. */
const EVERY_MS = 30_000

export const healthQuery = (id: number) =>
  queryOptions({
    queryKey: keys.serverHealth(id),
    queryFn: ({ signal }) => client.getServerHealth({ params: { id }, signal }),
    refetchInterval: EVERY_MS,
  })
