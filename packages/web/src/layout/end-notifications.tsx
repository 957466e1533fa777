// Notifies the user when a deployment of the open environment ends while another tab or window is in front.
import type { Environment } from '@shipway/api'
import { useEffect, useRef } from 'react'
import { notify } from '../data/notifications.ts'
import { useCurrentPage } from './current-page.ts'

export function EndNotifications() {
  const { environment } = useCurrentPage()
  const before = useRef<Environment>(undefined)
  useEffect(() => {
    const ended = before.current && environment ? endedTask(before.current, environment) : undefined
    before.current = environment
    if (environment === undefined || ended === undefined || document.hasFocus()) return
    notify({
      title: `${environment.name}: ${OUTCOMES[ended.status]}`,
      body: `#${ended.id} · ${environment.domain}`,
      tag: `task-${ended.id}`,
      path: `/environments/${environment.id}/tasks/${ended.id}`,
    })
  }, [environment])
  return null
}

type LastTask = NonNullable<Environment['last_deployment']>

const OUTCOMES: Readonly<Record<LastTask['status'], string>> = {
  queued: 'queued',
  running: 'deploying',
  succeeded: 'deployed',
  failed: 'deployment failed',
  canceled: 'deployment canceled',
}

/** The task that was active in the record before and is the newest one that has ended in this one. */
function endedTask(before: Environment, after: Environment): LastTask | undefined {
  const { active_task: active } = before
  const last = after.last_deployment
  if (before.id !== after.id || active === null || active.kind === 'remove') return undefined
  return last?.id === active.id && last.finished_at !== null ? last : undefined
}
