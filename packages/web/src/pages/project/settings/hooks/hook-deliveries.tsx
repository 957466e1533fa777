// Recent deliveries of a webhook, with a button to send each again.
import type { HookDelivery } from '@shipway/api'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Button } from '../../../../components/button.tsx'
import { FormError } from '../../../../components/form.tsx'
import list from '../../../../components/list.module.css'
import { Failed, Loading } from '../../../../components/states.tsx'
import { RelativeTime } from '../../../../components/time.tsx'
import { useSubmission } from '../../../../components/use-submission.ts'
import { cache } from '../../../../data/cache.ts'
import { client } from '../../../../data/client.ts'
import { keys } from '../../../../data/keys.ts'
import type { Appearance } from '../../../../status/appearance.ts'
import { NamedStatusIcon } from '../../../../status/status-icon.tsx'
import styles from './hooks.module.css'
import { hookDeliveriesQuery } from './hooks-query.ts'

export function HookDeliveries({ hookId }: { readonly hookId: number }) {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    hookDeliveriesQuery(hookId),
  )
  if (data === undefined) {
    return error ? (
      <Failed error={error} onRetry={() => void refetch()} />
    ) : (
      <Loading rows={2} what="Loading deliveries" />
    )
  }
  const deliveries = data.pages.flatMap(({ items }) => items)
  if (deliveries.length === 0) return <p className="small quiet">No deliveries yet.</p>
  return (
    <section className={styles.scroll} aria-label="Deliveries">
      <ul className={`${list.list} ${list.still} ${styles.deliveries}`}>
        {deliveries.map((delivery) => (
          <li key={delivery.id}>
            <Row delivery={delivery} />
          </li>
        ))}
      </ul>
      {hasNextPage ? (
        <Button isSmall isBusy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          Show older deliveries
        </Button>
      ) : undefined}
    </section>
  )
}

const STATUSES: Readonly<Record<HookDelivery['status'], Appearance>> = {
  pending: { shape: 'dotted', label: 'Pending', tone: 'quiet' },
  succeeded: { shape: 'ticked', label: 'Delivered', tone: 'quiet' },
  failed: { shape: 'octagon', label: 'Failed', tone: 'bad' },
}

function Row({ delivery }: { readonly delivery: HookDelivery }) {
  const submission = useSubmission()
  const { id, hook_id, event, status, attempts, response_text, error } = delivery
  const redeliver = async (): Promise<void> => {
    await client.redeliverHook({ params: { id: hook_id, delivery_id: id } })
    await cache.invalidateQueries({ queryKey: keys.hookDeliveries(hook_id) })
  }
  return (
    <div className={list.line}>
      <NamedStatusIcon appearance={STATUSES[status]} />
      <div>
        <div className="cut" title={delivery.message_id}>
          <code>{event}</code> · <RelativeTime at={delivery.attempted_at ?? delivery.created_at} />
        </div>
        <div className="small quiet">
          {STATUSES[status].label}
          {attempts > 1 ? `, ${attempts} attempts` : ''}
          {delivery.duration_ms === null ? '' : `, ${delivery.duration_ms} ms`}
        </div>
        {error === null ? undefined : <div className="small warn">{error}</div>}
        {response_text ? (
          <div className="cut tiny faint" title={response_text}>
            {response_text}
          </div>
        ) : undefined}
        <FormError submission={submission} />
      </div>
      <Button
        isSmall
        aria-label={`Send ${event} again`}
        isBusy={submission.isBusy}
        onClick={() => void submission.submit(redeliver)}
      >
        Send again
      </Button>
    </div>
  )
}
