// Tries the credentials of a connection at its git host, and keeps what came of it.
import type { Context } from '../../context.ts'
import type { Connection } from '../../domain/connection.ts'
import type { Actor } from '../../domain/people/actor.ts'
import { AppFault } from '../../domain/repository/app-fault.ts'
import { findConnection } from '../../store/connections/connections.ts'
import { orNotFound } from '../or-not-found.ts'
import { HostFailed, openHost } from './ask-host.ts'
import { explainHostFault } from './explain-host-fault.ts'
import { followAccount } from './github-app/follow-account.ts'
import { followInstallation } from './github-app/follow-installation.ts'
import { getConnection } from './list-connections.ts'
import { recordHealth } from './record-health.ts'

/** Credentials that do not work are an answer: the state says why. It stays as it was if the git host cannot be asked now. */
export async function checkConnection(ctx: Context, actor: Actor, id: number): Promise<Connection> {
  const connection = await getConnection(ctx, actor, id)
  const fault = await ctx.connectedHosts.waitTurn(connection.organizationId, () =>
    tryCredentials(ctx, connection).catch((error: unknown) => {
      ctx.log.warn({ err: error, connection: id }, 'the credentials of a connection could not be proven')
      return explainHostFault(error, connection)
    }),
  )
  if (fault !== 'none' && fault?.isTemporary) throw HostFailed(fault.sentence, fault.retryAfterMs)
  if (fault !== 'none') await recordHealth(ctx, connection, fault?.sentence ?? null, fault?.status)
  if (fault === 'none' || fault?.status === 'removed') await followInstallation(ctx, connection)
  return orNotFound(await findConnection(ctx.db, actor, id), 'connection')
}

/** `none`: there are no credentials yet. */
async function tryCredentials(ctx: Context, connection: Connection): Promise<'none' | undefined> {
  const app = ctx.credentials.openInstalledApp(connection)
  if (app) {
    const { isSuspended } = await followAccount(ctx, connection, app)
    if (isSuspended) throw new AppFault('suspended')
    return undefined
  }
  const host = await openHost(ctx, connection)
  if (!host) return 'none'
  await ctx.connectedHosts.identify(host)
  return undefined
}
