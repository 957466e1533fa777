// Health of a server: last check, disk, running tasks.
import { queryOptions } from '@tanstack/react-query'
import { client } from '../../data/client.ts'
import { keys } from '../../data/keys.ts'

/** Polled: only new checks have events, tasks and environments of a server do not. */
const EVERY_MS = 30_000

export const healthQuery = (id: number) =>
  queryOptions({
    queryKey: keys.serverHealth(id),
    queryFn: ({ signal }) => client.getServerHealth({ params: { id }, signal }),
    refetchInterval: EVERY_MS,
  })
