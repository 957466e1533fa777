// Renames a connection, or replaces its token.
import type { ConnectionChanges } from '@shipway/api/connections'
import type { Context } from '../../context.ts'
import type { Connection } from '../../domain/connection.ts'
import { connectionContext } from '../../domain/encryption-context.ts'
import { InvalidField } from '../../domain/errors.ts'
import type { Actor } from '../../domain/people/actor.ts'
import { findConnection, updateConnection as updateRow } from '../../store/connections/connections.ts'
import { orNotFound } from '../or-not-found.ts'
import { refuseTakenName } from './create-connection.ts'
import { holdConnection } from './hold-connection.ts'

export async function updateConnection(
  ctx: Context,
  actor: Actor,
  id: number,
  changes: ConnectionChanges,
): Promise<Connection> {
  return ctx.change(actor, async (tx) => {
    const connection = await holdConnection(tx, actor, id)
    const { organizationId, type, sealId } = connection
    const { name, token } = changes
    const fields = Object.entries(changes).flatMap(([field, value]) => (value === undefined ? [] : [field]))
    if (fields.length === 0) return connection
    if (token !== undefined && type === 'github_app')
      throw InvalidField('/token', 'not_used', 'A GitHub App has no token: GitHub makes its credentials')
    if (name !== undefined) await refuseTakenName(tx, { organizationId, name, except: id })
    await updateRow(tx, connection, {
      ...(name !== undefined && { name }),
      ...(token !== undefined && { token_sealed: ctx.box.seal(token, connectionContext(sealId, 'token_sealed')) }),
      updated_at: ctx.clock(),
    })
    await tx.audit({
      organizationId,
      action: 'connection.updated',
      target: { kind: 'connection', id, name: name ?? connection.name },
      fields,
    })
    return orNotFound(await findConnection(tx, actor, id), 'connection')
  })
}
