// What can be done from the page of a task. On a phone it stands in a dock at the bottom.
import type { Environment, Task } from '@shipway/api'
import { Ellipsis, Undo2 } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { DeployButton } from '../../../components/deploy-button.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { DeleteEnvironment } from '../../../components/environment/delete-environment.tsx'
import { RollBack } from '../../../components/environment/roll-back.tsx'
import { rollbackTargets } from '../../../components/environment/rollback-targets.ts'
import { Menu, MenuItem } from '../../../components/menu.tsx'
import { needs, protectedLock } from '../../../data/disabled-reasons.ts'
import { deleteLock, lastOf, startLock } from '../../../data/environment-reasons.ts'
import { useTold } from '../../../data/live-query.ts'
import { latestTasksQuery } from '../../../data/queries.ts'
import { useHere } from '../../../layout/current-page.ts'
import styles from '../task.module.css'
import { isActive, taskName } from '../task-name.ts'
import { CancelTask } from './cancel-task.tsx'

type TaskActsProps = { readonly task: Task; readonly environment: Environment }
type Asked = 'cancel' | 'roll back' | 'delete'

export function TaskActs({ task, environment }: TaskActsProps) {
  const { me, organization, project } = useHere()
  const { data: tasks = [] } = useTold(latestTasksQuery(environment.id))
  const [asked, setAsked] = useState<Asked>()
  const where = { me, organizationId: organization?.id }
  const place = { ...where, environment, project }
  const onClose = () => setAsked(undefined)
  const isTarget = rollbackTargets(tasks, environment).some(({ id }) => id === task.id)
  const deletion = { lockedBecause: deleteLock(place, lastOf(tasks)), onAsk: () => setAsked('delete') }
  return (
    <div className={styles.acts}>
      {isActive(task) ? (
        <>
          <span className={styles.first}>
            <Button
              lockedBecause={needs('member', where) ?? protectedLock(where, environment)}
              onClick={() => setAsked('cancel')}
            >
              Cancel…
            </Button>
          </span>
          <DeployButton environment={environment} follows />
          <span className={styles.wide}>
            <Button look="danger" lockedBecause={deletion.lockedBecause} onClick={deletion.onAsk}>
              Delete Environment
            </Button>
          </span>
        </>
      ) : (
        <>
          {isTarget ? (
            <Button lockedBecause={startLock(place)} onClick={() => setAsked('roll back')}>
              <Undo2 size={14} strokeWidth={1.5} aria-hidden="true" />
              Roll back…
            </Button>
          ) : undefined}
          <span className={styles.first}>
            <DeployButton environment={environment} look="primary" follows />
          </span>
          <More {...deletion} />
        </>
      )}
      <Dialog title={`Cancel ${taskName(task).toLowerCase()}?`} isOpen={asked === 'cancel'} onClose={onClose}>
        <CancelTask {...{ task, environment, onClose }} />
      </Dialog>
      <Dialog title={`Roll back ${environment.name}`} isOpen={asked === 'roll back'} onClose={onClose} isWide>
        <RollBack {...{ environment, onClose }} targets={[task]} />
      </Dialog>
      <Dialog title={`Delete ${environment.name}?`} isOpen={asked === 'delete'} onClose={onClose}>
        <DeleteEnvironment {...{ environment, onClose, place }} lastTask={lastOf(tasks)} />
      </Dialog>
    </div>
  )
}

function More({ lockedBecause, onAsk }: { readonly lockedBecause: string | undefined; readonly onAsk: () => void }) {
  return (
    <Menu
      label="More"
      trigger={(wiring) => (
        <Button {...wiring} isIcon aria-label="More: delete environment">
          <Ellipsis size={16} strokeWidth={1.5} aria-hidden="true" />
        </Button>
      )}
    >
      <MenuItem isDanger lockedBecause={lockedBecause} onChoose={onAsk}>
        Delete Environment…
      </MenuItem>
    </Menu>
  )
}
