// The tables of mails as Kysely sees them.
import type { Generated } from 'kysely'

export interface MailTables {
  mails: MailsTable
}

interface MailsTable {
  id: Generated<number>
  key: string
  kind: string
  mail_sealed: string | null
  attempts: Generated<number>
  next_at: number
  expires_at: number
  given_up_at: Generated<number | null>
  last_error: Generated<string | null>
  is_kept: Generated<0 | 1>
  created_at: number
}
