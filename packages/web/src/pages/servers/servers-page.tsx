// Servers of an organization.
import { useParams } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Count, PageHead } from '../../components/page.tsx'
import { Empty, Failed, Loading } from '../../components/states.tsx'
import { missingPermission } from '../../data/disabled-reasons.ts'
import { useLiveQuery } from '../../data/live-query.ts'
import { serversQuery } from '../../data/queries.ts'
import { useCurrentPage } from '../../layout/current-page.ts'
import { AddServer } from './add-server.tsx'
import { ServerRow } from './server-row.tsx'
import styles from './servers.module.css'
import { useChecks } from './use-checks.ts'

export function ServersPage() {
  const { organizationId } = useParams({ from: '/signed-in/organizations/$organizationId/servers' })
  const { me } = useCurrentPage()
  const { data: servers, error, refetch } = useLiveQuery(serversQuery(organizationId))
  const { runs, check, checkAll } = useChecks()
  const [isAdding, setAdding] = useState(false)
  const disabledReason = missingPermission('administer', { me, organizationId })
  const isChecking = [...runs.values()].some(({ isBusy }) => isBusy)
  const add = (
    <Button variant="primary" disabledReason={disabledReason} onClick={() => setAdding(true)}>
      <Plus size={14} strokeWidth={1.5} aria-hidden="true" />
      Add server
    </Button>
  )
  return (
    <>
      <PageHead
        name="Servers"
        title={<>Servers {servers ? <Count>{servers.length}</Count> : undefined}</>}
        buttons={
          servers && servers.length > 0 ? (
            <>
              <Button disabledReason={disabledReason} isBusy={isChecking} onClick={() => void checkAll(servers)}>
                Check all
              </Button>
              {add}
            </>
          ) : undefined
        }
      />
      {servers === undefined ? (
        error ? (
          <Failed error={error} onRetry={() => void refetch()} />
        ) : (
          <Loading rows={3} what="Loading servers" />
        )
      ) : servers.length === 0 ? (
        <Empty title="No servers yet" action={add}>
          Environments run on your own servers, reached over ssh, or on the platform's own machine. Add one to start.
        </Empty>
      ) : (
        <div className={styles.card}>
          {servers.map((server) => (
            <ServerRow
              key={server.id}
              server={server}
              run={runs.get(server.id)}
              onCheck={() => void check(server)}
              disabledReason={disabledReason}
            />
          ))}
        </div>
      )}
      <AddServer organizationId={organizationId} isOpen={isAdding} onClose={() => setAdding(false)} />
    </>
  )
}
