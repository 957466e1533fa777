// Buttons of a task's page. On phones they are fixed to the bottom.
import type { Environment, Task } from '@shipway/api'
import { Ellipsis, ExternalLink, Undo2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Button, buttonClass } from '../../../components/button.tsx'
import { DeployButton } from '../../../components/deploy-button.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { DeleteEnvironment } from '../../../components/environment/delete-environment.tsx'
import { useRedeploy } from '../../../components/environment/redeploy.ts'
import { RollBack } from '../../../components/environment/roll-back.tsx'
import { rollbackTargets } from '../../../components/environment/rollback-targets.ts'
import { Menu, MenuItem } from '../../../components/menu.tsx'
import { NotifyButton } from '../../../components/notify-button.tsx'
import { useIsPhone } from '../../../components/use-is-phone.ts'
import { missingPermission, whyProtected } from '../../../data/disabled-reasons.ts'
import { lastOf, whyNotDelete, whyNotStart } from '../../../data/environment-reasons.ts'
import { useLiveQuery } from '../../../data/live-query.ts'
import { latestTasksQuery } from '../../../data/queries.ts'
import { useCurrentPage } from '../../../layout/current-page.ts'
import styles from '../task.module.css'
import { isActive, taskName } from '../task-name.ts'
import { CancelTask } from './cancel-task.tsx'

type TaskToolbarProps = { readonly task: Task; readonly environment: Environment }
type DialogName = 'cancel' | 'roll back' | 'delete'

export function TaskToolbar({ task, environment }: TaskToolbarProps) {
  const { me, organization, project } = useCurrentPage()
  const { data: tasks = [] } = useLiveQuery(latestTasksQuery(environment.id))
  const isPhone = useIsPhone()
  const [open, setOpen] = useState<DialogName>()
  const membership = { me, organizationId: organization?.id }
  const context = { ...membership, environment, project }
  const onClose = () => setOpen(undefined)
  const isTarget = rollbackTargets(tasks, environment).some(({ id }) => id === task.id)
  const redeploy = useRedeploy(task, environment)
  const isLive = task.status === 'succeeded' && environment.live?.task_id === task.id
  const deletion = { disabledReason: whyNotDelete(context, lastOf(tasks)), onDelete: () => setOpen('delete') }
  return (
    <div className={styles.toolbar}>
      {isActive(task) ? (
        <>
          <NotifyButton />
          <span className={styles.first}>
            <Button
              disabledReason={missingPermission('deploy', membership) ?? whyProtected(membership, environment)}
              onClick={() => setOpen('cancel')}
            >
              Cancel…
            </Button>
          </span>
          <DeployButton environment={environment} follows />
          <span className={styles.wide}>
            <Button variant="danger" disabledReason={deletion.disabledReason} onClick={deletion.onDelete}>
              Delete Environment
            </Button>
          </span>
        </>
      ) : (
        <>
          {isLive ? (
            <a
              className={buttonClass({})}
              href={environment.url}
              target="_blank"
              rel="noreferrer"
              title={environment.url}
            >
              <ExternalLink size={14} strokeWidth={1.5} aria-hidden="true" />
              Visit
            </a>
          ) : undefined}
          {isTarget ? (
            <Button disabledReason={whyNotStart(context)} onClick={() => setOpen('roll back')}>
              <Undo2 size={14} strokeWidth={1.5} aria-hidden="true" />
              Roll back…
            </Button>
          ) : undefined}
          {redeploy ? (
            <span className={styles.wide}>
              <Button isBusy={redeploy.isBusy} disabledReason={whyNotStart(context)} onClick={redeploy.start}>
                {redeploy.label}
              </Button>
            </span>
          ) : undefined}
          <span className={styles.first}>
            <DeployButton environment={environment} variant="primary" follows />
          </span>
          <More {...deletion}>
            {redeploy && isPhone ? (
              <MenuItem disabledReason={whyNotStart(context)} onChoose={redeploy.start}>
                {redeploy.label}
              </MenuItem>
            ) : undefined}
          </More>
        </>
      )}
      <Dialog title={`Cancel ${taskName(task).toLowerCase()}?`} isOpen={open === 'cancel'} onClose={onClose}>
        <CancelTask task={task} environment={environment} onClose={onClose} />
      </Dialog>
      <Dialog title={`Roll back ${environment.name}`} isOpen={open === 'roll back'} onClose={onClose} isWide>
        <RollBack environment={environment} onClose={onClose} targets={[task]} />
      </Dialog>
      <Dialog title={`Delete ${environment.name}?`} isOpen={open === 'delete'} onClose={onClose}>
        <DeleteEnvironment environment={environment} onClose={onClose} context={context} lastTask={lastOf(tasks)} />
      </Dialog>
    </div>
  )
}

type MoreProps = {
  readonly disabledReason: string | undefined
  readonly onDelete: () => void
  readonly children: ReactNode
}

function More({ disabledReason, onDelete, children }: MoreProps) {
  return (
    <Menu
      label="More"
      trigger={(wiring) => (
        <Button {...wiring} isIcon aria-label="More">
          <Ellipsis size={16} strokeWidth={1.5} aria-hidden="true" />
        </Button>
      )}
    >
      {children}
      <MenuItem isDanger disabledReason={disabledReason} onChoose={onDelete}>
        Delete Environment…
      </MenuItem>
    </Menu>
  )
}
