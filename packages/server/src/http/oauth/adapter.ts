/**
 * Where the OAuth library keeps its codes, tokens and grants. Ids are kept as digests and given back from what the caller
 * presented; times are kept by our clock and given back by the library's, which has no other than the machine's.
 */
import type { Adapter, AdapterPayload, errors as libraryErrors } from 'oidc-provider'
import type { Context } from '../../context.ts'
import { POLL_INTERVAL_SECONDS, scopesAskedFor } from '../../domain/people/oauth.ts'
import {
  consumeOauthRecord,
  forgetOauthRecord,
  keepOauthRecord,
  recordDevicePoll,
} from '../../operations/credentials/keep-oauth-record.ts'
import { revokeOauthGrant } from '../../operations/credentials/revoke-oauth-grant.ts'
import { digestOf } from '../../secrets/token.ts'
import { findOauthRecord, type OauthRecord } from '../../store/credentials/oauth-records.ts'
import { currentCall } from './call.ts'

type Errors = typeof libraryErrors

/** The errors are the library's own: it tells by them what to answer. */
export function createAdapter(ctx: Context, kind: string, errors: Errors): Adapter {
  return {
    upsert: async (id, payload, expiresIn: number) => {
      const isKept = await keepOauthRecord(ctx, {
        kind,
        idDigest: digestOf(id),
        userId: payload.accountId === undefined ? null : Number(payload.accountId),
        grantDigest: payload.grantId === undefined ? null : digestOf(payload.grantId),
        userCodeDigest: payload.userCode === undefined ? null : digestOf(payload.userCode),
        payload: withoutSecrets(payload, errors),
        createdAt: ctx.clock(),
        expiresAt: ctx.clock() + expiresIn * 1000,
      })
      if (!isKept) throw new errors.InvalidGrant('the grant was revoked')
    },
    find: async (id) => {
      const idDigest = digestOf(id)
      const { endpoint, waitForTurn } = currentCall()
      if (endpoint === 'token' && usedOnce.has(kind)) await waitForTurn(`${kind} ${idDigest}`)
      const record = await findOauthRecord(ctx.db, kind, idDigest)
      if (!record) return undefined
      if (kind === 'DeviceCode') await slowDown(ctx, record, errors)
      return toPayload(ctx, id, record)
    },
    consume: async (id) => {
      if (await consumeOauthRecord(ctx, kind, digestOf(id))) return
      // Another process was faster by a hair: the same as a used token that comes back.
      const record = await findOauthRecord(ctx.db, kind, digestOf(id))
      if (record?.grantDigest) await revoke(ctx, record.grantDigest)
      throw new errors.InvalidGrant('already used')
    },
    // A grant is deleted with all its tokens and audited once, whichever of the library's calls comes first.
    destroy: (id) => (kind === 'Grant' ? revoke(ctx, digestOf(id)) : forgetOauthRecord(ctx, kind, digestOf(id))),
    revokeByGrantId: (grantId) => revoke(ctx, digestOf(grantId)),
    // Both belong to sign-in pages of the library's own, which are not served.
    findByUserCode: async () => undefined,
    findByUid: async () => undefined,
  }
}

const usedOnce = new Set(['DeviceCode', 'RefreshToken'])

/** The id and the user code open something; of what a device asked for, the scopes that exist here are enough. */
function withoutSecrets(payload: AdapterPayload, errors: Errors): Record<string, unknown> {
  const { jti: _id, userCode: _code, params, ...rest } = payload
  if (params === undefined) return rest
  const scopes = scopesAskedFor(typeof params.scope === 'string' ? params.scope : undefined)
  if (scopes.length === 0) throw new errors.InvalidScope('none of the requested scopes exists', String(params.scope))
  return { ...rest, scope: scopes.join(' ') }
}

function toPayload(ctx: Context, id: string, record: OauthRecord): AdapterPayload {
  const nowSeconds = Math.floor(Date.now() / 1000)
  const leftSeconds = Math.floor(((record.expiresAt ?? 0) - ctx.clock()) / 1000)
  return {
    ...record.payload,
    kind: record.kind,
    jti: id,
    exp: nowSeconds + leftSeconds,
    ...(record.consumedAt !== null && { consumed: nowSeconds }),
  }
}

/** RFC 8628: only a device that still waits is asked to slow down; one that was answered gets its answer. */
async function slowDown(ctx: Context, record: OauthRecord, errors: Errors): Promise<void> {
  const { idDigest, payload, polledAt, expiresAt } = record
  const isPending = payload.accountId === undefined && payload.error === undefined
  if (!isPending || (expiresAt ?? 0) <= ctx.clock()) return
  await recordDevicePoll(ctx, idDigest)
  if (polledAt !== null && ctx.clock() - polledAt < POLL_INTERVAL_SECONDS * 1000 - JITTER_MS) {
    throw new errors.SlowDown()
  }
}

/** A question may overtake the one before it a little on its way here. */
const JITTER_MS = 500

async function revoke(ctx: Context, grantDigest: string): Promise<void> {
  const { endpoint, origin } = currentCall()
  const action = endpoint === 'revocation' ? 'oauth.revoked' : 'oauth.reuse_detected'
  await revokeOauthGrant(ctx, { grantDigest, action, origin })
}
