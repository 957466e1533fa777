// Checks the JWT of an App as GitHub does: RS256, by a key of the App, and times that are sound.
import { verify } from 'node:crypto'
import { bearerOf, type GitHubContext, type GitHubRequest, Refusal } from './answer.ts'
import type { GitHubApp } from './records.ts'

const LONGEST_SECONDS = 600
/** GitHub accepts a clock that is a little ahead of its own. */
const DRIFT_SECONDS = 5

export function demandApp({ records, clock }: GitHubContext, request: GitHubRequest): GitHubApp {
  const [header, payload, signature, ...others] = (bearerOf(request) ?? '').split('.')
  if (!header || !payload || !signature || others.length > 0)
    throw new Refusal(401, 'A JSON web token could not be decoded')
  const [{ alg }, { iss, iat, exp }] = [decode(header), decode(payload)]
  if (alg !== 'RS256') throw new Refusal(401, 'A JSON web token could not be decoded')
  const app = [...records.apps.values()].find(({ id, clientId }) => `${id}` === `${iss}` || clientId === iss)
  if (!app) throw new Refusal(404, 'Integration not found')
  const now = clock() / 1000
  if (typeof iat !== 'number' || iat > now + DRIFT_SECONDS)
    throw new Refusal(
      401,
      "'Issued at' claim ('iat') must be an Integer representing the time that the assertion was issued",
    )
  if (typeof exp !== 'number' || exp <= now)
    throw new Refusal(
      401,
      "'Expiration time' claim ('exp') must be a numeric value representing the future time at which the assertion expires",
    )
  if (exp > now + LONGEST_SECONDS) throw new Refusal(401, "'Expiration time' claim ('exp') is too far in the future")
  const signed = Buffer.from(`${header}.${payload}`)
  const isSigned = app.publicKeys.some((key) => verify('RSA-SHA256', signed, key, Buffer.from(signature, 'base64url')))
  if (!isSigned) throw new Refusal(401, 'A JSON web token could not be decoded')
  return app
}

function decode(part: string): Record<string, unknown> {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString())
  } catch (cause) {
    throw new Refusal(401, `A JSON web token could not be decoded (${String(cause)})`)
  }
}
