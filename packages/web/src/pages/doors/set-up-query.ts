// Whether the platform has its first user, and whether it can send mails.
import { queryOptions } from '@tanstack/react-query'
import { coming } from './coming.ts'

export const setUpQuery = queryOptions({ queryKey: ['set-up'], queryFn: () => coming.getSetUp(), retry: false })
