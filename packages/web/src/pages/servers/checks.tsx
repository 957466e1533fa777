// Results of server checks.
import type { Check, Server } from '@shipway/api'
import { Snippet } from '../../components/snippet.tsx'
import type { Appearance } from '../../status/appearance.ts'
import { NamedStatusIcon, StatusIcon } from '../../status/status-icon.tsx'
import { checkLabel } from '../../text/check.ts'
import { splitLine } from '../../text/set-up-line.ts'
import styles from './servers.module.css'

const SHOWN: Readonly<Record<Check['status'], Appearance>> = {
  ok: { shape: 'tick', label: 'Fine', tone: 'quiet' },
  warning: { shape: 'triangle', label: 'Warning', tone: 'warn' },
  failed: { shape: 'octagon', label: 'Failed', tone: 'bad' },
}

/** Always shown; other checks only if they did not pass. */
const CHIEF: readonly string[] = ['connection', 'docker', 'compose', 'haproxy', 'disk', 'clock']

export function CheckSummary({ checks }: { readonly checks: readonly Check[] }) {
  return (
    <ul className={styles.checks} aria-label="Checks">
      {checks
        .filter(({ name, status }) => status !== 'ok' || CHIEF.includes(name))
        .map((check) => (
          <li key={check.name} title={check.message}>
            <NamedStatusIcon appearance={SHOWN[check.status]} size={12} />
            {checkLabel(check)}
          </li>
        ))}
    </ul>
  )
}

export function FailedChecks({ checks, server }: { readonly checks: readonly Check[]; readonly server: Server }) {
  const failing = checks.filter(({ status }) => status !== 'ok')
  if (failing.length === 0) return null
  return (
    <ul className={styles.failing}>
      {failing.map((check) => (
        <li key={check.name} className={styles.failure}>
          <StatusIcon {...SHOWN[check.status]} />
          <div>
            <p>{check.message}</p>
            <Fix fix={check.fix} server={server} />
          </div>
        </li>
      ))}
    </ul>
  )
}

/** How to fix it. Setup commands can be copied. */
export function Fix({ fix, server }: { readonly fix: string | null; readonly server: Server }) {
  if (fix === null) return null
  const { words, hasLine } = splitLine(fix, server.setup_command)
  return (
    <>
      <p className="small quiet">{words}</p>
      {hasLine ? <Snippet text={server.setup_command ?? ''} label="the set-up line" prompt="#" /> : undefined}
    </>
  )
}

export function CheckList({ checks }: { readonly checks: readonly Check[] }) {
  return (
    <ul className={styles.found}>
      {checks.map((check) => (
        <li key={check.name}>
          <NamedStatusIcon appearance={SHOWN[check.status]} size={12} />
          <span className="strong">{checkLabel({ ...check, status: 'failed' })}</span>
          <span className="quiet">{check.message}</span>
        </li>
      ))}
    </ul>
  )
}
