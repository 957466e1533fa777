// Webhook step: done after the first delivery with a valid signature.
import type { Project } from '@shipway/api'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Snippet } from '../../../components/snippet.tsx'
import { RelativeTime } from '../../../components/time.tsx'
import { keptWebhook } from '../../../data/new-webhooks.ts'
import { deliveriesQuery } from '../../../data/queries.ts'
import { WEBHOOK_STEPS } from '../../../text/host.ts'
import { WebhookSecret } from '../settings/webhook-secret.tsx'
import { ConnectStep } from './connect-step.tsx'

export function WebhookStep({ project }: { readonly project: Project }) {
  const { data } = useInfiniteQuery(deliveriesQuery(project.id))
  const [latest] = data?.pages[0]?.items ?? []
  const webhook = keptWebhook(project.id)
  const isRefused = latest?.verdict === 'refused'
  return (
    <ConnectStep
      title="Webhook"
      state={latest === undefined ? 'waiting' : isRefused ? 'failed' : 'true'}
      says={
        data === undefined ? (
          'Loading deliveries'
        ) : latest === undefined ? (
          'Waiting for the first delivery'
        ) : (
          <>
            Last delivery <RelativeTime at={latest.received_at} />
          </>
        )
      }
    >
      {isRefused ? (
        <p className="bad small">{latest.reason ?? 'The last delivery was refused. Check the secret.'}</p>
      ) : undefined}
      <p className="small quiet">{WEBHOOK_STEPS[project.repository_host]} The ping of the host completes this step.</p>
      {webhook ? (
        <WebhookSecret webhook={webhook} />
      ) : (
        <>
          <Snippet label="the address of the webhook" text={project.webhook_url} />
          <p className="small faint">The secret was shown once. You can create a new one in the settings.</p>
        </>
      )}
    </ConnectStep>
  )
}
