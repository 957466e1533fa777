// The ssh principal of one server. It is not a secret: the machine accepts only certificates that name it.
import { randomBytes } from 'node:crypto'

/** Contains the organization's id, so that a machine can tell the servers of its organization from others. */
export const newPrincipal = (organizationId: number): string =>
  `shipway-${organizationId}-${randomBytes(16).toString('hex')}`
