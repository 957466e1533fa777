// Outgoing webhooks of a project.
import type { Hook } from '@shipway/api'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../../../components/button.tsx'
import list from '../../../../components/list.module.css'
import { Section } from '../../../../components/section.tsx'
import { Failed, Loading } from '../../../../components/states.tsx'
import { RelativeTime } from '../../../../components/time.tsx'
import type { Appearance } from '../../../../status/appearance.ts'
import { NamedStatusIcon } from '../../../../status/status-icon.tsx'
import type { SettingsProps } from '../settings-props.ts'
import { HookDialog } from './hook-dialog.tsx'
import styles from './hooks.module.css'
import { hooksQuery } from './hooks-query.ts'
import { NewHook } from './new-hook.tsx'

export function HooksSettings({ project, disabledReason }: SettingsProps) {
  const isAllowed = disabledReason === undefined
  const { data: hooks, error, refetch } = useQuery({ ...hooksQuery(project.id), enabled: isAllowed })
  const [isMaking, setMaking] = useState(false)
  const [openId, setOpenId] = useState<number>()
  return (
    <Section
      title="Webhooks"
      about="Notify other programs when deployments succeed or fail, and when environments are created or removed."
    >
      <div className="stack">
        {hooks !== undefined && hooks.length > 0 ? (
          <ul className={`${list.list} ${list.still} ${styles.hooks}`}>
            {hooks.map((hook) => (
              <li key={hook.id}>
                <Row hook={hook} onOpen={() => setOpenId(hook.id)} />
              </li>
            ))}
          </ul>
        ) : (
          <Nothing isAllowed={isAllowed} isLoaded={hooks !== undefined} error={error} onRetry={() => void refetch()} />
        )}
        <div>
          <Button isSmall disabledReason={disabledReason} onClick={() => setMaking(true)}>
            New webhook…
          </Button>
        </div>
      </div>
      <NewHook projectId={project.id} isOpen={isMaking} onClose={() => setMaking(false)} />
      <HookDialog hook={hooks?.find(({ id }) => id === openId)} onClose={() => setOpenId(undefined)} />
    </Section>
  )
}

type NothingProps = {
  readonly isAllowed: boolean
  readonly isLoaded: boolean
  readonly error: Error | null
  readonly onRetry: () => void
}

function Nothing({ isAllowed, isLoaded, error, onRetry }: NothingProps) {
  if (!isAllowed) return <p className="small quiet">Only administrators can see and change webhooks.</p>
  if (isLoaded) return <p className="small quiet">No webhooks yet.</p>
  return error ? <Failed error={error} onRetry={onRetry} /> : <Loading rows={1} what="Loading webhooks" />
}

function Row({ hook, onOpen }: { readonly hook: Hook; readonly onOpen: () => void }) {
  return (
    <div className={list.line}>
      <NamedStatusIcon appearance={hookAppearance(hook)} />
      <div>
        <div className="cut strong" title={hook.url}>
          {hook.url}
        </div>
        <div className="small quiet">{hook.events.join(', ')}</div>
        <State hook={hook} />
      </div>
      <Button isSmall aria-label={`Open the webhook to ${hook.url}`} onClick={onOpen}>
        Deliveries…
      </Button>
    </div>
  )
}

function State({ hook: { enabled, disabled_reason, failing_since } }: { readonly hook: Hook }) {
  if (disabled_reason === 'gone') return <div className="small warn">Turned off: the receiver answered 410 Gone</div>
  if (disabled_reason === 'failing')
    return <div className="small warn">Turned off: all deliveries failed for three days</div>
  if (!enabled) return <div className="small quiet">Turned off</div>
  if (failing_since === null) return null
  return (
    <div className="small bad">
      Failing, first <RelativeTime at={failing_since} />
    </div>
  )
}

function hookAppearance({ enabled, failing_since }: Hook): Appearance {
  if (!enabled) return { shape: 'dash', label: 'Turned off', tone: 'quiet' }
  if (failing_since !== null) return { shape: 'octagon', label: 'Failing', tone: 'bad' }
  return { shape: 'disc', label: 'On', tone: 'good' }
}
