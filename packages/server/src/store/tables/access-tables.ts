// The tables of certificates that let people in at servers.
import type { Generated } from 'kysely'

export interface AccessTables {
  ssh_authorities: SshAuthoritiesTable
  ssh_certificates: SshCertificatesTable
  ssh_access: SshAccessTable
}

interface SshAuthoritiesTable {
  organization_id: number
  public_key: string
  private_key_sealed: string
  last_serial: Generated<number>
  revocations: Generated<number>
}

interface SshCertificatesTable {
  organization_id: number
  serial: number
  user_id: number
  server_id: number | null
  environment_id: number | null
  purpose: 'logs' | 'shell' | 'run'
  key_id: string
  issued_at: number
  valid_before: number
  revoked_at: Generated<number | null>
}

interface SshAccessTable {
  server_id: number
  authority_key: string
  seen_at: number
  revocations: Generated<number>
}
