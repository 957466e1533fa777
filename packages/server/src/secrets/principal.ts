// What certificates for one server name. It is no secret: what matters is that the machine lets in this one and no other.
import { randomBytes } from 'node:crypto'

/** The organization's number stands in it, so that a machine can tell its servers from those of others. */
export const newPrincipal = (organizationId: number): string =>
  `shipway-${organizationId}-${randomBytes(16).toString('hex')}`
