// Details of a server: checks, environments, connection.
import type { Server, ServerHealth } from '@shipway/api'
import { hasNodes } from '@shipway/api/values/runtime-facts'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { Fact, Facts } from '../../components/page.tsx'
import { Region } from '../../components/region.tsx'
import { Loading, Pending } from '../../components/states.tsx'
import { environmentAppearance } from '../../status/appearance.ts'
import { NamedStatusIcon } from '../../status/status-icon.tsx'
import { CheckList } from './checks.tsx'
import { Nodes } from './nodes.tsx'
import styles from './servers.module.css'

type Props = { readonly server: Server; readonly health: ServerHealth | undefined }
type DetailsProps = Props & { readonly disabledReason: string | undefined }

export function RunsHere({ server, health }: Props) {
  const projects = [...new Set(health?.environments.map(({ project }) => project.name))].join(', ')
  return (
    <div>
      <div className="tiny quiet">Environments</div>
      <span className="small">
        {health === undefined ? <Pending what="Loading environments" /> : describeCount(health.environments.length)}
      </span>
      <div className="tiny faint cut" title={projects}>
        {health === undefined ? undefined : projects === '' ? usedBy(server) : projects}
      </div>
    </div>
  )
}

function describeCount(count: number): string {
  if (count === 0) return 'No environments'
  return count === 1 ? '1 environment' : `${count} environments`
}

function usedBy({ project_count: count }: Server): string {
  if (count === 0) return 'not used by any project'
  return count === 1 ? 'used by 1 project' : `used by ${count} projects`
}

const RUNTIME_LABELS: Readonly<Record<Server['runtime'], string>> = {
  compose: 'Docker Compose',
  swarm: 'Docker Swarm',
}

/** Loaded when the details are opened. */
const ServerCharts = lazy(() => import('./server-charts.tsx').then((charts) => ({ default: charts.ServerCharts })))

export function Details({ server, health, disabledReason }: DetailsProps) {
  return (
    <div className={styles.parts}>
      {server.needs_setup ? undefined : (
        <section className={styles.metrics}>
          <Region name="Metrics">
            <Suspense fallback={<Loading what="Loading metrics" />}>
              <ServerCharts serverId={server.id} />
            </Suspense>
          </Region>
        </section>
      )}
      {hasNodes[server.runtime] ? <Nodes server={server} disabledReason={disabledReason} /> : undefined}
      <section>
        <h3>Checks</h3>
        {health === undefined ? (
          <Pending what="Loading checks" />
        ) : health.checks.length > 0 ? (
          <CheckList checks={health.checks} />
        ) : (
          <p className="small quiet">Not checked yet.</p>
        )}
      </section>
      <section>
        <h3>Environments</h3>
        {health === undefined ? (
          <Pending what="Loading environments" />
        ) : health.environments.length === 0 ? (
          <p className="small quiet">No environments.</p>
        ) : (
          <ul className={`${styles.found} ${styles.many}`}>
            {health.environments.map(({ id, name, status, project }) => (
              <li key={id}>
                <NamedStatusIcon appearance={environmentAppearance({ status })} size={12} />
                <Link
                  className="link cut"
                  to="/environments/$environmentId"
                  params={{ environmentId: id }}
                  title={name}
                >
                  {name}
                </Link>
                <span className="quiet cut" title={project.name}>
                  {project.name}
                </span>
              </li>
            ))}
          </ul>
        )}
      </section>
      <section>
        <h3>Connection</h3>
        <Facts>
          <Fact term="Connection">
            {server.connection === 'local'
              ? "The platform's own machine"
              : `${server.user}@${server.hostname}, port ${server.port}`}
          </Fact>
          <Fact term="Containers">{RUNTIME_LABELS[server.runtime]}</Fact>
          <Fact term="Edge">{server.edge === 'embedded' ? 'Embedded in the platform' : 'HAProxy on the server'}</Fact>
          {server.connection === 'local' ? undefined : (
            <Fact term="Host key">
              {server.host_key === null ? (
                'None yet; stored at the first connection'
              ) : (
                <code className={styles.wrapping}>{server.host_key}</code>
              )}
            </Fact>
          )}
        </Facts>
      </section>
    </div>
  )
}
