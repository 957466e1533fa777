// Renames a connection, or replaces its token or key.
import type { ConnectionChanges } from '@shipway/api/connections'
import type { Context } from '../../context.ts'
import type { Connection } from '../../domain/connection.ts'
import { connectionContext } from '../../domain/encryption-context.ts'
import { InvalidField } from '../../domain/errors.ts'
import type { Actor } from '../../domain/people/actor.ts'
import { findConnection, updateConnection as updateRow } from '../../store/connections/connections.ts'
import { updateAccessDueOfConnection } from '../../store/connections/repository-access.ts'
import { orNotFound } from '../or-not-found.ts'
import { refuseTakenName } from './create-connection.ts'
import { findConnectionForUpdate } from './find-connection-for-update.ts'
import { proveAppKey } from './github-app/prove-app-key.ts'
import { getConnection } from './list-connections.ts'
import { proveToken } from './prove-token.ts'

export async function updateConnection(
  ctx: Context,
  actor: Actor,
  id: number,
  changes: ConnectionChanges,
): Promise<Connection> {
  const { name, token, private_key: privateKey } = changes
  const proof = token === undefined ? undefined : await proveNewToken(ctx, await getConnection(ctx, actor, id), token)
  const key = privateKey === undefined ? {} : await proveAppKey(ctx, await getConnection(ctx, actor, id), privateKey)
  return ctx.change(actor, async (tx) => {
    const connection = await findConnectionForUpdate(tx, actor, id)
    const { organizationId } = connection
    const fields = Object.entries(changes).flatMap(([field, value]) => (value === undefined ? [] : [field]))
    if (fields.length === 0) return connection
    if (name !== undefined) await refuseTakenName(tx, { organizationId, name, except: id })
    await updateRow(tx, connection, {
      ...(name !== undefined && { name }),
      ...proof,
      ...key,
      updated_at: ctx.clock(),
    })
    // What failed with the earlier token or key may work now.
    if (proof || privateKey !== undefined) await updateAccessDueOfConnection(tx, id)
    await tx.audit({
      organizationId,
      action: 'connection.updated',
      target: { kind: 'connection', id, name: name ?? connection.name },
      fields,
    })
    return orNotFound(await findConnection(tx, actor, id), 'connection')
  })
}

/** A token that the git host refuses changes nothing. The address of a connection never changes, nor does what its secrets are sealed to. */
async function proveNewToken(ctx: Context, connection: Connection, token: string) {
  if (connection.type === 'github_app')
    throw InvalidField('/token', 'not_used', 'A GitHub App has no token: GitHub makes its credentials')
  const account = await proveToken(ctx, connection, token)
  return {
    account,
    token_sealed: ctx.box.seal(token, connectionContext(connection.sealId, 'token_sealed')),
    status: 'active',
    status_reason: null,
    checked_at: ctx.clock(),
  } as const
}
