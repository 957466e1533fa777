// A new project: of a repository that a connection finds, or by address.
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { buttonClass } from '../../components/button.tsx'
import { PageHead } from '../../components/page.tsx'
import { Empty, Loading } from '../../components/states.tsx'
import { missingPermission } from '../../data/disabled-reasons.ts'
import { useLiveQuery } from '../../data/live-query.ts'
import { serversQuery } from '../../data/queries.ts'
import { useCurrentPage } from '../../layout/current-page.ts'
import { connectionsQuery } from '../organization/connections/connections-query.ts'
import { AddressForm } from './address-form.tsx'
import { ConnectedForm } from './connected-form.tsx'
import styles from './new-project.module.css'
import { Origin } from './origin.tsx'
import { Stages } from './stages.tsx'

export function NewProjectPage() {
  const { organizationId } = useParams({ from: '/signed-in/organizations/$organizationId/projects/new' })
  return (
    <>
      <PageHead title="New project" name="New project" under="Each pull request gets an environment of its own." />
      <NewProject organizationId={organizationId} />
    </>
  )
}

function NewProject({ organizationId }: { readonly organizationId: number }) {
  const { me } = useCurrentPage()
  const mayAdminister = missingPermission('administer', { me, organizationId }) === undefined
  const { data: servers } = useLiveQuery(serversQuery(organizationId))
  const { data: connections, isPending } = useQuery({ ...connectionsQuery(organizationId), enabled: mayAdminister })
  const [wanted, setWanted] = useState<number | null>()
  if (servers?.length === 0) return <NoServers organizationId={organizationId} />
  if (mayAdminister && isPending) return <Loading what="Loading connections" />
  const usable = (connections ?? []).filter(({ status }) => status === 'active' || status === 'failing')
  const chosen = wanted === null ? undefined : (usable.find(({ id }) => id === wanted) ?? usable[0])
  const origin = <Origin organizationId={organizationId} chosen={chosen} connections={usable} onChange={setWanted} />
  if (chosen) {
    return (
      <div className={styles.connected}>
        {origin}
        <ConnectedForm key={chosen.id} organizationId={organizationId} connection={chosen} servers={servers ?? []} />
      </div>
    )
  }
  return (
    <div className={styles.wizard}>
      <Stages at="repository" />
      <div className="stack">
        {mayAdminister ? origin : undefined}
        <AddressForm organizationId={organizationId} servers={servers} />
      </div>
    </div>
  )
}

function NoServers({ organizationId }: { readonly organizationId: number }) {
  return (
    <Empty
      title="Add a server first"
      action={
        <Link
          className={buttonClass({ variant: 'primary' })}
          to="/organizations/$organizationId/servers"
          params={{ organizationId }}
        >
          Add a server
        </Link>
      }
    >
      Environments run on your own servers. Add one, run the setup command on it, then come back.
    </Empty>
  )
}
