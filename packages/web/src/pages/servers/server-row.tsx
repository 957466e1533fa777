// One server in the list, with its checks, meters and menu.
import type { Server, ServerHealth } from '@shipway/api'
import { useQuery } from '@tanstack/react-query'
import { Ellipsis } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Menu, MenuItem } from '../../components/menu.tsx'
import { Pending } from '../../components/states.tsx'
import { RelativeTime } from '../../components/time.tsx'
import { NamedStatusIcon } from '../../status/status-icon.tsx'
import { withoutLine } from '../../text/set-up-line.ts'
import { CheckSummary, FailedChecks, Fix } from './checks.tsx'
import { healthQuery } from './health.ts'
import { DiskMeter, Slots } from './meters.tsx'
import { lostConnection, serverAppearance } from './server-appearance.ts'
import { Details, RunsHere } from './server-details.tsx'
import { type DialogName, ServerDialogs } from './server-dialogs.tsx'
import { ServerUsage } from './server-usage.tsx'
import styles from './servers.module.css'
import { SetUpLine } from './set-up-line.tsx'
import { type CheckRun, latest } from './use-checks.ts'

type RowProps = {
  readonly server: Server
  readonly run: CheckRun | undefined
  readonly onCheck: () => void
  readonly disabledReason: string | undefined
}

export function ServerRow({ server, run: requested, onCheck, disabledReason }: RowProps) {
  const { data: health, error } = useQuery(healthQuery(server.id))
  const run = latest(requested, health)
  const [dialog, setDialog] = useState<DialogName>()
  const [isOpen, setOpen] = useState(false)
  const appearance = run?.fault === undefined || server.needs_setup ? serverAppearance(server, health) : UNREACHED
  return (
    <article className={styles.server} aria-labelledby={`server-${server.id}`}>
      <div className={styles.identity}>
        <NamedStatusIcon appearance={appearance} size={16} />
        <div className="grow">
          <h2 id={`server-${server.id}`} className="cut" title={server.name}>
            {server.name}
          </h2>
          <Membership server={server} health={health} />
          <button
            type="button"
            className={styles.more}
            aria-expanded={isOpen}
            aria-controls={`server-${server.id}-details`}
            onClick={() => setOpen(!isOpen)}
          >
            Details
          </button>
        </div>
      </div>
      <Middle
        server={server}
        health={health}
        run={run}
        disabledReason={disabledReason}
        onCheck={onCheck}
        error={error}
        onDialog={setDialog}
      />
      {server.needs_setup ? undefined : <RunsHere server={server} health={health} />}
      <div className={styles.menu}>
        <ServerMenu server={server} run={run} disabledReason={disabledReason} onCheck={onCheck} onDialog={setDialog} />
      </div>
      {health && isReachable(server, health, run) ? (
        <>
          <FailedChecks checks={health.checks} server={server} />
          <ServerUsage serverId={server.id} />
        </>
      ) : undefined}
      <div id={`server-${server.id}-details`} className={styles.details} hidden={!isOpen}>
        {isOpen ? <Details server={server} health={health} disabledReason={disabledReason} /> : undefined}
      </div>
      <ServerDialogs server={server} open={dialog} onClose={() => setDialog(undefined)} onForgotten={onCheck} />
    </article>
  )
}

const UNREACHED = { shape: 'octagon', label: 'Needs attention', tone: 'bad' } as const

const isReachable = (server: Server, health: ServerHealth, run: CheckRun | undefined): boolean =>
  !server.needs_setup && run?.fault === undefined && lostConnection(health) === undefined

function Membership({ server, health }: { readonly server: Server; readonly health: ServerHealth | undefined }) {
  const { hostname, port, connection } = server
  const address = connection === 'local' ? `this machine, ${hostname}` : port === 22 ? hostname : `${hostname}:${port}`
  return (
    <div className="tiny faint">
      <div className="cut" title={address}>
        {address}
      </div>
      {health === undefined ? (
        <Pending what="Loading the last check" />
      ) : health.checked_at ? (
        <>
          checked <RelativeTime at={health.checked_at} />
        </>
      ) : (
        'not checked yet'
      )}
      <ReadyNodes server={server} />
    </div>
  )
}

function ReadyNodes({ server: { nodes } }: { readonly server: Server }) {
  if (nodes.length === 0) return null
  const ready = nodes.filter(({ state }) => state === 'ready').length
  return (
    <div className={ready < nodes.length ? 'warn' : undefined}>
      {ready} of {nodes.length} {nodes.length === 1 ? 'node' : 'nodes'} ready
    </div>
  )
}

type MiddleProps = RowProps & {
  readonly health: ServerHealth | undefined
  readonly error: Error | null
  readonly onDialog: (open: DialogName) => void
}

/** Meters of a reachable server, or what to do about an unreachable one. */
function Middle({ server, health, error, run, disabledReason, onCheck, onDialog }: MiddleProps) {
  const lost = lostConnection(health)
  if (server.needs_setup) {
    return (
      <div className={`${styles.wide} ${styles.widest}`}>
        <p className="small strong">The platform has not connected to this server yet.</p>
        <SetUpLine server={server} />
        {run?.fault === undefined ? undefined : (
          <p className={`${styles.problem} small`}>{withoutLine(run.fault, server.setup_command)}</p>
        )}
        <CheckAgain run={run} disabledReason={disabledReason} onCheck={onCheck} />
      </div>
    )
  }
  if (run?.fault !== undefined || lost) {
    return (
      <div className={styles.wide}>
        {run?.fault === undefined ? (
          <>
            <p className={`${styles.wrapping} small strong`}>{lost?.message}</p>
            <Fix fix={lost?.fix ?? null} server={server} />
          </>
        ) : (
          <Fix fix={run.fault} server={server} />
        )}
        <div className="wrapped">
          <CheckAgain run={run} disabledReason={disabledReason} onCheck={onCheck} />
          {server.host_key === null ? undefined : (
            <Button isSmall disabledReason={disabledReason} onClick={() => onDialog('forget_key')}>
              Forget host key…
            </Button>
          )}
        </div>
      </div>
    )
  }
  if (health === undefined) {
    return <div className={`${styles.wide} small quiet`}>{error === null ? undefined : error.message}</div>
  }
  const disk = health.checks.find(({ name }) => name === 'disk')
  return (
    <>
      <div className={styles.disk}>
        <DiskMeter disk={health.disk} isShort={disk !== undefined && disk.status !== 'ok'} />
        {health.checks.length > 0 ? (
          <CheckSummary checks={health.checks} />
        ) : (
          <div className={styles.unchecked}>
            <p className="small quiet">Not checked yet.</p>
            <CheckAgain run={run} disabledReason={disabledReason} onCheck={onCheck} words="Check now" />
          </div>
        )}
      </div>
      <Slots tasks={health.tasks} />
    </>
  )
}

type CheckProps = Omit<RowProps, 'server'> & { readonly words?: string }

function CheckAgain({ run, disabledReason, onCheck, words = 'Check again' }: CheckProps) {
  return (
    <Button isSmall isBusy={run?.isBusy ?? false} disabledReason={disabledReason} onClick={onCheck}>
      {words}
    </Button>
  )
}

type MenuProps = RowProps & { readonly onDialog: (open: DialogName) => void }

function ServerMenu({ server, run, disabledReason, onCheck, onDialog }: MenuProps) {
  const used = server.project_count
  return (
    <Menu
      label={`Actions on ${server.name}`}
      trigger={(wiring) => (
        <Button
          {...wiring}
          variant="quiet"
          isSmall
          isIcon
          isBusy={run?.isBusy ?? false}
          aria-label={`Actions on ${server.name}`}
        >
          <Ellipsis size={16} strokeWidth={1.5} aria-hidden="true" />
        </Button>
      )}
    >
      <MenuItem onChoose={onCheck} disabledReason={disabledReason}>
        Check again
      </MenuItem>
      <MenuItem onChoose={() => onDialog('edit')} disabledReason={disabledReason}>
        Edit…
      </MenuItem>
      {server.connection === 'local' ? undefined : (
        <>
          <MenuItem onChoose={() => onDialog('set_up')} disabledReason={disabledReason}>
            Set-up line…
          </MenuItem>
          <MenuItem
            onChoose={() => onDialog('forget_key')}
            disabledReason={server.host_key === null ? 'No host key is stored' : disabledReason}
          >
            Forget host key…
          </MenuItem>
        </>
      )}
      <MenuItem
        isDanger
        onChoose={() => onDialog('remove')}
        disabledReason={
          used > 0
            ? `${used} ${used === 1 ? 'project uses' : 'projects use'} this server. Remove it there first`
            : disabledReason
        }
      >
        Remove…
      </MenuItem>
    </Menu>
  )
}
