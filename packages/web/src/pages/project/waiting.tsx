// Pull requests without a place: strangers' ones that wait for approval, and those that wait for a free place.
import type { Environment, Project, WaitingPullRequest } from '@shipway/api'
import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Dialog, DialogActs } from '../../components/dialog.tsx'
import { FormFault } from '../../components/form.tsx'
import list from '../../components/list.module.css'
import { Ago } from '../../components/moment.tsx'
import { Count } from '../../components/page.tsx'
import { tell } from '../../components/toast.tsx'
import { useSending } from '../../components/use-sending.ts'
import { client } from '../../data/client.ts'
import { needs } from '../../data/locks.ts'
import { useHere } from '../../frame/here.ts'
import { Sign } from '../../signs/sign.tsx'
import { titleOf } from '../../words/environment-title.ts'
import styles from './environments.module.css'

type WaitingProps = {
  readonly project: Project
  readonly waiting: readonly WaitingPullRequest[]
  readonly strangers: readonly Environment[]
}

export function Waiting({ project, waiting, strangers }: WaitingProps) {
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
            <Approval project={project} environment={environment} />
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

type ApprovalProps = { readonly project: Project; readonly environment: Environment }

function Approval({ project, environment }: ApprovalProps) {
  const [isOpen, setOpen] = useState(false)
  const { me } = useHere()
  const sending = useSending()
  const sha = environment.pull_request?.head_sha ?? ''
  const approve = async (): Promise<void> => {
    await client.approveEnvironment({ params: { id: environment.id }, body: { commit_sha: sha } })
    setOpen(false)
    tell(`${sha.slice(0, 7)} is approved, and queued`)
  }
  return (
    <>
      <Button
        isSmall
        lockedBecause={needs('admin', { me, organizationId: project.organization_id })}
        onClick={() => setOpen(true)}
      >
        Approve {sha.slice(0, 7)}…
      </Button>
      <Dialog title={`Deploy ${sha.slice(0, 7)}?`} isOpen={isOpen} onClose={() => setOpen(false)}>
        <p className="quiet">
          The code of this commit runs on {environment.server.name}. It comes from a fork, so somebody outside may have
          written it: read it first. It gets none of your variables. A later commit needs another approval.
        </p>
        <FormFault sending={sending} />
        <DialogActs>
          <Button onClick={() => setOpen(false)}>Not now</Button>
          <Button look="primary" isBusy={sending.isBusy} onClick={() => void sending.send(approve)}>
            Approve and deploy
          </Button>
        </DialogActs>
      </Dialog>
    </>
  )
}
