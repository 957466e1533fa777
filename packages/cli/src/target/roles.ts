// The roles of members, the least first.
import type { Role } from '@shipway/api'

export const ROLES = ['viewer', 'member', 'admin', 'owner'] as const satisfies readonly Role[]
