// Whether the platform has its first user, and whether it can send mails.
import { queryOptions } from '@tanstack/react-query'
import { client } from '../../data/client.ts'

export const setUpQuery = queryOptions({ queryKey: ['set-up'], queryFn: ({ signal }) => client.getSetUp({ signal }) })
