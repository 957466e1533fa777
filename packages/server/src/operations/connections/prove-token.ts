// Tries an access token at its git host before it is stored.
import type { Context } from '../../context.ts'
import type { Connection } from '../../domain/connection.ts'
import { InvalidField } from '../../domain/errors.ts'
import { Busy } from '../../scheduling/limit-concurrency.ts'
import { Secret } from '../../secrets/secret.ts'
import { HostFailed } from './ask-host.ts'
import { explainHostFault } from './explain-host-fault.ts'

/** Whose token it is; null if it belongs to no user. */
export async function proveToken(
  ctx: Context,
  connection: Pick<Connection, 'organizationId' | 'type' | 'baseUrl'>,
  token: string,
): Promise<string | null> {
  const identify = () => ctx.connectedHosts.identify({ connection, token: new Secret(token) })
  return ctx.connectedHosts.waitTurn(connection.organizationId, identify).catch((error: unknown) => {
    if (error instanceof Busy) throw error
    const { sentence, isRefusal, retryAfterMs } = explainHostFault(error, connection)
    if (isRefusal)
      throw InvalidField('/token', 'token_refused', 'The git host refuses this token. Make a new one there')
    ctx.log.warn({ err: error }, 'a connected git host could not be asked')
    throw HostFailed(sentence, retryAfterMs)
  })
}
