// Calls a connected git host with the credentials of the connection.
import type { Context } from '../../context.ts'
import type { Connection } from '../../domain/connection.ts'
import { AppError } from '../../domain/errors.ts'
import type { ConnectedHost } from '../../source/git-host/connected/connected-host.ts'
import type { InstalledApp } from '../../source/github-app/github-app.ts'
import { explainHostFault } from './explain-host-fault.ts'
import { recordHealth } from './record-health.ts'

/** Undefined if the connection has no credentials yet. */
export async function openHost(ctx: Context, connection: Connection): Promise<ConnectedHost | undefined> {
  const token = await ctx.credentials.openConnection(connection)
  return token && { connection, token, renew: ctx.credentials.renewalOf(connection) }
}

/** For requests of users: a fault of the git host is an error that says what to do. */
export async function askHost<Answer>(
  ctx: Context,
  connection: Connection,
  ask: (host: ConnectedHost) => Promise<Answer>,
): Promise<Answer> {
  const host = await openHost(ctx, connection)
  if (!host) throw NoCredentials(connection)
  return ctx.connectedHosts.waitTurn(connection.organizationId, () => keepingHealth(ctx, connection, () => ask(host)))
}

/** The same for a GitHub App. */
export async function askApp<Answer>(
  ctx: Context,
  connection: Connection,
  ask: (app: InstalledApp) => Promise<Answer>,
): Promise<Answer> {
  const app = ctx.credentials.openInstalledApp(connection)
  if (!app) throw NoCredentials(connection)
  return ctx.connectedHosts.waitTurn(connection.organizationId, () => keepingHealth(ctx, connection, () => ask(app)))
}

const NoCredentials = ({ statusReason }: Connection): AppError =>
  HostFailed(statusReason ?? 'This connection has no credentials yet. Finish setting it up')

async function keepingHealth<Answer>(
  ctx: Context,
  connection: Connection,
  ask: () => Promise<Answer>,
): Promise<Answer> {
  try {
    const answer = await ask()
    if (connection.status !== 'active') await recordHealth(ctx, connection, null)
    return answer
  } catch (error) {
    const { sentence, isRefusal, retryAfterMs, status } = explainHostFault(error, connection)
    ctx.log.warn({ err: error, connection: connection.id }, 'a connected git host could not be asked')
    if (isRefusal) await recordHealth(ctx, connection, sentence, status)
    throw HostFailed(sentence, retryAfterMs)
  }
}

export const HostFailed = (detail: string, retryAfterMs = 0): AppError =>
  new AppError('git_host_failed', detail, {
    ...(retryAfterMs > 0 && { headers: { 'retry-after': String(Math.ceil(retryAfterMs / 1000)) } }),
  })
