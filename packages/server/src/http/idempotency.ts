// Answers a repeated request with the answer of the first: `Idempotency-Key`, kept for a day.
import type { Route } from '@shipway/api/route'
import type { RouteName } from '@shipway/api/routes'
import type { Context } from '../context.ts'
import { AppError, InvalidField } from '../domain/errors.ts'
import type { Actor } from '../domain/people/actor.ts'
import {
  claimIdempotencyKey,
  keepIdempotentAnswer,
  releaseIdempotencyKey,
} from '../operations/installation/claim-idempotency-key.ts'
import type { Answer, Call } from './handler.ts'

type Run = () => Promise<Answer<RouteName>>

export async function answerOnce(
  ctx: Context,
  route: Route,
  call: Call<RouteName>,
  run: Run,
): Promise<Answer<RouteName>> {
  const header = call.request.headers['idempotency-key']
  if (!route.idempotent || header === undefined || !call.actor) return run()
  if (typeof header !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(header)) {
    throw InvalidField('/headers/idempotency-key', 'invalid_idempotency_key', 'Use 1 to 255 visible ASCII characters')
  }
  const request = [route.method, call.request.url, call.request.headers['if-match'] ?? null, call.body ?? null]
  const claim = {
    userId: call.actor.userId,
    key: header,
    // Not a bare hash: the body may hold values of variables, and short ones could be guessed from it.
    requestDigest: ctx.box.fingerprint(JSON.stringify([request, reachOf(call.actor)])),
    claimedAt: ctx.clock(),
  }
  const earlier = await claimIdempotencyKey(ctx, claim)
  if (earlier) return replay(earlier)
  const answer = await run().catch(async (error: unknown) => {
    // Nothing happened, so the same key may try again.
    await releaseIdempotencyKey(ctx, claim)
    throw error
  })
  await keepIdempotentAnswer(ctx, claim, { body: JSON.stringify(answer.body ?? null), headers: answer.headers ?? {} })
  return answer
}

/** An earlier answer is given only to the sign-in that got it, and only while that one's rights are what they were. */
function reachOf({ credential, roles, scopes }: Actor): readonly unknown[] {
  const signIn = credential.kind === 'oauth' ? credential.grant : credential.id
  return [credential.kind, signIn, [...roles].sort(([one], [other]) => one - other), [...scopes].sort()]
}

function replay(earlier: Awaited<ReturnType<typeof claimIdempotencyKey>> & object): Answer<RouteName> {
  switch (earlier.state) {
    case 'answered':
      return { body: JSON.parse(earlier.body), headers: { ...earlier.headers, 'idempotent-replayed': 'true' } }
    case 'running':
      throw new AppError(
        'request_in_progress',
        'A request with this key is still being answered. Repeat it in a moment',
      )
    case 'other_request':
      throw new AppError(
        'idempotency_key_reused',
        'This key was used for another request, or with other rights. Choose a new one',
      )
  }
}
