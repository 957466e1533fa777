// Setup command of a server, and whether the platform can connect yet.
import type { Server } from '@shipway/api'
import { useEffect, useState } from 'react'
import { Snippet } from '../../components/snippet.tsx'
import { StatusIcon } from '../../status/status-icon.tsx'
import { withoutLine } from '../../text/set-up-line.ts'
import styles from './servers.module.css'
import { runCheck } from './use-checks.ts'

export function SetUpLine({ server }: { readonly server: Server }) {
  const line = server.setup_command
  return (
    <div className="stack">
      {line === null ? (
        <p className="small quiet">This is the platform's own machine; nothing needs to be run there.</p>
      ) : (
        <>
          <p className="small quiet">
            Run this on the machine as root. It creates the platform’s user, trusts ssh certificates of this platform
            only, and installs git, Docker and the edge. You can run it again at any time.
          </p>
          <Snippet text={line} label="the set-up line" prompt="#" />
          {server.setup_warning === null ? undefined : (
            <p className={`${styles.warning} small`} role="note">
              {server.setup_warning}.
            </p>
          )}
          <p className="tiny faint">
            Add <code>--dry-run</code> to see what it would do.
          </p>
        </>
      )}
    </div>
  )
}

/** Pause between checks while the user runs the command. */
const PAUSE_MS = 4_000

/** Checks the server until it is reachable. */
export function SetUpProgress({ server }: { readonly server: Server }) {
  const { isReached, fault } = useSetUpChecks(server)
  return (
    <div className={styles.progress} role="status">
      {isReached ? (
        <>
          <StatusIcon shape="ticked" tone="good" size={16} />
          <span className="small strong">{server.name} is ready. Projects can use it.</span>
        </>
      ) : (
        <>
          <StatusIcon shape="arc" tone="accent" size={16} />
          <span className="small">
            Waiting for {server.name}
            {fault === undefined ? undefined : (
              <span className={styles.problem}>{withoutLine(fault, server.setup_command)}</span>
            )}
          </span>
        </>
      )}
    </div>
  )
}

function useSetUpChecks(server: Server): { readonly isReached: boolean; readonly fault: string | undefined } {
  const [isReached, setReached] = useState(false)
  const [fault, setFault] = useState<string>()
  useEffect(() => {
    let isShown = true
    let timer: ReturnType<typeof setTimeout> | undefined
    const check = async (): Promise<void> => {
      const problem = await runCheck(server)
      if (!isShown) return
      setFault(problem)
      setReached(problem === undefined)
      if (problem !== undefined) timer = setTimeout(check, PAUSE_MS)
    }
    void check()
    return () => {
      isShown = false
      clearTimeout(timer)
    }
  }, [server])
  return { isReached, fault }
}
