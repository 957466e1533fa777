// Where an environment answers, and what serves there.
import type { Environment } from '@shipway/api'
import { Link } from '@tanstack/react-router'
import { Lock } from 'lucide-react'
import { CopyButton } from '../../components/copy-button.tsx'
import { Ago } from '../../components/moment.tsx'
import { Tag } from '../../components/page.tsx'
import { useTold } from '../../data/live-query.ts'
import { taskQuery } from '../../data/queries.ts'
import { causeWords } from '../../words/cause.ts'
import { shortSha } from '../../words/sha.ts'
import { taskTitle } from '../../words/task.ts'
import styles from './overview.module.css'

export function Serving({ environment }: { readonly environment: Environment }) {
  const { url, domain, basic_auth, services } = environment
  return (
    <section className={styles.serving} aria-label="What serves">
      <div className={styles.hero}>
        <a className={styles.address} href={url} target="_blank" rel="noreferrer" title={url}>
          {domain}
        </a>
        <CopyButton text={url} label="Copy the address" />
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
      {services.length > 0 ? (
        <dl className={styles.services}>
          {services.map((service) => (
            <div key={service.domain}>
              <dt className="cut" title={service.name}>
                {service.name}
              </dt>
              <dd className="row">
                <a className="cut" href={service.url} target="_blank" rel="noreferrer" title={service.domain}>
                  {service.domain}
                </a>
                {isOwnDomain(service.domain, domain) ? <Tag>own domain</Tag> : undefined}
              </dd>
            </div>
          ))}
        </dl>
      ) : undefined}
    </section>
  )
}

/** Services answer at the environment's domain, or at a name beside it: staging-api.example.com. */
function isOwnDomain(service: string, domain: string): boolean {
  const [label = '', ...base] = domain.split('.')
  return service !== domain && !(service.startsWith(`${label}-`) && service.endsWith(`.${base.join('.')}`))
}

function Live({
  environment: { id, live, last_deployment, active_task, status, branch, server },
}: {
  readonly environment: Environment
}) {
  const { data: task } = useTold(taskQuery(live?.task_id ?? 0), { isAsked: live !== null })
  if (live === null) {
    return (
      <p className="small quiet">
        {active_task || status === 'awaiting_approval'
          ? 'Nothing serves yet.'
          : last_deployment === null
            ? `Nothing serves yet. Deploy puts ${branch} on ${server.name}.`
            : 'Nothing serves: no deployment has succeeded yet.'}
      </p>
    )
  }
  return (
    <>
      <p className="row small quiet">
        {live.commit_sha ? <code>{shortSha(live.commit_sha)}</code> : undefined}
        <span className="cut" {...(task && { title: taskTitle(task) })}>
          {task ? taskTitle(task) : undefined}
        </span>
      </p>
      <p className="tiny faint">
        Went live <Ago at={live.since} /> ·{' '}
        <Link
          className="link"
          to="/environments/$environmentId/tasks/$taskId"
          params={{ environmentId: id, taskId: live.task_id }}
        >
          deployment #{live.task_id}
        </Link>
        {task ? ` · ${causeWords(task)}` : ''}
      </p>
    </>
  )
}
