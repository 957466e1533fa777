// All users of the installation, for platform administrators.
import type { Account } from '@shipway/api'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import list from '../../components/list.module.css'
import { Tag } from '../../components/page.tsx'
import { SearchField } from '../../components/search-field.tsx'
import { Failed, Loading } from '../../components/states.tsx'
import { RelativeTime } from '../../components/time.tsx'
import { useCurrentPage } from '../../layout/current-page.ts'
import styles from './admin.module.css'
import { AdminLayout } from './admin-layout.tsx'
import { usersQuery } from './admin-queries.ts'
import { UserSessionsDialog } from './user-sessions.tsx'

export function UsersPage() {
  return (
    <AdminLayout name="Users">
      <Users />
    </AdminLayout>
  )
}

function Users() {
  const { data, error, refetch } = useQuery(usersQuery)
  const [filter, setFilter] = useState('')
  if (data === undefined)
    return error ? <Failed error={error} onRetry={() => void refetch()} /> : <Loading what="Loading users" />
  const wanted = filter.trim().toLowerCase()
  const found = data.filter(({ name, email, organizations }) =>
    [name, email, ...organizations.map((organization) => organization.name)].some((text) =>
      text.toLowerCase().includes(wanted),
    ),
  )
  return (
    <>
      <SearchField
        label="Filter users"
        placeholder="Name, e-mail or organization"
        shortcut="/"
        value={filter}
        onChange={setFilter}
      />
      {found.length === 0 ? <p className="section quiet">No user matches “{filter}”.</p> : undefined}
      <ul className={`${list.list} ${list.still} ${styles.people} ${styles.users}`} aria-label="Users">
        {found.map((user) => (
          <li key={user.id}>
            <User user={user} />
          </li>
        ))}
      </ul>
    </>
  )
}

function User({ user }: { readonly user: Account }) {
  const { me } = useCurrentPage()
  const [isOpen, setOpen] = useState(false)
  return (
    <div className={list.line}>
      <div>
        <div className="row">
          <span className="cut strong" title={user.name}>
            {user.name}
          </span>
          {user.id === me.id ? <Tag>you</Tag> : undefined}
          {user.is_platform_admin ? <Tag>platform administrator</Tag> : undefined}
        </div>
        <div className="cut small quiet" title={user.email}>
          {user.email}
        </div>
        {user.has_two_factor ? undefined : <div className="small quiet">no two-factor codes</div>}
      </div>
      <div className="small quiet">
        {user.organizations.length === 0
          ? 'In no organization'
          : user.organizations.map(({ name, role }) => `${name} (${role})`).join(', ')}
      </div>
      <div className="small quiet">
        joined <RelativeTime at={user.created_at} />
      </div>
      <div>
        <Button isSmall aria-label={`Sessions of ${user.name}`} onClick={() => setOpen(true)}>
          Sessions…
        </Button>
        <UserSessionsDialog user={user} isOpen={isOpen} onClose={() => setOpen(false)} />
      </div>
    </div>
  )
}
