// Turns whatever was thrown into a problem (RFC 9457). A bug is logged with its cause and answered without it.
import { type ErrorCode, PROBLEMS, type Problem } from '@shipway/api/problem'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { AppError, Unavailable } from '../domain/errors.ts'
import { HiddenRecord } from '../domain/people/sign-in-errors.ts'
import { Busy } from '../scheduling/limit-concurrency.ts'

export function sendError(ctx: Context, error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const known = error instanceof AppError ? error : (fromConcurrencyLimit(error) ?? fromFastify(error))
  if (!known) request.log.error({ err: error }, 'request failed')
  if (known?.code === 'unavailable') request.log.warn({ err: known.cause ?? known }, 'request cannot be answered now')
  if (known?.code === 'provider_failed')
    request.log.warn({ reason: reasonOf(known.cause) }, 'the sign-in provider failed')
  return sendProblem(
    ctx,
    known ?? new AppError('internal_error', 'Something failed here. Report it with the request id'),
    request,
    reply,
  )
}

/** The sentences alone: errors about an answer hold the answer, and with it tokens. */
function reasonOf(error: unknown): string {
  const said = error instanceof Error ? `${error.message}: ${reasonOf(error.cause)}` : ''
  return said.slice(0, 500)
}

export function sendProblem(ctx: Context, error: AppError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error.status === 401 || error.code === 'insufficient_scope') {
    reply.header('www-authenticate', challenge(ctx, error))
  }
  return reply
    .code(error.status)
    .headers(error.headers)
    .type('application/problem+json; charset=utf-8')
    .serializer(JSON.stringify)
    .send(problemOf(ctx, explainHidden(error, request), request.id))
}

/** The same for a record of an organization that is hidden and for one that does not exist. */
const explainHidden = (error: AppError, { actor }: FastifyRequest): AppError =>
  error.code === 'not_found' && actor?.locked !== undefined && actor.locked.size > 0 ? HiddenRecord(error) : error

function problemOf(ctx: Context, error: AppError, requestId: string): Problem {
  return {
    type: `${ctx.config.baseUrl}/api/reference#${error.code}`,
    title: PROBLEMS[error.code].title,
    status: error.status,
    code: error.code,
    detail: error.message,
    // Names this occurrence and not the path, so that a hidden record and a missing one read alike.
    instance: `urn:request:${requestId}`,
    request_id: requestId,
    ...error.extra,
  }
}

/** RFC 6750 and RFC 9728: which error, and where a client finds out how to sign in. */
function challenge(ctx: Context, { code, extra }: AppError): string {
  const metadata = `resource_metadata="${ctx.config.baseUrl}/.well-known/oauth-protected-resource"`
  const error = code === 'token_expired' ? 'invalid_token' : code
  const names = error === 'invalid_token' || error === 'insufficient_scope' ? `error="${error}", ` : ''
  const scope = code === 'insufficient_scope' ? `scope="${extra.scope}", ` : ''
  return `Bearer realm="shipway", ${names}${scope}${metadata}`
}

/** More passwords to check than there is time for: a moment later there is. */
function fromConcurrencyLimit(error: unknown): AppError | undefined {
  return error instanceof Busy ? Unavailable(error.message, 5) : undefined
}

/** Fastify's own errors on reading a request, by their codes. */
function fromFastify(error: unknown): AppError | undefined {
  if (!isFastifyError(error)) return undefined
  const known = fastifyCodes[error.code]
  if (known) return new AppError(known.code, known.detail)
  const isRequestsFault = error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500
  return isRequestsFault ? new AppError('malformed_request', 'The request could not be read') : undefined
}

const isFastifyError = (error: unknown): error is FastifyError =>
  error instanceof Error && 'code' in error && typeof error.code === 'string'

const fastifyCodes: Readonly<Record<string, { code: ErrorCode; detail: string }>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: { code: 'unsupported_media_type', detail: 'Send the body as application/json' },
  FST_ERR_CTP_BODY_TOO_LARGE: { code: 'payload_too_large', detail: 'The body is too large' },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: {
    code: 'malformed_request',
    detail: 'The body is not as long as Content-Length says',
  },
  FST_ERR_BAD_URL: { code: 'not_found', detail: 'This address cannot be read' },
}
