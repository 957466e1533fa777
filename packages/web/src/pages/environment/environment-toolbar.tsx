// Buttons of an environment's page. On phones they are fixed to the bottom.
import type { Environment, Task } from '@shipway/api'
import { Ellipsis, Undo2 } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { DeployButton } from '../../components/deploy-button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { DeleteEnvironment } from '../../components/environment/delete-environment.tsx'
import { DeploySource } from '../../components/environment/deploy-source.tsx'
import { ResetEnvironment } from '../../components/environment/reset-environment.tsx'
import { RollBack } from '../../components/environment/roll-back.tsx'
import { rollbackTargets } from '../../components/environment/rollback-targets.ts'
import { SilenceEnvironment } from '../../components/environment/silence-environment.tsx'
import { Menu, MenuItem } from '../../components/menu.tsx'
import { missingPermission } from '../../data/disabled-reasons.ts'
import { lastOf, whyNotDelete, whyNotStart } from '../../data/environment-reasons.ts'
import { useLiveQuery } from '../../data/live-query.ts'
import { latestTasksQuery } from '../../data/queries.ts'
import { useCurrentPage } from '../../layout/current-page.ts'
import styles from './environment.module.css'
import { WatchButton } from './watch-button.tsx'

type DialogName = 'source' | 'silence' | 'roll back' | 'reset' | 'delete'

export function EnvironmentToolbar({ environment }: { readonly environment: Environment }) {
  const { me, organization, project } = useCurrentPage()
  const { data: known } = useLiveQuery(latestTasksQuery(environment.id))
  const tasks = known ?? []
  const [open, setOpen] = useState<DialogName>()
  const context = { me, organizationId: organization?.id, environment, project }
  const targets = rollbackTargets(tasks, environment)
  const reason = whyNotStart(context)
  const onClose = () => setOpen(undefined)
  const dialog = { environment, onClose }
  return (
    <div className={styles.toolbar}>
      <WatchButton environmentId={environment.id} />
      <Button disabledReason={reason} waitsFor={whyNotRollBack(known, targets)} onClick={() => setOpen('roll back')}>
        <Undo2 size={14} strokeWidth={1.5} aria-hidden="true" />
        Roll back…
      </Button>
      <span className={styles.deploy}>
        <DeployButton environment={environment} variant="primary" follows />
      </span>
      <Menu
        label="More"
        trigger={(wiring) => (
          <Button
            {...wiring}
            isIcon
            aria-label={`More: deploy a branch or commit, silence alerts, ${environment.protected ? '' : 'reset environment, '}delete environment`}
          >
            <Ellipsis size={16} strokeWidth={1.5} aria-hidden="true" />
          </Button>
        )}
      >
        <MenuItem disabledReason={reason ?? whyNoSource(environment)} onChoose={() => setOpen('source')}>
          Deploy a branch or commit…
        </MenuItem>
        <MenuItem disabledReason={missingPermission('deploy', context)} onChoose={() => setOpen('silence')}>
          Silence alerts…
        </MenuItem>
        {environment.protected ? undefined : (
          <MenuItem disabledReason={reason} onChoose={() => setOpen('reset')}>
            Reset environment…
          </MenuItem>
        )}
        <MenuItem isDanger disabledReason={whyNotDelete(context, lastOf(tasks))} onChoose={() => setOpen('delete')}>
          Delete Environment…
        </MenuItem>
      </Menu>
      <Dialog title={`Roll back ${environment.name}`} isOpen={open === 'roll back'} onClose={onClose} isWide>
        <RollBack {...dialog} targets={targets} />
      </Dialog>
      <Dialog title={`Deploy to ${environment.name}`} isOpen={open === 'source'} onClose={onClose}>
        <DeploySource {...dialog} />
      </Dialog>
      <Dialog title={`Silence alerts of ${environment.name}`} isOpen={open === 'silence'} onClose={onClose}>
        <SilenceEnvironment environmentId={environment.id} onClose={onClose} />
      </Dialog>
      <Dialog title={`Reset ${environment.name}?`} isOpen={open === 'reset'} onClose={onClose}>
        <ResetEnvironment {...dialog} />
      </Dialog>
      <Dialog title={`Delete ${environment.name}?`} isOpen={open === 'delete'} onClose={onClose}>
        <DeleteEnvironment {...dialog} lastTask={lastOf(tasks)} context={context} />
      </Dialog>
    </div>
  )
}

function whyNotRollBack(known: readonly Task[] | undefined, targets: readonly Task[]): string | undefined {
  if (known === undefined) return 'Loading deployments'
  return targets.length === 0 ? 'There is no earlier deployment to roll back to' : undefined
}

const whyNoSource = ({ pull_request }: Environment): string | undefined =>
  pull_request?.is_fork ? 'A pull request from a fork deploys approved commits only' : undefined
