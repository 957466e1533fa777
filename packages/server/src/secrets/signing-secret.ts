// Signs outgoing webhooks by the rules of Standard Webhooks.
import { createHmac, randomBytes } from 'node:crypto'
import { Secret } from './secret.ts'

const PREFIX = 'whsec_'

export const newSigningSecret = (): Secret => new Secret(`${PREFIX}${randomBytes(32).toString('base64')}`)

type SignedMessage = { readonly id: string; readonly timestamp: string; readonly body: string }

/** One `v1,{HMAC-SHA256 in base64}` for each secret, separated by spaces. The receiver checks the one it knows. */
export function signMessage(secrets: readonly Secret[], { id, timestamp, body }: SignedMessage): string {
  const signatureOf = (secret: Secret): string => {
    const key = Buffer.from(secret.reveal().slice(PREFIX.length), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
  }
  return secrets.map(signatureOf).join(' ')
}
