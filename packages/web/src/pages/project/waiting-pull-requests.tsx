// Pull requests without a place: strangers' ones that wait for approval, and those that wait for a free place.
import type { Environment, WaitingPullRequest } from '@shipway/api'
import { ApproveButton } from '../../components/approve-button.tsx'
import list from '../../components/list.module.css'
import { Ago } from '../../components/moment.tsx'
import { Count } from '../../components/page.tsx'
import { Sign } from '../../status/status-icon.tsx'
import { titleOf } from '../../text/environment-title.ts'
import styles from './environments.module.css'

type WaitingProps = {
  readonly waiting: readonly WaitingPullRequest[]
  readonly strangers: readonly Environment[]
}

export function Waiting({ waiting, strangers }: WaitingProps) {
  if (waiting.length + strangers.length === 0) return null
  return (
    <section className={styles.waiting} aria-labelledby="waiting">
      <h2 id="waiting">
        Waiting pull requests <Count>{waiting.length + strangers.length}</Count>
      </h2>
      <ul>
        {strangers.map((environment) => (
          <li key={environment.id} className={list.line}>
            <Sign silhouette="diamond" tone="warn" size={16} />
            <div>
              <div className="cut strong" title={titleOf(environment)}>
                #{environment.pull_request?.number} {titleOf(environment)}
              </div>
              <div className="small quiet">
                from a fork · {environment.pull_request?.author ?? 'somebody'} · awaits approval since{' '}
                <Ago at={environment.created_at} /> · takes no place, gets no variables
              </div>
            </div>
            <ApproveButton environment={environment} />
          </li>
        ))}
        {waiting.map((request) => (
          <li key={request.number} className={list.line}>
            <Sign silhouette="dotted" tone="quiet" size={16} />
            <div>
              <div className="cut strong" title={request.title}>
                #{request.number} {request.title}
              </div>
              <div className="small quiet">
                {request.detail ?? 'Its turn is next'} · since <Ago at={request.waiting_since} />
              </div>
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}
