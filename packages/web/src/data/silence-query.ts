// Whether alerts of an environment are silenced.
import { queryOptions } from '@tanstack/react-query'
import { client } from './client.ts'
import { keys } from './keys.ts'

export const silenceQuery = (environmentId: number) =>
  queryOptions({
    queryKey: keys.silence(environmentId),
    queryFn: ({ signal }) => client.getSilence({ params: { id: environmentId }, signal }),
  })
