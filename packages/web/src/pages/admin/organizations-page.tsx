// All organizations of the installation, for platform administrators.
import type { OrganizationSummary } from '@shipway/api'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import list from '../../components/list.module.css'
import { SearchField } from '../../components/search-field.tsx'
import { Empty, Failed, Loading } from '../../components/states.tsx'
import { RelativeTime } from '../../components/time.tsx'
import { useCurrentPage } from '../../layout/current-page.ts'
import styles from './admin.module.css'
import { AdminLayout } from './admin-layout.tsx'
import { organizationsQuery } from './admin-queries.ts'

export function OrganizationsPage() {
  return (
    <AdminLayout name="Organizations">
      <Organizations />
    </AdminLayout>
  )
}

function Organizations() {
  const { data, error, refetch } = useQuery(organizationsQuery)
  const [filter, setFilter] = useState('')
  if (data === undefined)
    return error ? <Failed error={error} onRetry={() => void refetch()} /> : <Loading what="Loading organizations" />
  if (data.length === 0) return <Empty title="No organizations yet">Create one on the Overview tab.</Empty>
  const wanted = filter.trim().toLowerCase()
  const found = data.filter(({ name, owners }) =>
    [name, ...owners.map((owner) => owner.name)].some((text) => text.toLowerCase().includes(wanted)),
  )
  return (
    <>
      <SearchField
        label="Filter organizations"
        placeholder="Name or owner"
        shortcut="/"
        value={filter}
        onChange={setFilter}
      />
      {found.length === 0 ? <p className="section quiet">No organization matches “{filter}”.</p> : undefined}
      <ul className={`${list.list} ${list.still} ${styles.people}`} aria-label="Organizations">
        {found.map((organization) => (
          <li key={organization.id}>
            <Organization organization={organization} />
          </li>
        ))}
      </ul>
    </>
  )
}

function Organization({ organization }: { readonly organization: OrganizationSummary }) {
  const { me } = useCurrentPage()
  const { id, name, owners, created_at } = organization
  const isMember = me.organizations.some((own) => own.id === id)
  return (
    <div className={list.line}>
      <div>
        {/* Only members can open an organization. */}
        {isMember ? (
          <Link className="cut strong" to="/organizations/$organizationId" params={{ organizationId: id }} title={name}>
            {name}
          </Link>
        ) : (
          <span className="cut strong" title={name}>
            {name}
          </span>
        )}
        <div className="cut small quiet">
          {owners.length === 0 ? 'No owner' : `Owned by ${owners.map((owner) => owner.name).join(', ')}`}
        </div>
      </div>
      <div className="small quiet">
        {counted(organization.member_count, 'member')}, {counted(organization.project_count, 'project')},{' '}
        {counted(organization.server_count, 'server')}
      </div>
      <div className="small quiet">
        created <RelativeTime at={created_at} />
      </div>
    </div>
  )
}

const counted = (count: number, what: string): string =>
  `${count.toLocaleString('en')} ${count === 1 ? what : `${what}s`}`
