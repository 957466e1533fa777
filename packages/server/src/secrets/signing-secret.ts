// What messages to others are signed with: a secret in the form of Standard Webhooks, and its signature.
import { createHmac, randomBytes } from 'node:crypto'
import { Secret } from './secret.ts'

const PREFIX = 'whsec_'

export const newSigningSecret = (): Secret => new Secret(`${PREFIX}${randomBytes(32).toString('base64')}`)

type SignedMessage = { readonly id: string; readonly timestamp: string; readonly body: string }

/** `v1,{HMAC-SHA256 in base64}` of each secret, set apart by spaces: the receiver takes whichever it knows. */
export function signMessage(secrets: readonly Secret[], { id, timestamp, body }: SignedMessage): string {
  const signatureOf = (secret: Secret): string => {
    const key = Buffer.from(secret.reveal().slice(PREFIX.length), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
  }
  return secrets.map(signatureOf).join(' ')
}
