// Requests about what an environment may do beyond the policy for compose files.
import { changeGrants } from '../../operations/change-grants.ts'
import { required } from '../../operations/required.ts'
import { findEnvironment } from '../../store/environments.ts'
import { listGrants } from '../../store/grants.ts'
import type { Handlers } from '../handler.ts'
import { presentGrants } from '../present/grants.ts'

export const grantHandlers = {
  listGrants: async ({ ctx, actor, params }) => {
    const { id } = required(await findEnvironment(ctx.db, actor, params.id), 'environment')
    return { body: presentGrants(await listGrants(ctx.db, id)) }
  },
  changeGrants: async ({ ctx, actor, params, body }) => ({
    body: presentGrants(await changeGrants(ctx, actor, { id: params.id, capabilities: body.capabilities })),
  }),
} satisfies Handlers
