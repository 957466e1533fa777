// A server as JSON.
import type { RouteAnswer } from '@shipway/api/route'
import type { Routes } from '@shipway/api/routes'
import type { SwarmNode } from '@shipway/api/servers'
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
    managers: server.managers.map((manager) => ({
      hostname: manager.hostname,
      port: manager.port,
      host_key: manager.hostKey,
      in_use: manager.hostname === server.hostname && manager.port === server.port,
      signed_in: manager.hasSignedIn,
    })),
    nodes: server.nodes?.nodes.map(presentNode) ?? [],
    nodes_seen_at: server.nodes ? presentTime(server.nodes.seenAt) : null,
    registry: server.registry && { address: server.registry.address, username: server.registry.username },
  }
}

export function presentNode(node: SwarmNode): SwarmNode {
  return {
    id: node.id,
    name: node.name,
    role: node.role,
    is_leader: node.is_leader,
    state: node.state,
    availability: node.availability,
    address: node.address,
    labels: node.labels,
    cpus: node.cpus,
    memory_bytes: node.memory_bytes,
    free_memory_bytes: node.free_memory_bytes,
    free_disk_bytes: node.free_disk_bytes,
  }
}
