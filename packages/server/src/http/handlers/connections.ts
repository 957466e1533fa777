// Requests about connections to git hosts.
import { checkConnection } from '../../operations/connections/check-connection.ts'
import { createConnection } from '../../operations/connections/create-connection.ts'
import { deleteConnection } from '../../operations/connections/delete-connection.ts'
import { getConnection, listConnections } from '../../operations/connections/list-connections.ts'
import { listRepositories } from '../../operations/connections/list-repositories.ts'
import { readRepository } from '../../operations/connections/read-repository.ts'
import { updateConnection } from '../../operations/connections/update-connection.ts'
import type { Handlers } from '../handler.ts'
import { presentConnection, presentReading, presentRepository } from '../present/connection.ts'

export const connectionHandlers = {
  listConnections: async ({ ctx, actor, params }) => ({
    body: (await listConnections(ctx, actor, params.id)).map(presentConnection),
  }),
  createConnection: async ({ ctx, actor, params, body }) => ({
    body: presentConnection(await createConnection(ctx, actor, { organizationId: params.id, wanted: body })),
  }),
  getConnection: async ({ ctx, actor, params }) => ({
    body: presentConnection(await getConnection(ctx, actor, params.id)),
  }),
  updateConnection: async ({ ctx, actor, params, body }) => ({
    body: presentConnection(await updateConnection(ctx, actor, params.id, body)),
  }),
  checkConnection: async ({ ctx, actor, params }) => ({
    body: presentConnection(await checkConnection(ctx, actor, params.id)),
  }),
  listConnectionRepositories: async ({ ctx, actor, params, query }) => {
    const found = await listRepositories(ctx, actor, { id: params.id, search: query.search ?? '' })
    return { body: found.map(presentRepository) }
  },
  readConnectionRepository: async ({ ctx, actor, params, query }) => {
    const { repository, branch } = query
    const reading = await readRepository(ctx, actor, { id: params.id, name: repository, branch })
    return { body: presentReading(reading) }
  },
  deleteConnection: async ({ ctx, actor, params }) => {
    await deleteConnection(ctx, actor, params.id)
    return {}
  },
} satisfies Handlers
