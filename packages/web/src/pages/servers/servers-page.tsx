// The servers of an organization: which of them needs somebody, and what to run.
import { useParams } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Count, PageHead } from '../../components/page.tsx'
import { Empty, Failed, Loading } from '../../components/states.tsx'
import { needs } from '../../data/disabled-reasons.ts'
import { useTold } from '../../data/live-query.ts'
import { serversQuery } from '../../data/queries.ts'
import { useHere } from '../../layout/current-page.ts'
import { AddServer } from './add-server.tsx'
import { ServerRow } from './server-row.tsx'
import styles from './servers.module.css'
import { useChecks } from './use-checks.ts'

export function ServersPage() {
  const { organizationId } = useParams({ from: '/inside/organizations/$organizationId/servers' })
  const { me } = useHere()
  const { data: servers, error, refetch } = useTold(serversQuery(organizationId))
  const { looks, check, checkAll } = useChecks()
  const [isAdding, setAdding] = useState(false)
  const lockedBecause = needs('admin', { me, organizationId })
  const isChecking = [...looks.values()].some(({ isBusy }) => isBusy)
  const add = (
    <Button look="primary" lockedBecause={lockedBecause} onClick={() => setAdding(true)}>
      <Plus size={14} strokeWidth={1.5} aria-hidden="true" />
      Add server
    </Button>
  )
  return (
    <>
      <PageHead
        name="Servers"
        title={<>Servers {servers ? <Count>{servers.length}</Count> : undefined}</>}
        acts={
          servers && servers.length > 0 ? (
            <>
              <Button lockedBecause={lockedBecause} isBusy={isChecking} onClick={() => void checkAll(servers)}>
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
          <Loading rows={3} what="The servers are loading" />
        )
      ) : servers.length === 0 ? (
        <Empty title="No server yet" act={add}>
          Environments run on servers: machines that you have, reached over SSH, or the machine of the platform itself.
        </Empty>
      ) : (
        <div className={styles.card}>
          {servers.map((server) => (
            <ServerRow
              key={server.id}
              server={server}
              look={looks.get(server.id)}
              onCheck={() => void check(server)}
              lockedBecause={lockedBecause}
            />
          ))}
        </div>
      )}
      <AddServer organizationId={organizationId} isOpen={isAdding} onClose={() => setAdding(false)} />
    </>
  )
}
