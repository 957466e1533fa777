// The last messages to a webhook: whether each has arrived, what was answered, and a button that sends it again.
import type { HookDelivery } from '@shipway/api'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Button } from '../../../../components/button.tsx'
import { FormFault } from '../../../../components/form.tsx'
import list from '../../../../components/list.module.css'
import { Ago } from '../../../../components/moment.tsx'
import { Failed, Loading } from '../../../../components/states.tsx'
import { useSending } from '../../../../components/use-submission.ts'
import { cache } from '../../../../data/cache.ts'
import { client } from '../../../../data/client.ts'
import { keys } from '../../../../data/keys.ts'
import type { Shown } from '../../../../status/appearance.ts'
import { LoneSign } from '../../../../status/status-icon.tsx'
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
      <Loading rows={2} what="The deliveries are loading" />
    )
  }
  const deliveries = data.pages.flatMap(({ items }) => items)
  if (deliveries.length === 0) return <p className="small quiet">Nothing was sent yet.</p>
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
          Earlier ones
        </Button>
      ) : undefined}
    </section>
  )
}

const STATUSES: Readonly<Record<HookDelivery['status'], Shown>> = {
  pending: { silhouette: 'dotted', word: 'Waits to be sent', tone: 'quiet' },
  succeeded: { silhouette: 'ticked', word: 'Arrived', tone: 'quiet' },
  failed: { silhouette: 'octagon', word: 'Given up', tone: 'bad' },
}

function Row({ delivery }: { readonly delivery: HookDelivery }) {
  const sending = useSending()
  const { id, hook_id, event, status, attempts, response_text, error } = delivery
  const redeliver = async (): Promise<void> => {
    await client.redeliverHook({ params: { id: hook_id, delivery_id: id } })
    await cache.invalidateQueries({ queryKey: keys.hookDeliveries(hook_id) })
  }
  return (
    <div className={list.line}>
      <LoneSign shown={STATUSES[status]} />
      <div>
        <div className="cut" title={delivery.message_id}>
          <code>{event}</code> · <Ago at={delivery.attempted_at ?? delivery.created_at} />
        </div>
        <div className="small quiet">
          {STATUSES[status].word}
          {attempts > 1 ? `, ${attempts} attempts` : ''}
          {delivery.duration_ms === null ? '' : `, ${delivery.duration_ms} ms`}
        </div>
        {error === null ? undefined : <div className="small warn">{error}</div>}
        {response_text ? (
          <div className="cut tiny faint" title={response_text}>
            {response_text}
          </div>
        ) : undefined}
        <FormFault sending={sending} />
      </div>
      <Button
        isSmall
        aria-label={`Send ${event} again`}
        isBusy={sending.isBusy}
        onClick={() => void sending.send(redeliver)}
      >
        Send again
      </Button>
    </div>
  )
}
