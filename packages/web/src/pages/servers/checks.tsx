// What the checks of a server found: ticks for what is fine, sentences for what is not.
import type { Check, Server } from '@shipway/api'
import { Snippet } from '../../components/snippet.tsx'
import type { Shown } from '../../status/appearance.ts'
import { LoneSign, Sign } from '../../status/status-icon.tsx'
import { checkWords } from '../../text/check.ts'
import { splitLine } from '../../text/set-up-line.ts'
import styles from './servers.module.css'

const SHOWN: Readonly<Record<Check['status'], Shown>> = {
  ok: { silhouette: 'tick', word: 'Fine', tone: 'quiet' },
  warning: { silhouette: 'triangle', word: 'Warning', tone: 'warn' },
  failed: { silhouette: 'octagon', word: 'Failed', tone: 'bad' },
}

/** Those that deployments depend on first. The rest is shown when it has something to tell. */
const CHIEF: readonly string[] = ['connection', 'docker', 'compose', 'haproxy', 'disk', 'clock']

export function Ticks({ checks }: { readonly checks: readonly Check[] }) {
  return (
    <ul className={styles.ticks} aria-label="Checks">
      {checks
        .filter(({ name, status }) => status !== 'ok' || CHIEF.includes(name))
        .map((check) => (
          <li key={check.name} title={check.message}>
            <LoneSign shown={SHOWN[check.status]} size={12} />
            {checkWords(check)}
          </li>
        ))}
    </ul>
  )
}

export function Troubles({ checks, server }: { readonly checks: readonly Check[]; readonly server: Server }) {
  const troubles = checks.filter(({ status }) => status !== 'ok')
  if (troubles.length === 0) return null
  return (
    <ul className={styles.troubles}>
      {troubles.map((check) => (
        <li key={check.name} className={styles.trouble}>
          <Sign {...SHOWN[check.status]} />
          <div>
            <p>{check.message}</p>
            <Fix fix={check.fix} server={server} />
          </div>
        </li>
      ))}
    </ul>
  )
}

/** What to do about it. A set-up line can be copied. */
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

/** Every one with what it found. */
export function CheckList({ checks }: { readonly checks: readonly Check[] }) {
  return (
    <ul className={styles.found}>
      {checks.map((check) => (
        <li key={check.name}>
          <LoneSign shown={SHOWN[check.status]} size={12} />
          <span className="strong">{checkWords({ ...check, status: 'failed' })}</span>
          <span className="quiet">{check.message}</span>
        </li>
      ))}
    </ul>
  )
}
