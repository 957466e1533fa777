// Who looks at a page: somebody with a session cookie, or nobody. A bearer token opens no page.
import type { Route } from '@shipway/api/route'
import type { FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import type { Actor } from '../../domain/people/actor.ts'
import { authenticate } from '../authenticate.ts'

export async function visitorOf(ctx: Context, request: FastifyRequest): Promise<Actor | undefined> {
  const actor = await authenticate(ctx, page, request)
  return actor?.credential.kind === 'session' ? actor : undefined
}

const page: Route = { method: 'GET', path: '/', summary: 'A page', permission: 'public', scope: 'none', success: 200 }
