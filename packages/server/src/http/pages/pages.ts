// What the platform serves beside its API: the dashboard, the documentation, the line that sets up a server, and the client that fits.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { constantBytes } from '../connections/constant-bytes.ts'
import { registerClientFiles } from './client-files.ts'
import { type Dashboard, registerDashboard } from './dashboard.ts'
import { registerDocs } from './docs.ts'

/** Addresses of the dashboard. Others answer with its page too, but say that there is nothing. */
const ADDRESSES = [
  '/',
  '/setup',
  '/sign-in',
  '/sign-in/provider',
  '/invitation',
  '/password-reset',
  '/device',
  '/organizations/*',
  '/projects/*',
  '/environments/*',
  '/profile',
  '/admin',
  '/admin/users',
  '/admin/organizations',
]

export function registerPages(app: FastifyInstance, ctx: Context): Dashboard {
  // To be read before it is run, and to be run by `curl … | sudo sh`.
  const setUpScript = constantBytes(ctx.servers.setUpScript)
  app.get('/server.sh', async (_request, reply) => reply.type('text/plain; charset=utf-8').send(setUpScript))
  registerClientFiles(app)
  registerDocs(app, ctx.config.docsFolder)
  return registerDashboard(app, ADDRESSES, ctx.config.dashboardFolder)
}

/** Whether a browser asks for a page, not a program for data. */
export function wantsPage({ method, url, headers }: Pick<FastifyRequest, 'method' | 'url' | 'headers'>): boolean {
  const isData = /^\/(api|assets|client|oauth|\.well-known)(\/|$|\?)/.test(url)
  return (method === 'GET' || method === 'HEAD') && !isData && /\btext\/html\b/.test(headers.accept ?? '')
}
