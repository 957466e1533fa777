// API clients that use the browser's session cookie.
import { createClient } from '@shipway/api'

export const client = createClient({ baseUrl: location.origin })

/** Limited to one organization. */
export const clientOf = (organizationId: number) =>
  createClient({ baseUrl: location.origin, organization: organizationId })
