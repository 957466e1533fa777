// The plain HTML pages. They hold no data but the visitor's name; what they do goes through the API.
import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Context } from '../../context.ts'
import { isSetUp } from '../../operations/credentials/offer-set-up.ts'
import { registerClientFiles } from './client-files.ts'
import { registerDashboard } from './dashboard.ts'
import { registerDevicePage } from './device.ts'
import { homePage, invitationPage, passwordResetPage, setUpDonePage, setUpPage, signInPage } from './forms.ts'
import { sendPage } from './layout.ts'
import { localPath } from './local-path.ts'
import { visitorOf } from './visitor.ts'

export async function registerPages(app: FastifyInstance, ctx: Context): Promise<void> {
  app.get('/', async (request, reply) => sendPage(reply, homePage(ctx.config.baseUrl, await visitorOf(ctx, request))))
  app.get('/setup', async (_request, reply) => sendPage(reply, (await isSetUp(ctx)) ? setUpDonePage() : setUpPage()))
  app.get('/sign-in', async (request, reply) => {
    const { next } = z.object({ next: z.string().optional().catch(undefined) }).parse(request.query)
    return sendPage(reply, signInPage(localPath(next)))
  })
  app.get('/invitation', async (request, reply) => sendPage(reply, invitationPage(await visitorOf(ctx, request))))
  app.get('/password-reset', async (_request, reply) =>
    sendPage(reply, passwordResetPage({ sendsMail: ctx.mail.isSetUp })),
  )
  app.get('/page-script.js', async (_request, reply) => reply.type('text/javascript; charset=utf-8').send(SCRIPT))
  // To be read before it is run, and to be run by `curl … | sudo sh`.
  app.get('/server.sh', async (_request, reply) =>
    reply.type('text/plain; charset=utf-8').send(ctx.servers.setUpScript),
  )
  registerDashboard(app, DASHBOARD)
  registerClientFiles(app)
  await app.register(async (scope) => {
    readFormsOnly(scope)
    registerDevicePage(scope, ctx)
  })
}

/** Addresses of the dashboard. */
const DASHBOARD = ['/organizations/*', '/projects/*', '/environments/*', '/profile', '/admin']

const SCRIPT = readFileSync(new URL('./page-script.js', import.meta.url), 'utf8')

function readFormsOnly(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: 4096 },
    (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  )
}
