// Filters of the audit log, and its export.
import type { AuditFilter } from '@shipway/api'
import { useLiveQuery } from '../../data/live-query.ts'
import { membersQuery } from '../../data/queries.ts'
import { exportAddress } from './audit-query.ts'
import styles from './organization.module.css'

const KINDS: readonly (readonly [string, string])[] = [
  ['environment', 'Environments'],
  ['project', 'Projects'],
  ['server', 'Servers'],
  ['member', 'Members'],
  ['invitation', 'Invitations'],
  ['organization', 'Organization'],
]

type FiltersProps = {
  readonly organizationId: number
  readonly filter: AuditFilter
  readonly onChange: (filter: AuditFilter) => void
}

export function AuditFilters({ organizationId, filter, onChange }: FiltersProps) {
  const { data: members = [] } = useLiveQuery(membersQuery(organizationId))
  return (
    <div className={styles.filter}>
      <select
        className={styles.select}
        aria-label="User"
        value={filter.user_id ?? ''}
        onChange={({ target }) =>
          onChange({ ...filter, user_id: target.value === '' ? undefined : Number(target.value) })
        }
      >
        <option value="">All users</option>
        {members.map(({ user }) => (
          <option key={user.id} value={user.id}>
            {user.name}
          </option>
        ))}
      </select>
      <select
        className={styles.select}
        aria-label="Kind"
        value={filter.target_kind ?? ''}
        onChange={({ target }) => onChange({ ...filter, target_kind: target.value || undefined })}
      >
        <option value="">All kinds</option>
        {KINDS.map(([kind, words]) => (
          <option key={kind} value={kind}>
            {words}
          </option>
        ))}
      </select>
      <Day words="From" value={filter.since} onChange={(since) => onChange({ ...filter, since })} />
      <Day words="Until" value={filter.until} onChange={(until) => onChange({ ...filter, until })} />
      <span className="small">
        Export:{' '}
        <a className="link" href={exportAddress(organizationId, filter, 'csv')} download>
          CSV
        </a>
        {', '}
        <a className="link" href={exportAddress(organizationId, filter, 'jsonl')} download>
          JSON lines
        </a>
      </span>
    </div>
  )
}

type DayProps = {
  readonly words: string
  readonly value: string | undefined
  readonly onChange: (time: string | undefined) => void
}

/** Days start at midnight UTC, like the log. */
function Day({ words, value, onChange }: DayProps) {
  return (
    <label className="row small quiet">
      {words}
      <input
        type="date"
        className={styles.select}
        value={value?.slice(0, 10) ?? ''}
        onChange={({ target }) => onChange(target.value === '' ? undefined : `${target.value}T00:00:00Z`)}
      />
    </label>
  )
}
