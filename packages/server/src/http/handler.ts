// What a handler is given and what it returns, by the name of its route.
import type { Readable } from 'node:stream'
import type { RouteAnswer, RouteInput } from '@shipway/api/route'
import type { RouteName, Routes } from '@shipway/api/routes'
import type { FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import type { Actor, Origin } from '../domain/people/actor.ts'

export type Call<N extends RouteName> = RouteInput<Routes[N]> & {
  readonly ctx: Context
  /** A public route can be called without signing in. */
  readonly actor: Routes[N]['permission'] extends 'public' ? Actor | undefined : Actor
  readonly origin: Origin
  readonly request: FastifyRequest
}

export type Answer<N extends RouteName> = {
  readonly body?: RouteAnswer<Routes[N]>
  readonly headers?: Readonly<Record<string, string>>
  /** Each is a header of its own. */
  readonly cookies?: readonly string[]
  /** In place of a body: one that is the same for every caller, written out once. */
  readonly bytes?: Buffer
  /** Sent as it comes, in place of a body. */
  readonly stream?: { readonly status: 200 | 206; readonly type: string; readonly bytes: Readable }
  /** Accepted but not done yet (202), for routes that allow it. */
  readonly isLater?: boolean
  /** The answer depends only on records that the journal follows, the caller's roles and the address: see response-cache.ts. */
  readonly isCacheable?: boolean
}

export type Handler<N extends RouteName> = (call: Call<N>) => Promise<Answer<N>>
export type Handlers = { readonly [N in RouteName]?: Handler<N> }
