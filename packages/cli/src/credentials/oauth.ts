// The OAuth server of a platform: the device flow (RFC 8628), renewal (RFC 6749, section 6) and revocation (RFC 7009).
import { CommandError } from '../command-error.ts'
import { EXIT } from '../exit-code.ts'
import { parseAnswer } from '../http/answer-limits.ts'
import { limitTime } from '../http/time-limits.ts'
import { USER_AGENT } from '../http/user-agent.ts'
import { plainText } from '../terminal/sanitize.ts'
import type { SignIn } from './credentials-file.ts'
import { isSamePlatform } from './instance.ts'

export type Device = {
  readonly device_code: string
  readonly user_code: string
  /** Both belong to the platform that issued the code. */
  readonly verification_uri: URL
  readonly verification_uri_complete: URL
  readonly expires_in: number
  readonly interval: number
}

/** An error response of the OAuth server: `invalid_grant`, `authorization_pending` and so on. */
export class OauthRefusal extends Error {
  override readonly name = 'OauthRefusal'
  readonly error: string

  constructor(error: string, description: string) {
    super(description)
    this.error = error
  }
}

export const isOauthUnreachable = (error: unknown): boolean => error instanceof CommandError && error.code === NO_ANSWER

const NO_ANSWER = 'no_answer'
const CLIENT_ID = 'shipway-cli'

export async function startDevice(instance: string, scope: string, signal: AbortSignal): Promise<Device> {
  const answer = await post(instance, 'device_authorization', { scope }, signal)
  const { device_code, user_code, verification_uri, expires_in, interval } = answer
  if (typeof device_code !== 'string' || !isUserCode(user_code)) throw UnexpectedAnswer(instance)
  return {
    device_code,
    user_code,
    verification_uri: readAddress(instance, verification_uri),
    verification_uri_complete: readAddress(instance, answer.verification_uri_complete ?? verification_uri),
    expires_in: clamp(expires_in, { least: 0, most: 3600, otherwise: 600 }),
    interval: clamp(interval, { least: 1, most: 60, otherwise: 5 }),
  }
}

const isUserCode = (value: unknown): value is string =>
  typeof value === 'string' && /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,30}[A-Za-z0-9])?$/.test(value)

/**
 * A hostile platform could request a code from another platform and show it as its own. A user who approves it there would hand over that
 * account. So the page for a code must be on the platform that issued it.
 */
function readAddress(instance: string, value: unknown): URL {
  const address = typeof value === 'string' ? URL.parse(value) : null
  if (!address) throw UnexpectedAnswer(instance)
  if (isSamePlatform(instance, address)) return address
  throw OtherPlatform(instance, address)
}

function OtherPlatform(instance: string, { origin }: URL): CommandError {
  const isWeb = /^https?:/.test(origin)
  return new CommandError(
    `${new URL(instance).host} wants you to approve its code ${isWeb ? `at ${origin}` : 'elsewhere'}, so you were not signed in`,
    {
      code: 'other_platform',
      exitCode: EXIT.signIn,
      advice: [isWeb ? `If that is your platform, sign in there: shipway login ${origin}` : 'Check the address'],
    },
  )
}

type Range = { readonly least: number; readonly most: number; readonly otherwise: number }

/** The platform chooses the number, so it is limited to what the client can wait for and store. */
const clamp = (value: unknown, { least, most, otherwise }: Range): number =>
  typeof value === 'number' ? Math.min(most, Math.max(least, value)) : otherwise

export async function requestDeviceTokens(instance: string, device: Device, signal: AbortSignal): Promise<SignIn> {
  const grant_type = 'urn:ietf:params:oauth:grant-type:device_code'
  return readTokens(instance, await post(instance, 'token', { grant_type, device_code: device.device_code }, signal))
}

/** Consumes the refresh token. It has no signal: aborting it would lose the sign-in. */
export async function renewTokens(instance: string, signIn: SignIn, scope?: string): Promise<SignIn> {
  const fields = {
    grant_type: 'refresh_token',
    refresh_token: signIn.refresh_token,
    ...(scope !== undefined && { scope }),
  }
  return readTokens(instance, await post(instance, 'token', fields))
}

export async function revokeTokens(instance: string, { refresh_token: token }: SignIn): Promise<void> {
  await post(instance, 'revocation', { token, token_type_hint: 'refresh_token' })
}

function readTokens(instance: string, answer: Answer): SignIn {
  const { access_token, refresh_token, expires_in, scope } = answer
  if (typeof access_token !== 'string' || typeof refresh_token !== 'string') throw UnexpectedAnswer(instance)
  const seconds = clamp(expires_in, { least: 0, most: 366 * 86_400, otherwise: 3600 })
  const expires_at = Date.now() + seconds * 1000
  return { access_token, refresh_token, expires_at, scope: typeof scope === 'string' ? scope : '' }
}

type Answer = Readonly<Record<string, unknown>>

const send = limitTime(fetch, { answerMs: 30_000, silenceMs: 15_000 })

async function post(
  instance: string,
  endpoint: string,
  fields: Readonly<Record<string, string>>,
  signal?: AbortSignal,
): Promise<Answer> {
  const body = new URLSearchParams({ client_id: CLIENT_ID, ...fields })
  const headers = { 'user-agent': USER_AGENT, accept: 'application/json' }
  const init = { method: 'POST', headers, body, redirect: 'manual' as const, ...(signal && { signal }) }
  const { status, text } = await answerOf(instance, endpoint, init)
  const answer = readObject(text)
  if (status === 200 && (answer || endpoint === 'revocation')) return answer ?? {}
  if (answer && typeof answer.error === 'string') {
    throw new OauthRefusal(answer.error, plainText(String(answer.error_description ?? answer.error)))
  }
  throw UnexpectedAnswer(instance, status)
}

async function answerOf(
  instance: string,
  endpoint: string,
  init: RequestInit,
): Promise<{ status: number; text: string }> {
  try {
    const response = await send(new URL(`/oauth/${endpoint}`, instance), init)
    return { status: response.status, text: await response.text() }
  } catch (cause) {
    if (init.signal?.aborted || cause instanceof CommandError) throw cause
    throw Object.assign(
      new CommandError(`${new URL(instance).host} did not answer. Check the address and the network, then try again`, {
        code: NO_ANSWER,
      }),
      { cause },
    )
  }
}

function readObject(text: string): Answer | undefined {
  try {
    const value = parseAnswer(text)
    return typeof value === 'object' && value !== null ? { ...value } : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

const UnexpectedAnswer = (instance: string, status = 200): CommandError =>
  new CommandError(
    `${new URL(instance).host} sent an unexpected response (${status}). Check that the platform runs there`,
    { code: 'unexpected_answer' },
  )
