// Rows of ssh_certificates: what was issued lately, and what of it is revoked.
import type { SshPurpose } from '@shipway/api/ssh-access'
import { type Insertable, sql } from 'kysely'
import type { Change } from '../change.ts'
import type { Tables } from '../tables/tables.ts'

/** Ended certificates are not needed for longer; the audit log keeps who got them. */
const KEPT_MS = 24 * 60 * 60 * 1000

/** Takes away those of the organization that ended long ago, so that the table does not grow with every sign-in. */
export async function insertSshCertificate(
  tx: Change,
  certificate: Insertable<Tables['ssh_certificates']>,
): Promise<void> {
  await tx
    .deleteFrom('ssh_certificates')
    .where('organization_id', '=', certificate.organization_id)
    .where('valid_before', '<', certificate.issued_at - KEPT_MS)
    .execute()
  await tx.insertInto('ssh_certificates').values(certificate).execute()
}

/** By a server's clock it may hold for a while longer than by the platform's. */
export const SLOW_CLOCK_MS = 10 * 60 * 1000

type Revocation = {
  readonly organizationId: number
  readonly userId: number
  readonly purposes: readonly SshPurpose[]
  readonly at: number
}

/** Only valid ones. `background/servers` sends the revocations to the servers. */
export async function revokeSshCertificates(tx: Change, revocation: Revocation): Promise<void> {
  const { organizationId, userId, purposes, at } = revocation
  const revoked = await tx
    .updateTable('ssh_certificates')
    .set({ revoked_at: at })
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .where('purpose', 'in', purposes)
    .where('valid_before', '>', at - SLOW_CLOCK_MS)
    .where('revoked_at', 'is', null)
    .returning('serial')
    .execute()
  if (revoked.length === 0) return
  await sql`update ssh_authorities set revocations = revocations + 1
    where organization_id = ${organizationId}`.execute(tx)
  tx.notify({ about: 'revocations', id: organizationId })
}
