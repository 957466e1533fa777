// Pull requests without an environment: from forks awaiting approval, and those waiting for a free slot.
import type { Environment, WaitingPullRequest } from '@shipway/api'
import { ApproveButton } from '../../components/approve-button.tsx'
import { PullRequestLink } from '../../components/git-links.tsx'
import list from '../../components/list.module.css'
import { Count } from '../../components/page.tsx'
import { RelativeTime } from '../../components/time.tsx'
import { StatusIcon } from '../../status/status-icon.tsx'
import { environmentTitle } from '../../text/environment-title.ts'
import styles from './environments.module.css'

type WaitingProps = {
  readonly waiting: readonly WaitingPullRequest[]
  readonly awaitingApproval: readonly Environment[]
}

export function WaitingPullRequests({ waiting, awaitingApproval }: WaitingProps) {
  if (waiting.length + awaitingApproval.length === 0) return null
  return (
    <section className={styles.waiting} aria-labelledby="waiting">
      <h2 id="waiting">
        Waiting pull requests <Count>{waiting.length + awaitingApproval.length}</Count>
      </h2>
      <ul>
        {awaitingApproval.map((environment) => (
          <li key={environment.id} className={list.line}>
            <StatusIcon shape="diamond" tone="warn" size={16} />
            <div>
              <div className="cut strong" title={environmentTitle(environment)}>
                {environment.pull_request ? <PullRequestLink request={environment.pull_request} /> : undefined}{' '}
                {environmentTitle(environment)}
              </div>
              <div className="small quiet">
                from a fork · {environment.pull_request?.author ?? 'unknown author'} · awaiting approval, opened{' '}
                <RelativeTime at={environment.created_at} /> · uses no slot, gets no variables
              </div>
            </div>
            <ApproveButton environment={environment} />
          </li>
        ))}
        {waiting.map((request) => (
          <li key={request.number} className={list.line}>
            <StatusIcon shape="dotted" tone="quiet" size={16} />
            <div>
              <div className="cut strong" title={request.title}>
                <PullRequestLink request={request} /> {request.title}
              </div>
              <div className="small quiet">
                {request.author === null ? undefined : `${request.author} · `}
                {request.detail ?? 'Next in the queue'} · queued <RelativeTime at={request.waiting_since} />
              </div>
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}
