// One server: how it is, how full it is, what runs there, and what can be done about it.
import type { Server, ServerHealth } from '@shipway/api'
import { useQuery } from '@tanstack/react-query'
import { Ellipsis } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Menu, MenuItem } from '../../components/menu.tsx'
import { Ago } from '../../components/moment.tsx'
import { LoneSign } from '../../status/status-icon.tsx'
import { withoutLine } from '../../text/set-up-line.ts'
import { Fix, Ticks, Troubles } from './checks.tsx'
import { healthQuery } from './health.ts'
import { DiskMeter, Slots } from './meters.tsx'
import { lostConnection, serverShown } from './server-appearance.ts'
import { Details, RunsHere } from './server-details.tsx'
import { type Asked, ServerDialogs } from './server-dialogs.tsx'
import styles from './servers.module.css'
import { SetUpLine } from './set-up-line.tsx'
import { type Look, latest } from './use-checks.ts'

type RowProps = {
  readonly server: Server
  readonly look: Look | undefined
  readonly onCheck: () => void
  readonly lockedBecause: string | undefined
}

export function ServerRow({ server, look: asked, onCheck, lockedBecause }: RowProps) {
  const { data: health, error } = useQuery(healthQuery(server.id))
  const look = latest(asked, health)
  const [dialog, setDialog] = useState<Asked>()
  const [isOpen, setOpen] = useState(false)
  const shown = look?.fault === undefined || server.needs_setup ? serverShown(server, health) : UNREACHED
  return (
    <article className={styles.server} aria-labelledby={`server-${server.id}`}>
      <div className={styles.who}>
        <LoneSign shown={shown} size={16} />
        <div className="grow">
          <h2 id={`server-${server.id}`} className="cut" title={server.name}>
            {server.name}
          </h2>
          <Where server={server} health={health} />
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
      <Middle {...{ server, health, look, lockedBecause, onCheck }} error={error} onAsk={setDialog} />
      {server.needs_setup ? undefined : <RunsHere server={server} health={health} />}
      <div className={styles.menu}>
        <Acts {...{ server, look, lockedBecause, onCheck }} onAsk={setDialog} />
      </div>
      {health && isReachable(server, health, look) ? <Troubles checks={health.checks} server={server} /> : undefined}
      <div id={`server-${server.id}-details`} className={styles.details} hidden={!isOpen}>
        {isOpen ? <Details server={server} health={health} /> : undefined}
      </div>
      <ServerDialogs server={server} asked={dialog} onClose={() => setDialog(undefined)} onForgotten={onCheck} />
    </article>
  )
}

const UNREACHED = { silhouette: 'octagon', word: 'Needs you', tone: 'bad' } as const

const isReachable = (server: Server, health: ServerHealth, look: Look | undefined): boolean =>
  !server.needs_setup && look?.fault === undefined && lostConnection(health) === undefined

function Where({ server, health }: { readonly server: Server; readonly health: ServerHealth | undefined }) {
  const { hostname, port, connection } = server
  const address = connection === 'local' ? `this machine, ${hostname}` : port === 22 ? hostname : `${hostname}:${port}`
  return (
    <div className="tiny faint">
      <div className="cut" title={address}>
        {address}
      </div>
      {health?.checked_at ? (
        <>
          checked <Ago at={health.checked_at} />
        </>
      ) : (
        'not checked yet'
      )}
    </div>
  )
}

type MiddleProps = RowProps & {
  readonly health: ServerHealth | undefined
  readonly error: Error | null
  readonly onAsk: (asked: Asked) => void
}

/** Figures of a server that is reached; what to do about one that is not. */
function Middle({ server, health, error, look, lockedBecause, onCheck, onAsk }: MiddleProps) {
  const lost = lostConnection(health)
  if (server.needs_setup) {
    return (
      <div className={`${styles.wide} ${styles.widest}`}>
        <p className="small strong">The platform has not signed in here yet.</p>
        <SetUpLine server={server} />
        {look?.fault === undefined ? undefined : (
          <p className={`${styles.fault} small`}>{withoutLine(look.fault, server.setup_command)}</p>
        )}
        <CheckAgain {...{ look, lockedBecause, onCheck }} />
      </div>
    )
  }
  if (look?.fault !== undefined || lost) {
    return (
      <div className={styles.wide}>
        {look?.fault === undefined ? (
          <>
            <p className={`${styles.wrapping} small strong`}>{lost?.message}</p>
            <Fix fix={lost?.fix ?? null} server={server} />
          </>
        ) : (
          <Fix fix={look.fault} server={server} />
        )}
        <div className="wrapped">
          <CheckAgain {...{ look, lockedBecause, onCheck }} />
          {server.host_key === null ? undefined : (
            <Button isSmall lockedBecause={lockedBecause} onClick={() => onAsk('forget_key')}>
              Forget the key…
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
          <Ticks checks={health.checks} />
        ) : (
          <div className={styles.unseen}>
            <p className="small quiet">Nobody has looked at it yet.</p>
            <CheckAgain {...{ look, lockedBecause, onCheck }} words="Check now" />
          </div>
        )}
      </div>
      <Slots tasks={health.tasks} />
    </>
  )
}

type CheckProps = Omit<RowProps, 'server'> & { readonly words?: string }

function CheckAgain({ look, lockedBecause, onCheck, words = 'Check again' }: CheckProps) {
  return (
    <Button isSmall isBusy={look?.isBusy ?? false} lockedBecause={lockedBecause} onClick={onCheck}>
      {words}
    </Button>
  )
}

type ActsProps = RowProps & { readonly onAsk: (asked: Asked) => void }

function Acts({ server, look, lockedBecause, onCheck, onAsk }: ActsProps) {
  const used = server.project_count
  return (
    <Menu
      label={`Actions on ${server.name}`}
      trigger={(wiring) => (
        <Button
          {...wiring}
          look="quiet"
          isSmall
          isIcon
          isBusy={look?.isBusy ?? false}
          aria-label={`Actions on ${server.name}`}
        >
          <Ellipsis size={16} strokeWidth={1.5} aria-hidden="true" />
        </Button>
      )}
    >
      <MenuItem onChoose={onCheck} lockedBecause={lockedBecause}>
        Check again
      </MenuItem>
      <MenuItem onChoose={() => onAsk('edit')} lockedBecause={lockedBecause}>
        Edit…
      </MenuItem>
      {server.connection === 'local' ? undefined : (
        <>
          <MenuItem onChoose={() => onAsk('set_up')} lockedBecause={lockedBecause}>
            Set-up line…
          </MenuItem>
          <MenuItem
            onChoose={() => onAsk('forget_key')}
            lockedBecause={server.host_key === null ? 'No key is remembered' : lockedBecause}
          >
            Forget the host key…
          </MenuItem>
        </>
      )}
      <MenuItem
        isDanger
        onChoose={() => onAsk('remove')}
        lockedBecause={
          used > 0 ? `${used} ${used === 1 ? 'project uses' : 'projects use'} it. Take it off first` : lockedBecause
        }
      >
        Remove…
      </MenuItem>
    </Menu>
  )
}
