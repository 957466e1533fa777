// The tables of certificates as Kysely sees them.
import type { Generated } from 'kysely'

export interface CertificateTables {
  certificates: CertificatesTable
  installed_certificates: InstalledCertificatesTable
  placed_orders: PlacedOrdersTable
  leases: LeasesTable
}

interface CertificatesTable {
  id: Generated<number>
  project_id: number
  source: 'supplied' | 'acme'
  domain: string | null
  key_id: string | null
  chain: string | null
  private_key_sealed: string | null
  names: Generated<string>
  issuer: string | null
  fingerprint: string | null
  not_before: number | null
  not_after: number | null
  failures: Generated<number>
  last_error: string | null
  next_attempt_at: number | null
  created_at: number
  updated_at: number
}

interface InstalledCertificatesTable {
  server_id: number
  certificate_id: number
  digest: string
  installed_at: number
}

interface PlacedOrdersTable {
  id: Generated<number>
  organization_id: number
  placed_at: number
}

interface LeasesTable {
  name: string
  holder: string
  until: number
}
