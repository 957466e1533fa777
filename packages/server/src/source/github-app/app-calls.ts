// Calls of GitHub's API by Apps. Where GitHub has asked for a pause, the calls of that connection fail until it is over.
import { createPrivateKey, sign } from 'node:crypto'
import { AppFault } from '../../domain/repository/app-fault.ts'
import { Secret } from '../../secrets/secret.ts'
import { apiBaseOf } from '../git-host/api-base.ts'
import type { HostCall } from '../git-host/api-dialect.ts'
import { callHost } from '../git-host/call-host.ts'
import { github } from '../git-host/github.ts'
import { appFaultOf } from './app-fault-of.ts'
import type { GitHubApp } from './github-app.ts'

export type AppCallOptions = {
  readonly allowedNetworks: readonly string[]
  readonly authorities?: string | undefined
  readonly clock: () => number
}

export type AppCalls = ReturnType<typeof createAppCalls>

export function createAppCalls({ allowedNetworks, authorities, clock }: AppCallOptions) {
  /** By connection: GitHub asked not to call before. */
  const pausedUntil = new Map<number, number>()

  const call = (baseUrl: string, hostCall: HostCall, token?: Secret): Promise<unknown> => {
    const headers = token ? github.authorization(token.reveal()) : {}
    return callHost(apiBaseOf({ type: 'github_app', baseUrl }), hostCall, { headers, allowedNetworks, authorities })
  }

  /** As the App itself, or as its installation. */
  const callWithToken = async (app: GitHubApp, hostCall: HostCall, token: Secret): Promise<unknown> => {
    const paused = (pausedUntil.get(app.connectionId) ?? 0) - clock()
    if (paused > 0) throw new AppFault('rate_limited', { retryAfterMs: paused })
    return call(app.baseUrl, hostCall, token).catch((error: unknown) => {
      const fault = appFaultOf(error)
      if (fault instanceof AppFault && fault.code === 'rate_limited')
        pausedUntil.set(app.connectionId, clock() + fault.retryAfterMs)
      throw fault
    })
  }

  return {
    call,

    callWithToken,

    callAsApp: (app: GitHubApp, hostCall: HostCall): Promise<unknown> =>
      callWithToken(app, hostCall, signAppJwt({ appId: app.appId, privateKey: app.openKey() }, clock())),

    forget(connectionId: number): void {
      pausedUntil.delete(connectionId)
    },
  }
}

type AppKey = { readonly appId: number; readonly privateKey: Secret }

/** The JWT that a GitHub App signs in with: RS256 over its own id, valid for some minutes. */
function signAppJwt({ appId, privateKey }: AppKey, now: number): Secret {
  const seconds = Math.floor(now / 1000)
  const claims = { iat: seconds - DRIFT_SECONDS, exp: seconds + VALID_SECONDS, iss: `${appId}` }
  const text = `${jwtPart({ alg: 'RS256', typ: 'JWT' })}.${jwtPart(claims)}`
  const key = createPrivateKey(privateKey.reveal())
  return new Secret(`${text}.${sign('RSA-SHA256', Buffer.from(text), key).toString('base64url')}`)
}

/** GitHub recommends a minute in the past, in case its clock is behind. */
const DRIFT_SECONDS = 60
/** GitHub accepts ten minutes at most. */
const VALID_SECONDS = 8 * 60

const jwtPart = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
