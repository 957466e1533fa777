// What can be done with an environment. On a phone it stands in a dock at the bottom.
import type { Environment } from '@shipway/api'
import { Ellipsis, Undo2 } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { DeployButton } from '../../components/deploy-button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { DeleteEnvironment } from '../../components/environment/delete-environment.tsx'
import { ResetEnvironment } from '../../components/environment/reset-environment.tsx'
import { RollBack } from '../../components/environment/roll-back.tsx'
import { rollbackTargets } from '../../components/environment/rollback-targets.ts'
import { Menu, MenuItem } from '../../components/menu.tsx'
import { deleteLock, lastOf, startLock } from '../../data/environment-reasons.ts'
import { useTold } from '../../data/live-query.ts'
import { latestTasksQuery } from '../../data/queries.ts'
import { useHere } from '../../layout/current-page.ts'
import styles from './environment.module.css'
import { WatchButton } from './watch-button.tsx'

type Asked = 'roll back' | 'reset' | 'delete'

export function EnvironmentActs({ environment }: { readonly environment: Environment }) {
  const { me, organization, project } = useHere()
  const { data: tasks = [] } = useTold(latestTasksQuery(environment.id))
  const [asked, setAsked] = useState<Asked>()
  const place = { me, organizationId: organization?.id, environment, project }
  const targets = rollbackTargets(tasks, environment)
  const lock = startLock(place)
  const onClose = () => setAsked(undefined)
  const dialog = { environment, onClose }
  return (
    <div className={styles.acts}>
      <WatchButton environmentId={environment.id} />
      <Button
        lockedBecause={lock ?? (targets.length === 0 ? 'There is no earlier deployment to go back to' : undefined)}
        onClick={() => setAsked('roll back')}
      >
        <Undo2 size={14} strokeWidth={1.5} aria-hidden="true" />
        Roll back…
      </Button>
      <span className={styles.deploy}>
        <DeployButton environment={environment} look="primary" follows />
      </span>
      <Menu
        label="More"
        trigger={(wiring) => (
          <Button
            {...wiring}
            isIcon
            aria-label={
              environment.protected ? 'More: delete environment' : 'More: reset environment, delete environment'
            }
          >
            <Ellipsis size={16} strokeWidth={1.5} aria-hidden="true" />
          </Button>
        )}
      >
        {environment.protected ? undefined : (
          <MenuItem lockedBecause={lock} onChoose={() => setAsked('reset')}>
            Reset environment…
          </MenuItem>
        )}
        <MenuItem isDanger lockedBecause={deleteLock(place, lastOf(tasks))} onChoose={() => setAsked('delete')}>
          Delete Environment…
        </MenuItem>
      </Menu>
      <Dialog title={`Roll back ${environment.name}`} isOpen={asked === 'roll back'} onClose={onClose} isWide>
        <RollBack {...dialog} targets={targets} />
      </Dialog>
      <Dialog title={`Reset ${environment.name}?`} isOpen={asked === 'reset'} onClose={onClose}>
        <ResetEnvironment {...dialog} />
      </Dialog>
      <Dialog title={`Delete ${environment.name}?`} isOpen={asked === 'delete'} onClose={onClose}>
        <DeleteEnvironment {...dialog} lastTask={lastOf(tasks)} place={place} />
      </Dialog>
    </div>
  )
}
