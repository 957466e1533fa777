// The public API, asked with the session cookie of this browser.
import { createClient } from '@shipway/api'

export const client = createClient({ baseUrl: location.origin })

/** Narrowed to one organization: lists hold nothing of the others. */
export const clientOf = (organizationId: number) =>
  createClient({ baseUrl: location.origin, organization: organizationId })
