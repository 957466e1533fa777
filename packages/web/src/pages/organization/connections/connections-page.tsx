// Connections of an organization to git hosts: repositories are found there, and keys and webhooks are added by the platform.
import type { GitConnection } from '@shipway/api'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { Button } from '../../../components/button.tsx'
import list from '../../../components/list.module.css'
import { Empty, Failed, Loading } from '../../../components/states.tsx'
import { RelativeTime } from '../../../components/time.tsx'
import { missingPermission } from '../../../data/disabled-reasons.ts'
import { useTopics } from '../../../data/live.ts'
import { useCurrentPage } from '../../../layout/current-page.ts'
import { NamedStatusIcon } from '../../../status/status-icon.tsx'
import { CONNECTION_NAMES, connectionAppearance, describeProjects } from '../../../text/connection.ts'
import { OrganizationHead } from '../organization-head.tsx'
import { ConnectionDialog } from './connection-dialog.tsx'
import styles from './connections.module.css'
import { connectionsQuery } from './connections-query.ts'
import { NewConnection } from './new-connection.tsx'

export function ConnectionsPage() {
  const { organizationId } = useParams({ from: '/signed-in/organizations/$organizationId/connections' })
  const { me } = useCurrentPage()
  const disabledReason = missingPermission('administer', { me, organizationId })
  const isAllowed = disabledReason === undefined
  useTopics([`organization:${organizationId}`])
  const query = useQuery({ ...connectionsQuery(organizationId), enabled: isAllowed })
  const [isMaking, setMaking] = useState(false)
  const [openId, setOpenId] = useState<number>()
  return (
    <>
      <OrganizationHead
        organizationId={organizationId}
        name="Connections"
        buttons={
          <Button variant="primary" disabledReason={disabledReason} onClick={() => setMaking(true)}>
            Add connection
          </Button>
        }
      />
      <p className={`small quiet ${styles.about}`}>
        With a connection you choose a repository from a list. The platform adds the deploy key and the webhook, checks
        both, and removes them with the project.
      </p>
      {isAllowed ? (
        <Connections
          connections={query.data}
          error={query.error}
          onRetry={() => void query.refetch()}
          onOpen={setOpenId}
        />
      ) : (
        <p className="small quiet">Only administrators can see and change connections.</p>
      )}
      <NewConnection organizationId={organizationId} isOpen={isMaking} onClose={() => setMaking(false)} />
      <ConnectionDialog connection={query.data?.find(({ id }) => id === openId)} onClose={() => setOpenId(undefined)} />
    </>
  )
}

type ConnectionsProps = {
  readonly connections: readonly GitConnection[] | undefined
  readonly error: Error | null
  readonly onRetry: () => void
  readonly onOpen: (id: number) => void
}

function Connections({ connections, error, onRetry, onOpen }: ConnectionsProps) {
  if (connections === undefined)
    return error ? <Failed error={error} onRetry={onRetry} /> : <Loading rows={2} what="Loading connections" />
  if (connections.length === 0)
    return (
      <Empty title="No connections yet">
        Connect GitHub with an App, or GitLab, Gitea, Forgejo or Bitbucket with an access token. Projects work without
        one, too.
      </Empty>
    )
  return (
    <ul className={`${list.list} ${list.still} ${styles.connections}`}>
      {connections.map((connection) => (
        <li key={connection.id}>
          <Row connection={connection} onOpen={() => onOpen(connection.id)} />
        </li>
      ))}
    </ul>
  )
}

function Row({ connection, onOpen }: { readonly connection: GitConnection; readonly onOpen: () => void }) {
  const { name, type, base_url, account, status_reason, checked_at } = connection
  return (
    <div className={list.line}>
      <NamedStatusIcon appearance={connectionAppearance(connection)} />
      <div>
        <div className="cut strong" title={name}>
          {name}
        </div>
        <div className="small quiet cut">
          {CONNECTION_NAMES[type]} · {new URL(base_url).host}
          {account === null ? undefined : ` · ${account}`}
        </div>
        <div className="small quiet">
          {describeProjects(connection)}
          {checked_at === null ? undefined : (
            <>
              , checked <RelativeTime at={checked_at} />
            </>
          )}
        </div>
        {status_reason === null ? undefined : <div className="small bad">{status_reason}</div>}
      </div>
      <Button isSmall aria-label={`Open the connection ${name}`} onClick={onOpen}>
        Open…
      </Button>
    </div>
  )
}
