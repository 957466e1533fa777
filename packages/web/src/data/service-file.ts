// The text of the `.service.yml` in a project's settings. The digest in the project says when it changes.
import type { Project } from '@shipway/api'
import { queryOptions } from '@tanstack/react-query'
import { client } from './client.ts'

export const serviceFileQuery = ({ id, service_file_digest: digest }: Project) =>
  queryOptions({
    queryKey: ['service-file', id, digest],
    queryFn: ({ signal }) => client.getServiceFile({ params: { id }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })
