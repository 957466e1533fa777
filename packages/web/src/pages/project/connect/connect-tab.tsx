// Connecting a project: the key reads the repository, the webhook tells of pushes, the server is ready. Each gets its tick as it comes true.
import type { Project } from '@shipway/api'
import { useParams } from '@tanstack/react-router'
import { useEffect } from 'react'
import { Loading } from '../../../components/states.tsx'
import { useTold } from '../../../data/live-query.ts'
import { forgetWebhook } from '../../../data/new-webhooks.ts'
import { projectQuery } from '../../../data/queries.ts'
import { NewEnvironmentButton } from '../new-environment.tsx'
import styles from './connect.module.css'
import { RepositoryTick } from './repository-step.tsx'
import { ServerTick } from './server-step.tsx'
import { WebhookTick } from './webhook-step.tsx'

export function ConnectTab() {
  const { projectId } = useParams({ from: '/inside/projects/$projectId/connect' })
  const { data: project } = useTold(projectQuery(projectId))
  if (project === undefined) return <Loading what="The project is loading" />
  return <Connect project={project} />
}

function Connect({ project }: { readonly project: Project }) {
  useEffect(() => () => forgetWebhook(project.id), [project.id])
  return (
    <>
      <div className={styles.card}>
        <RepositoryTick project={project} />
        <WebhookTick project={project} />
        {project.servers.map((server) => (
          <ServerTick key={server.id} project={project} server={server} />
        ))}
      </div>
      <div className={styles.foot}>
        <NewEnvironmentButton project={project} />
      </div>
    </>
  )
}
