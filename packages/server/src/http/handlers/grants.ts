// Requests about what an environment may do beyond the policy for compose files.

import { orNotFound } from '../../operations/or-not-found.ts'
import { changeGrants } from '../../operations/people/change-grants.ts'
import { listGrants } from '../../store/credentials/grants.ts'
import { findEnvironment } from '../../store/environments/environments.ts'
import type { Handlers } from '../handler.ts'
import { presentGrants } from '../present/grants.ts'

export const grantHandlers = {
  listGrants: async ({ ctx, actor, params }) => {
    const { id } = orNotFound(await findEnvironment(ctx.db, actor, params.id), 'environment')
    return { body: presentGrants(await listGrants(ctx.db, id)) }
  },
  changeGrants: async ({ ctx, actor, params, body }) => ({
    body: presentGrants(await changeGrants(ctx, actor, { id: params.id, capabilities: body.capabilities })),
  }),
} satisfies Handlers
