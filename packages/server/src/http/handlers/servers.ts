// Requests about servers.
import { orNotFound } from '../../operations/or-not-found.ts'
import { checkServer } from '../../operations/servers/check-server.ts'
import { createServer } from '../../operations/servers/create-server.ts'
import { deleteServer } from '../../operations/servers/delete-server.ts'
import { findServerHealth } from '../../operations/servers/find-server-health.ts'
import { updateServer } from '../../operations/servers/update-server.ts'
import { findServer, listServers } from '../../store/servers/servers.ts'
import type { Handlers } from '../handler.ts'
import { linkNext, pageRequest } from '../page.ts'
import { presentServer } from '../present/server.ts'
import { presentDisk, presentServerHealth } from '../present/server-health.ts'

export const serverHandlers = {
  listServers: async ({ ctx, actor, query, request }) => {
    const { items, next } = await listServers(ctx.db, actor, pageRequest(query))
    return {
      body: items.map((server) => presentServer(ctx, server)),
      headers: linkNext(request, next),
      isCacheable: true,
    }
  },
  createServer: async ({ ctx, actor, body }) => {
    const server = await createServer(ctx, actor, body)
    return { body: presentServer(ctx, server), headers: { location: `/api/servers/${server.id}` } }
  },
  getServer: async ({ ctx, actor, params }) => ({
    body: presentServer(ctx, orNotFound(await findServer(ctx.db, actor, params.id), 'server')),
  }),
  updateServer: async ({ ctx, actor, params, body }) => ({
    body: presentServer(ctx, await updateServer(ctx, actor, params.id, body)),
  }),
  deleteServer: async ({ ctx, actor, params }) => {
    await deleteServer(ctx, actor, params.id)
    return {}
  },
  checkServer: async ({ ctx, actor, params }) => {
    const { checks, disk } = await checkServer(ctx, actor, params.id)
    return { body: { checks: [...checks], disk: presentDisk(disk) } }
  },
  getServerHealth: async ({ ctx, actor, params }) => ({
    body: presentServerHealth(ctx, await findServerHealth(ctx, actor, params.id)),
  }),
} satisfies Handlers
