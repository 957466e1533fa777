// Address of an environment and the live deployment.
import type { Environment } from '@shipway/api'
import { Link } from '@tanstack/react-router'
import { Lock } from 'lucide-react'
import { CopyButton } from '../../components/copy-button.tsx'
import { CommitLink } from '../../components/git-links.tsx'
import { RelativeTime } from '../../components/time.tsx'
import { useLiveQuery } from '../../data/live-query.ts'
import { taskQuery } from '../../data/queries.ts'
import { useCurrentPage } from '../../layout/current-page.ts'
import { describeCause } from '../../text/cause.ts'
import { taskTitle } from '../../text/task.ts'
import styles from './overview.module.css'
import { Services } from './services.tsx'

export function Serving({ environment }: { readonly environment: Environment }) {
  const { url, domain, basic_auth } = environment
  return (
    <section className={styles.serving} aria-label="Live deployment">
      <div className={styles.hero}>
        <a className={styles.address} href={url} target="_blank" rel="noreferrer" title={url}>
          {domain}
        </a>
        <CopyButton text={url} label="Copy address" />
      </div>
      {basic_auth ? (
        <span className={styles.auth} title={`Visitors sign in as ${basic_auth.username}`}>
          <Lock size={13} strokeWidth={1.5} aria-hidden="true" />
          Basic auth
        </span>
      ) : undefined}
      <div className={styles.what}>
        <Live environment={environment} />
      </div>
      <Services environment={environment} />
    </section>
  )
}

function Live({
  environment: { id, live, last_deployment, active_task, status, branch, server, upload },
}: {
  readonly environment: Environment
}) {
  const { project } = useCurrentPage()
  const { data: task } = useLiveQuery(taskQuery(live?.task_id ?? 0), { isEnabled: live !== null })
  if (live === null) {
    return (
      <p className="small quiet">
        {active_task || status === 'awaiting_approval'
          ? 'Nothing is live yet.'
          : last_deployment === null
            ? `Nothing is live yet. Press Deploy to deploy ${branch} to ${server.name}.`
            : 'Nothing is live: no deployment has succeeded yet.'}
      </p>
    )
  }
  return (
    <>
      <p className="row small quiet">
        {live.commit_sha ? <CommitLink project={upload ? undefined : project} sha={live.commit_sha} /> : undefined}
        <span className="cut" {...(task && { title: taskTitle(task) })}>
          {task ? taskTitle(task) : undefined}
        </span>
        {task?.commit?.author ? <span className="cut faint">by {task.commit.author}</span> : undefined}
      </p>
      <p className="tiny faint">
        Went live <RelativeTime at={live.since} /> ·{' '}
        <Link
          className="link"
          to="/environments/$environmentId/tasks/$taskId"
          params={{ environmentId: id, taskId: live.task_id }}
        >
          deployment #{live.task_id}
        </Link>
        {task ? ` · ${describeCause(task)}` : ''}
      </p>
    </>
  )
}
