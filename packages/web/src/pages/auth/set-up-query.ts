// Whether the platform is set up, and whether it sends mail.
import { queryOptions } from '@tanstack/react-query'
import { client } from '../../data/client.ts'

export const setUpQuery = queryOptions({ queryKey: ['set-up'], queryFn: ({ signal }) => client.getSetUp({ signal }) })
