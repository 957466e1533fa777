// Setup checklist of a project: repository key, webhook, servers.
import type { Project } from '@shipway/api'
import { useParams } from '@tanstack/react-router'
import { useEffect } from 'react'
import { Loading } from '../../../components/states.tsx'
import { useLiveQuery } from '../../../data/live-query.ts'
import { forgetWebhook } from '../../../data/new-webhooks.ts'
import { projectQuery } from '../../../data/queries.ts'
import { NewEnvironmentButton } from '../new-environment.tsx'
import styles from './connect.module.css'
import { ConnectedStep } from './connected-step.tsx'
import { RepositoryStep } from './repository-step.tsx'
import { ServerStep } from './server-step.tsx'
import { WebhookStep } from './webhook-step.tsx'

export function ConnectTab() {
  const { projectId } = useParams({ from: '/signed-in/projects/$projectId/connect' })
  const { data: project } = useLiveQuery(projectQuery(projectId))
  if (project === undefined) return <Loading what="Loading project" />
  return <Connect project={project} />
}

function Connect({ project }: { readonly project: Project }) {
  useEffect(() => () => forgetWebhook(project.id), [project.id])
  return (
    <>
      <div className={styles.card}>
        {project.connection_id === null ? (
          <>
            <RepositoryStep project={project} />
            <WebhookStep project={project} />
          </>
        ) : (
          <ConnectedStep project={project} />
        )}
        {project.servers.map((server) => (
          <ServerStep key={server.id} project={project} server={server} />
        ))}
      </div>
      <div className={styles.foot}>
        <NewEnvironmentButton project={project} />
      </div>
    </>
  )
}
