// Shows the address and secret of the git host's webhook once.
import type { Webhook } from '@shipway/api'
import { ShownOnce } from '../../../components/dialog.tsx'
import { Snippet } from '../../../components/snippet.tsx'

export function WebhookSecret({ webhook }: { readonly webhook: Webhook }) {
  return (
    <div className="stack">
      <div>
        <p className="small strong">Address</p>
        <Snippet label="the address of the webhook" text={webhook.url} />
      </div>
      <div>
        <p className="small strong">Secret</p>
        <Snippet label="the webhook secret" text={webhook.secret} />
      </div>
      {webhook.signing_token === null ? undefined : (
        <div>
          <p className="small strong">Signing token, instead of the secret</p>
          <Snippet label="the signing token" text={webhook.signing_token} />
        </div>
      )}
      <ShownOnce tone="calm">The secret is shown only once. You can create a new one in the settings.</ShownOnce>
    </div>
  )
}
