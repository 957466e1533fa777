// The contract as this server answers it, to read and for programs: made once, of the routes that are bound.
import { createHash } from 'node:crypto'
import { openApiOf } from '@shipway/api/openapi'
import { referencePage } from '@shipway/api/reference'
import { REFERENCE_STYLE } from '@shipway/api/reference/style'
import type { Route } from '@shipway/api/route'
import { routes } from '@shipway/api/routes'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import { RELEASE } from '../version.ts'
import { constantBytes } from './connections/constant-bytes.ts'

type Contract = { readonly document: Buffer; readonly page: Buffer }

/** Both pages are public, so that making them anew for each request would let any caller keep the process busy. */
export function contractOf(ctx: Context, server: FastifyInstance): Contract {
  const made = contracts.get(ctx) ?? makeContract(ctx, server)
  contracts.set(ctx, made)
  return made
}

/** The one stylesheet in the page is named by its hash; nothing else is allowed. */
export const REFERENCE_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(REFERENCE_STYLE).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const contracts = new WeakMap<Context, Contract>()

function makeContract(ctx: Context, server: FastifyInstance): Contract {
  const bound = Object.entries<Route>(routes).filter(([, { method, path }]) =>
    server.hasRoute({ method, url: path.replaceAll(/\{(\w+)\}/g, ':$1') }),
  )
  const boundRoutes = Object.fromEntries(bound)
  const document = openApiOf(boundRoutes, { baseUrl: ctx.config.baseUrl, version: RELEASE })
  return {
    document: constantBytes(JSON.stringify(document)),
    page: constantBytes(referencePage(document, boundRoutes)),
  }
}
