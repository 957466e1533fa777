// The page on which somebody lets the command line sign in: read the code, see who asks for what, approve or refuse.
import { timingSafeEqual } from 'node:crypto'
import type { Scope } from '@shipway/api/route'
import { networkOf } from '@shipway/api/values/ip-address'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Context } from '../../context.ts'
import { AppError } from '../../domain/errors.ts'
import type { Actor } from '../../domain/people/actor.ts'
import { OAUTH_CLIENT, readUserCode, scopesAskedFor, showUserCode } from '../../domain/people/oauth.ts'
import { answerDevice } from '../../operations/credentials/answer-device.ts'
import { digestOf } from '../../secrets/token.ts'
import { findDeviceRequest, type OauthRecord } from '../../store/credentials/oauth-records.ts'
import { presentTime } from '../present/time.ts'
import { sessionTokenOf } from '../session-cookie.ts'
import { type Html, html } from './html.ts'
import { sendPage } from './layout.ts'
import { visitorOf } from './visitor.ts'
import { WrongCodes } from './wrong-codes.ts'

export function registerDevicePage(app: FastifyInstance, ctx: Context): void {
  const wrongCodes = new WrongCodes()
  app.get('/device', async (request, reply) => {
    const typed = Query.parse(request.query).user_code
    const visitor = await visitorOf(ctx, request)
    if (!visitor) return reply.redirect(signInAddress(typed), 303)
    if (typed === undefined) return sendPage(reply, { title, content: codeForm() })
    const found = await findRequest(ctx, wrongCodes, visitor, typed)
    if ('refusal' in found) return refuse(reply, found)
    return sendPage(reply, { title, content: question(visitor, found, formToken(ctx, request)) })
  })
  app.post('/device', async (request, reply) => {
    const visitor = await visitorOf(ctx, request)
    if (!visitor) return reply.redirect(signInAddress(undefined), 303)
    const answer = Answer.safeParse(request.body)
    if (!answer.success || !isFormToken(ctx, request, answer.data.form_token)) {
      return refuse(reply, { status: 400, refusal: 'The form is out of date. Enter the code again.' })
    }
    const found = await findRequest(ctx, wrongCodes, visitor, answer.data.user_code)
    if ('refusal' in found) return refuse(reply, found)
    const isApproved = answer.data.decision === 'approve'
    try {
      await answerDevice(ctx, visitor, { userCode: found.userCode, isApproved })
    } catch (error) {
      if (error instanceof AppError && error.code === 'not_found') return refuse(reply, UNKNOWN)
      throw error
    }
    return sendPage(reply, isApproved ? APPROVED : DENIED)
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

type Refusal = { readonly refusal: string; readonly status: number; readonly headers?: Record<string, string> }
type FoundDevice = { readonly userCode: string; readonly device: OauthRecord }

const UNKNOWN: Refusal = {
  status: 404,
  refusal: 'This code is not known, was used already, or has expired. Compare it, or start again on the command line.',
}

async function findRequest(
  ctx: Context,
  wrongCodes: WrongCodes,
  visitor: Actor,
  typed: string,
): Promise<FoundDevice | Refusal> {
  const wait = wrongCodes.take(visitor, ctx.clock())
  if (wait !== undefined) {
    const refusal = `Too many wrong codes. Try again in ${Math.ceil(wait / 60)} minutes.`
    return { status: 429, refusal, headers: { 'retry-after': String(wait) } }
  }
  const userCode = readUserCode(typed)
  const device = userCode && (await findDeviceRequest(ctx.db, digestOf(userCode), ctx.clock()))
  if (!userCode || !device) return UNKNOWN
  wrongCodes.giveBack(visitor)
  return { userCode, device }
}

function refuse(reply: FastifyReply, { refusal, status, headers = {} }: Refusal): FastifyReply {
  return sendPage(reply.headers(headers), { title, status, content: codeForm(refusal) })
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

function question(visitor: Actor, { userCode, device }: FoundDevice, token: string): Html {
  const { deviceInfo, scope } = AskedFor.parse(device.payload)
  return html`<p>Approve only if you have just started this yourself and the command line shows the same code.</p>
${isElsewhere(visitor, deviceInfo.address) ? html`<p class="notice">${ELSEWHERE}</p>` : undefined}
<dl>
<dt>Code</dt><dd><span class="code">${showUserCode(userCode)}</span></dd>
<dt>Who asks</dt><dd>${OAUTH_CLIENT.name}, from the address ${deviceInfo.address}</dd>
<dt>When</dt><dd><time datetime="${presentTime(device.createdAt)}">${clockTime(device.createdAt)}</time></dd>
<dt>It acts as</dt><dd>${visitor.name}</dd>
<dt>It may</dt><dd><ul>${scopesAskedFor(scope).map((known) => html`<li>${SCOPE_WORDS[known]}</li>`)}</ul></dd>
</dl>
<form method="post" action="/device">
<input type="hidden" name="user_code" value="${userCode}">
<input type="hidden" name="form_token" value="${token}">
<button type="submit" name="decision" value="approve">Approve</button>
<button type="submit" name="decision" value="deny" class="quiet">Refuse</button>
</form>`
}

/** Whoever sends somebody a link with a code of their own is not at that person's desk, as a rule. */
const isElsewhere = ({ origin }: Actor, address: string): boolean => networkOf(origin.address) !== networkOf(address)
const ELSEWHERE =
  'This was started at another address than the one you are at. Unless you did that yourself, on another machine, somebody ' +
  'wants to act as you: refuse it.'

const clockTime = (at: number): string => `${presentTime(at).slice(0, 19).replace('T', ' ')} UTC`

const AskedFor = z.object({ scope: z.string(), deviceInfo: z.object({ address: z.string() }) })

const SCOPE_WORDS: Readonly<Record<Scope, string>> = {
  read: 'see projects, environments, deployments and their output',
  deploy: 'deploy, cancel, run actions, and change environments',
  'vars:write': 'change the variables of environments',
  ssh: 'get certificates for access to servers over SSH',
  admin: 'administer projects, servers, members and your own account',
}
