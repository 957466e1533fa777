// The installation as JSON, without any address or secret of its settings but the one that everybody knows.
import type { KeptMail } from '@shipway/api'
import type { RouteAnswer } from '@shipway/api/route'
import type { Routes } from '@shipway/api/routes'
import type { Context } from '../../context.ts'
import type { ReadMail } from '../../operations/mails/read-mailbox.ts'
import type { DatabaseSize } from '../../store/database-size.ts'
import type { MailState } from '../../store/mails/mail-state.ts'
import type { RecordCounts } from '../../store/record-counts.ts'
import { VERSION } from '../../version.ts'
import { presentTime } from './time.ts'

type PlatformState = {
  readonly counts: RecordCounts
  readonly mails: MailState
  readonly databaseSize: DatabaseSize
  readonly requiresTwoFactor: boolean
}

export const presentPlatform = (
  { config, mail }: Pick<Context, 'config' | 'mail'>,
  { counts, mails, databaseSize, requiresTwoFactor }: PlatformState,
): RouteAnswer<Routes['getPlatform']> => ({
  version: VERSION,
  database: config.databaseUrl === undefined ? 'embedded' : 'postgres',
  base_url: config.baseUrl,
  sends_mail: mail.isSetUp,
  keeps_mail: mail.hasMailbox,
  mails: {
    waiting: mails.waiting,
    retrying: mails.retrying,
    given_up: mails.givenUp,
    oldest_at: mails.oldestAt === null ? null : presentTime(mails.oldestAt),
    last_error: mails.lastError,
  },
  database_bytes: databaseSize.bytes,
  database_limit_bytes: databaseSize.limitBytes ?? null,
  database_nearly_full: databaseSize.isNearlyFull,
  task_log_days: config.taskLogDays ?? null,
  open_organizations: config.hasOpenOrganizations,
  require_two_factor: requiresTwoFactor,
  counts: {
    users: counts.users,
    organizations: counts.organizations,
    projects: counts.projects,
    environments: counts.environments,
    servers: counts.servers,
    active_tasks: counts.activeTasks,
  },
})

export const presentKeptMail = ({ id, kind, to, subject, text, createdAt }: ReadMail): KeptMail => ({
  id,
  kind,
  to,
  subject,
  text,
  created_at: presentTime(createdAt),
})
