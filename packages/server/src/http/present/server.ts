// A server as JSON.
import type { RouteAnswer } from '@shipway/api/route'
import type { Routes } from '@shipway/api/routes'
import type { Context } from '../../context.ts'
import { setUpWarning } from '../../domain/set-up-warning.ts'
import type { Server } from '../../store/servers/servers.ts'
import { presentTime } from './time.ts'

export function presentServer(
  ctx: Pick<Context, 'config' | 'sshAuthorityKey' | 'servers'>,
  server: Server,
): RouteAnswer<Routes['getServer']> {
  return {
    id: server.id,
    name: server.name,
    hostname: server.hostname,
    organization_id: server.organizationId,
    port: server.port,
    user: server.unixUser,
    connection: server.connection,
    edge: server.edge,
    runtime: server.runtime,
    host_key: server.hostKey,
    principal: server.principal,
    needs_setup: server.connection === 'ssh' && !server.hasSignedIn,
    setup_command: ctx.servers.setUpLine(server),
    setup_warning: server.connection === 'ssh' ? setUpWarning(ctx.config.baseUrl) : null,
    authority_key: ctx.sshAuthorityKey,
    project_count: server.projectCount,
    created_at: presentTime(server.createdAt),
  }
}
