// API clients that use the browser's session cookie.
import { createClient } from '@shipway/api'
import { fetchNotingVersion } from './new-version.ts'

const platform = { baseUrl: location.origin, fetch: fetchNotingVersion }

export const client = createClient(platform)

/** Limited to one organization. */
export const clientOf = (organizationId: number) => createClient({ ...platform, organization: organizationId })
