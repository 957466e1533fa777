// Platform page for platform administrators: figures, settings, accounts.
import type { Platform } from '@shipway/api'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Section } from '../../components/section.tsx'
import { Failed, Loading, Notice } from '../../components/states.tsx'
import { client } from '../../data/client.ts'
import { keys } from '../../data/keys.ts'
import { NewOrganization } from '../organization/new-organization.tsx'
import styles from './admin.module.css'
import { AdminLayout } from './admin-layout.tsx'
import { Mailbox } from './mailbox.tsx'
import { PlatformTwoFactor } from './required-two-factor.tsx'
import { SecondFactorRemoval } from './second-factor-removal.tsx'
import { UserDeletion } from './user-deletion.tsx'

export function AdminPage() {
  return (
    <AdminLayout name="Platform">
      <Overview />
    </AdminLayout>
  )
}

function Overview() {
  const { data, error, refetch } = useQuery({
    queryKey: keys.platform,
    queryFn: ({ signal }) => client.getPlatform({ signal }),
    refetchInterval: 30_000,
  })
  if (data === undefined) {
    return error ? <Failed error={error} onRetry={() => void refetch()} /> : <Loading what="Loading figures" />
  }
  return (
    <>
      <div className={styles.notices}>
        <MailNotice mails={data.mails} />
        <DatabaseNotice platform={data} />
      </div>
      <Figures counts={data.counts} />
      <Section title="Settings" about="Read from environment variables when the server starts.">
        <Settings platform={data} />
      </Section>
      <Section title="API" about="Scripts can do everything that this dashboard does.">
        <div className="wrapped">
          <a className="link small" href="/api/reference">
            Read the reference
          </a>
          <a className="link small" href="/api/openapi.json">
            OpenAPI document
          </a>
        </div>
      </Section>
      {data.keeps_mail ? <Mailbox baseUrl={data.base_url} /> : undefined}
      <PlatformTwoFactor isOn={data.require_two_factor} />
      <SecondFactorRemoval />
      <UserDeletion />
      <NewOrganization />
    </>
  )
}

const FIGURES: readonly (readonly [keyof Platform['counts'], string])[] = [
  ['users', 'Users'],
  ['organizations', 'Organizations'],
  ['projects', 'Projects'],
  ['environments', 'Environments'],
  ['servers', 'Servers'],
  ['active_tasks', 'Active tasks'],
]

function Figures({ counts }: Pick<Platform, 'counts'>) {
  return (
    <dl className={styles.figures}>
      {FIGURES.map(([key, words]) => (
        <div key={key}>
          <dt>{words}</dt>
          <dd>{counts[key].toLocaleString('en')}</dd>
        </div>
      ))}
    </dl>
  )
}

function Settings({ platform }: { readonly platform: Platform }) {
  return (
    <dl className={styles.settings}>
      <Setting term="Version">{platform.version}</Setting>
      <Setting term="Address" by="SHIPWAY_BASE_URL">
        {platform.base_url}
      </Setting>
      <Setting term="Database" by="DATABASE_URL">
        {platform.database === 'postgres' ? 'PostgreSQL' : 'Embedded SQLite, in the data folder'}
      </Setting>
      <Setting term="Database size" by="SHIPWAY_DATABASE_MIB">
        {databaseSize(platform)}
      </Setting>
      <Setting term="Task output" by="SHIPWAY_TASK_LOG_DAYS">
        {platform.task_log_days === null
          ? 'Kept forever'
          : `Removed ${days(platform.task_log_days)} after the task ended`}
      </Setting>
      <Setting term="Mails" by="SHIPWAY_SMTP_URL">
        {platform.sends_mail
          ? 'Sent'
          : platform.keeps_mail
            ? 'Not sent, but kept in the mailbox below, because only this machine can reach the platform'
            : 'Not sent: pass invitation links on yourself; forgotten passwords cannot be reset'}
      </Setting>
      <Setting term="Organizations" by="SHIPWAY_OPEN_ORGANIZATIONS">
        {platform.open_organizations ? 'Every user can create one' : 'Only platform administrators can create one'}
      </Setting>
    </dl>
  )
}

type SettingProps = { readonly term: string; readonly by?: string; readonly children: ReactNode }

function Setting({ term, by, children }: SettingProps) {
  return (
    <div>
      <dt>{term}</dt>
      <dd>
        {children}
        {by === undefined ? undefined : <code className={styles.by}>{by}</code>}
      </dd>
    </div>
  )
}

/** Warns about mails that could not be sent. */
function MailNotice({ mails }: Pick<Platform, 'mails'>) {
  const { given_up: givenUp, retrying, last_error: said } = mails
  if (givenUp === 0 && retrying === 0) return null
  return (
    <Notice tone={givenUp > 0 ? 'bad' : 'warn'}>
      {givenUp > 0 ? <p>{mailCount(givenUp)} could not be delivered in the last week.</p> : undefined}
      {retrying > 0 ? <p>{mailCount(retrying)} could not be sent yet and will be retried.</p> : undefined}
      {said === null ? undefined : <p className="quiet">The mail server said: {said}</p>}
    </Notice>
  )
}

/** Warns before the limit is reached. */
function DatabaseNotice({ platform }: { readonly platform: Platform }) {
  const { database_bytes: bytes, database_limit_bytes: limit, database_nearly_full: isNearlyFull } = platform
  if (!isNearlyFull || bytes === null || limit === null) return null
  const isFull = bytes >= limit
  return (
    <Notice tone={isFull ? 'bad' : 'warn'}>
      <p>
        {isFull
          ? `The database has reached its limit: ${databaseSize(platform)}. Tasks keep only the first and last part of long output.`
          : `The database is nearly full: ${databaseSize(platform)}.`}
      </p>
      <p className="quiet">
        Remove the output of old tasks with SHIPWAY_TASK_LOG_DAYS, or raise SHIPWAY_DATABASE_MIB. Nothing else is
        removed.
      </p>
    </Notice>
  )
}

function databaseSize({ database_bytes: bytes, database_limit_bytes: limit }: Platform): string {
  if (bytes === null) return 'Unknown'
  return limit === null ? `${mebibytes(bytes)}, no limit` : `${mebibytes(bytes)} of ${mebibytes(limit)}`
}

/** In the unit of the setting. */
const mebibytes = (bytes: number): string => `${Math.ceil(bytes / 1024 ** 2).toLocaleString('en')} MiB`

const days = (count: number): string => (count === 1 ? '1 day' : `${count} days`)

const mailCount = (mails: number): string => (mails === 1 ? 'One mail' : `${mails.toLocaleString('en')} mails`)
