// The page on which somebody lets the command line sign in: read the code, see who asks for what, approve or refuse.
import { timingSafeEqual } from 'node:crypto'
import type { Scope } from '@shipway/api/route'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Context } from '../../context.ts'
import { AppError } from '../../domain/errors.ts'
import type { Actor } from '../../domain/people/actor.ts'
import { OAUTH_CLIENT, showUserCode } from '../../domain/people/oauth.ts'
import { answerDevice } from '../../operations/credentials/answer-device.ts'
import { findDevice, type WaitingDevice } from '../../operations/credentials/find-device.ts'
import { digestOf } from '../../secrets/token.ts'
import { presentTime } from '../present/time.ts'
import { sessionTokenOf } from '../session-cookie.ts'
import { type Html, html } from './html.ts'
import { type HtmlPage, sendPage } from './layout.ts'
import { visitorOf } from './visitor.ts'

export function registerDevicePage(app: FastifyInstance, ctx: Context): void {
  app.get('/device', async (request, reply) => {
    const typed = Query.parse(request.query).user_code
    const visitor = await visitorOf(ctx, request)
    if (!visitor) return reply.redirect(signInAddress(typed), 303)
    if (typed === undefined) return sendPage(reply, { title, content: codeForm() })
    return orRefusal(reply, async () => {
      const device = await findDevice(ctx, visitor, typed)
      return { title, content: question(visitor, device, formToken(ctx, request)) }
    })
  })
  app.post('/device', async (request, reply) => {
    const visitor = await visitorOf(ctx, request)
    if (!visitor) return reply.redirect(signInAddress(undefined), 303)
    const answer = Answer.safeParse(request.body)
    if (!answer.success || !isFormToken(ctx, request, answer.data.form_token)) {
      return sendPage(reply, {
        title,
        status: 400,
        content: codeForm('The form is out of date. Enter the code again.'),
      })
    }
    const { user_code: typed, decision } = answer.data
    return orRefusal(reply, async () => {
      await answerDevice(ctx, visitor, { typed, isApproved: decision === 'approve' })
      return decision === 'approve' ? APPROVED : DENIED
    })
  })
}

const Query = z.object({ user_code: z.string().max(40).optional().catch(undefined) })
const Answer = z.object({ user_code: z.string(), decision: z.enum(['approve', 'deny']), form_token: z.string() })

const title = 'Sign in on the command line'
const APPROVED = {
  title: 'You are signed in',
  content: html`<p>Go back to the command line. You can close this page.</p>`,
}
const DENIED = {
  title: 'Sign-in refused',
  content: html`<p>The command line gets no access. You can close this page.</p>`,
}

/** A code that is wrong, or one too many, is told on the page. */
async function orRefusal(reply: FastifyReply, page: () => Promise<HtmlPage>): Promise<FastifyReply> {
  try {
    return sendPage(reply, await page())
  } catch (error) {
    if (!(error instanceof AppError) || !(error.code === 'not_found' || error.code === 'rate_limited')) throw error
    const content = codeForm(`${error.message}.`)
    return sendPage(reply.headers(error.headers), { title, status: error.status, content })
  }
}

function signInAddress(userCode: string | undefined): string {
  const next = userCode === undefined ? '/device' : `/device?user_code=${encodeURIComponent(userCode)}`
  return `/sign-in?next=${encodeURIComponent(next)}`
}

/** Belongs to the session, so that no other page can prepare the form. */
const formToken = (ctx: Context, request: FastifyRequest): string =>
  digestOf(`device form ${sessionTokenOf(ctx.config, request)}`)

function isFormToken(ctx: Context, request: FastifyRequest, given: string): boolean {
  const expected = Buffer.from(formToken(ctx, request))
  const actual = Buffer.from(given)
  return expected.length === actual.length && timingSafeEqual(expected, actual)
}

const codeForm = (error?: string): Html => html`<form method="get" action="/device">
${error === undefined ? undefined : html`<p class="error" id="user_code-error" role="alert">${error}</p>`}
<label for="user_code">Code</label>
<p class="hint" id="user_code-hint">Eight letters, as the command line shows them.</p>
<input class="code" id="user_code" name="user_code" required maxlength="20" autocomplete="off" autocapitalize="characters" spellcheck="false" aria-describedby="user_code-hint${error === undefined ? '' : ' user_code-error'}"${error === undefined ? undefined : html` aria-invalid="true"`}>
<button type="submit">Continue</button>
</form>`

function question(visitor: Actor, device: WaitingDevice, token: string): Html {
  return html`<p>Approve only if you have just started this yourself and the command line shows the same code.</p>
${device.isElsewhere ? html`<p class="notice">${ELSEWHERE}</p>` : undefined}
<dl>
<dt>Code</dt><dd><span class="code">${showUserCode(device.userCode)}</span></dd>
<dt>Who asks</dt><dd>${OAUTH_CLIENT.name}, from the address ${device.address}</dd>
<dt>When</dt><dd><time datetime="${presentTime(device.createdAt)}">${clockTime(device.createdAt)}</time></dd>
<dt>It acts as</dt><dd>${visitor.name}</dd>
<dt>It may</dt><dd><ul>${device.scopes.map((known) => html`<li>${SCOPE_WORDS[known]}</li>`)}</ul></dd>
</dl>
<form method="post" action="/device">
<input type="hidden" name="user_code" value="${device.userCode}">
<input type="hidden" name="form_token" value="${token}">
<button type="submit" name="decision" value="approve">Approve</button>
<button type="submit" name="decision" value="deny" class="quiet">Refuse</button>
</form>`
}

const ELSEWHERE =
  'This was started at another address than the one you are at. Unless you did that yourself, on another machine, somebody ' +
  'wants to act as you: refuse it.'

const clockTime = (at: number): string => `${presentTime(at).slice(0, 19).replace('T', ' ')} UTC`

const SCOPE_WORDS: Readonly<Record<Scope, string>> = {
  read: 'see projects, environments, deployments and their output',
  deploy: 'deploy, cancel, run actions, and change environments',
  'vars:write': 'change the variables of environments',
  ssh: 'get certificates for access to servers over SSH',
  admin: 'administer projects, servers, members and your own account',
}
