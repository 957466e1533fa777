// Notices above the tabs: removal, approval, running task, failure, degraded services, expiry.
import type { Environment, Task } from '@shipway/api'
import { Link } from '@tanstack/react-router'
import { Lock } from 'lucide-react'
import type { ReactNode } from 'react'
import { ApproveButton } from '../../components/approve-button.tsx'
import { Button } from '../../components/button.tsx'
import { FormError } from '../../components/form.tsx'
import { PullRequestLink } from '../../components/git-links.tsx'
import { Notice, Pending } from '../../components/states.tsx'
import { RelativeTime } from '../../components/time.tsx'
import { showToast } from '../../components/toast.tsx'
import { useSubmission } from '../../components/use-submission.ts'
import { client } from '../../data/client.ts'
import { useNow } from '../../data/clock.ts'
import { hasFailedRemoval, whyNotChange } from '../../data/environment-reasons.ts'
import { useLiveQuery } from '../../data/live-query.ts'
import { taskQuery } from '../../data/queries.ts'
import { useCurrentPage } from '../../layout/current-page.ts'
import { formatExact } from '../../text/ago.ts'
import { describeCheckWait } from '../../text/check-wait.ts'
import { describeExpiry } from '../../text/expiry.ts'
import { describeServiceState, describeServing, isUnreachable, isUp } from '../../text/service-state.ts'
import { describeFailure } from '../../text/task.ts'
import styles from './environment.module.css'

export function StateNotice({ environment }: { readonly environment: Environment }) {
  const taskId = environment.active_task?.id ?? environment.last_deployment?.id
  const { data: task } = useLiveQuery(taskQuery(taskId ?? 0), { isEnabled: taskId !== undefined })
  const { me, organization, project } = useCurrentPage()
  const notice = noticeOf(environment, task)
  const expiry = describeExpiry(environment, useNow('half_minute'))
  const reason = whyNotChange({ me, organizationId: organization?.id, environment, project })
  const isExplained = reason === undefined || environment.status === 'removing'
  const wait = environment.waiting_for_checks
  if (notice === undefined && expiry === undefined && wait === null && isExplained) return null
  return (
    <div className={styles.notices}>
      {notice}
      {wait === null ? undefined : <WaitingForChecks wait={wait} />}
      {expiry === undefined ? undefined : <Expiring words={expiry} environment={environment} disabledReason={reason} />}
      {isExplained ? undefined : <LockNotice>{reason}.</LockNotice>}
    </div>
  )
}

/** Explains why buttons of this page are disabled. */
function LockNotice({ children }: { readonly children: ReactNode }) {
  return (
    <p className={styles.lock}>
      <Lock size={14} strokeWidth={1.5} aria-hidden="true" />
      <span>{children}</span>
    </p>
  )
}

function noticeOf(environment: Environment, task: Task | undefined) {
  if (environment.status === 'removing') return <Removing environment={environment} />
  if (environment.status === 'awaiting_approval') return <Awaiting environment={environment} />
  if (environment.active_task) return <Locked environment={environment} />
  if (environment.status === 'failed') return <LastFailed environment={environment} task={task} />
  if (environment.status === 'degraded') return <Degraded environment={environment} />
  return undefined
}

function Locked({ environment }: { readonly environment: Environment }) {
  const { active_task: active } = environment
  if (active === null) return null
  return (
    <LockNotice>
      Deploy and Delete Environment are disabled while a deployment of this environment is queued or running.{' '}
      <ToTask environmentId={environment.id} taskId={active.id} />
    </LockNotice>
  )
}

function WaitingForChecks({ wait }: { readonly wait: NonNullable<Environment['waiting_for_checks']> }) {
  const isWaiting = wait.state === 'waiting'
  return (
    <Notice tone={isWaiting ? 'calm' : 'bad'}>
      <b className={styles.message}>{describeCheckWait(wait)}.</b>{' '}
      {isWaiting
        ? 'It is deployed when they are green. Deploy does not wait.'
        : 'Fix the check and push, or deploy anyway.'}
    </Notice>
  )
}

type ExpiringProps = {
  readonly words: string
  readonly environment: Environment
  readonly disabledReason: string | undefined
}

function Expiring({ words, environment: { id, name, upload }, disabledReason }: ExpiringProps) {
  const submission = useSubmission()
  const extend = async (): Promise<void> => {
    const { expires_at: at } = await client.extendEnvironment({ params: { id } })
    showToast(at === null ? `${name} does not expire` : `${name} stays until ${formatExact(new Date(at))}`)
  }
  const button = (
    <Button
      isSmall
      isBusy={submission.isBusy}
      disabledReason={disabledReason}
      onClick={() => void submission.submit(extend)}
    >
      Extend
    </Button>
  )
  return (
    <Notice action={button}>
      <b>This environment is {words}.</b>{' '}
      {upload
        ? 'The time of its upload ends. Extend it for a day, or run shipway up again, to keep it.'
        : 'It reached the time to live of its project. Extend or deploy it, or make it sticky or protected, to keep it.'}
      <FormError submission={submission} />
    </Notice>
  )
}

function Removing({ environment }: { readonly environment: Environment }) {
  const { active_task: active, server } = environment
  return (
    <Notice tone="calm">
      <b>This environment is being removed.</b> Its containers and files on {server.name} are being deleted.{' '}
      {active ? <ToTask environmentId={environment.id} taskId={active.id} /> : undefined}
    </Notice>
  )
}

function Awaiting({ environment }: { readonly environment: Environment }) {
  const { pull_request: request } = environment
  return (
    <Notice action={<ApproveButton environment={environment} />}>
      <b>This commit is awaiting approval.</b> {request ? <RequestOfFork request={request} /> : undefined} by{' '}
      {request?.author ?? 'an unknown author'}. Until an administrator approves a commit, nothing runs, and it uses no
      slot and gets no variables.
    </Notice>
  )
}

function RequestOfFork({ request }: { readonly request: NonNullable<Environment['pull_request']> }) {
  return (
    <>
      <PullRequestLink request={request}>Pull request #{request.number}</PullRequestLink> comes from a fork,
    </>
  )
}

function LastFailed({ environment, task }: { readonly environment: Environment; readonly task: Task | undefined }) {
  const { live, server } = environment
  const isRemoval = hasFailedRemoval(task)
  const words =
    task === undefined ? (
      <Pending what="Loading the last deployment" />
    ) : task.status === 'failed' ? (
      describeFailure(task)
    ) : (
      'The last deployment failed'
    )
  return (
    <Notice tone="bad">
      <b className={styles.message}>
        {isRemoval ? 'The removal failed. ' : undefined}
        {words}
      </b>{' '}
      {task ? <ToTask environmentId={environment.id} taskId={task.id} /> : undefined}
      <div className="quiet">
        {isRemoval
          ? `Containers or files may be left on ${server.name}. Delete the environment again when the server is reachable.`
          : live
            ? describeServing(live, task)
            : 'No deployment has succeeded yet, so nothing is live.'}
      </div>
    </Notice>
  )
}

function Degraded({ environment }: { readonly environment: Environment }) {
  const { services, server } = environment
  if (isUnreachable(environment)) {
    return (
      <Notice>
        <b>{server.name} is unreachable.</b> The state of this environment is unknown until the platform reaches the
        server again.
      </Notice>
    )
  }
  const broken = services.filter((service) => !isUp(service))
  return (
    <Notice>
      <b>{broken.map(({ name }) => name).join(', ')} does not answer.</b>{' '}
      {broken.map((service) => (
        <span key={service.name}>
          {broken.length > 1 ? `${service.name}: ` : ''}
          {describeServiceState(service)}, <RelativeTime at={service.state_since} />.{' '}
        </span>
      ))}
      <span className="quiet">Visitors get an error. Read its log with shipway logs, then deploy again.</span>
    </Notice>
  )
}

function ToTask({ environmentId, taskId }: { readonly environmentId: number; readonly taskId: number }) {
  return (
    <Link className="link" to="/environments/$environmentId/tasks/$taskId" params={{ environmentId, taskId }}>
      Open #{taskId}
    </Link>
  )
}
