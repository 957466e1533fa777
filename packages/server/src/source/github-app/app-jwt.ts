// The JWT that a GitHub App signs in with: RS256 over its own id, valid for some minutes.
import { createPrivateKey, sign } from 'node:crypto'
import { Secret } from '../../secrets/secret.ts'

type AppKey = { readonly appId: number; readonly privateKey: Secret }

/** GitHub recommends a minute in the past, in case its clock is behind. */
const DRIFT_SECONDS = 60
/** GitHub accepts ten minutes at most. */
const VALID_SECONDS = 8 * 60

export function signAppJwt({ appId, privateKey }: AppKey, now: number): Secret {
  const seconds = Math.floor(now / 1000)
  const claims = { iat: seconds - DRIFT_SECONDS, exp: seconds + VALID_SECONDS, iss: `${appId}` }
  const text = `${part({ alg: 'RS256', typ: 'JWT' })}.${part(claims)}`
  const key = createPrivateKey(privateKey.reveal())
  return new Secret(`${text}.${sign('RSA-SHA256', Buffer.from(text), key).toString('base64url')}`)
}

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
