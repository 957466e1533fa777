// Requests about the platform itself.
import type { Context } from '../../context.ts'
import { NotFound } from '../../domain/errors.ts'
import type { Actor } from '../../domain/people/actor.ts'
import { checkReadiness } from '../../operations/installation/check-readiness.ts'
import { countRecords } from '../../operations/installation/count-records.ts'
import { updatePlatform } from '../../operations/installation/update-platform.ts'
import { readMailbox } from '../../operations/mails/read-mailbox.ts'
import { findDatabaseSize } from '../../store/database-size.ts'
import { findMailState } from '../../store/mails/mail-state.ts'
import { findPlatformTwoFactor } from '../../store/people/two-factor.ts'
import { VERSION } from '../../version.ts'
import { contractOf, REFERENCE_POLICY } from '../contract.ts'
import type { Handlers } from '../handler.ts'
import { mayReadMetrics } from '../metrics/metrics-access.ts'
import { presentKeptMail, presentPlatform } from '../present/platform.ts'

export const aboutHandlers = {
  // Not cacheable: the journal does not follow the queue of mails.
  getPlatform: ({ ctx, actor }) => answerPlatform(ctx, actor),
  updatePlatform: async ({ ctx, actor, body }) => {
    await updatePlatform(ctx, actor, { requiresTwoFactor: body.require_two_factor })
    return answerPlatform(ctx, actor)
  },
  listKeptMails: async ({ ctx, actor }) => ({ body: (await readMailbox(ctx, actor)).map(presentKeptMail) }),
  getHealth: async () => ({ body: { status: 'ok', version: VERSION } }),
  getReadiness: async ({ ctx }) => {
    await checkReadiness(ctx)
    return { body: { status: 'ok', version: VERSION } }
  },
  // 404 instead of 403: others should not learn whether metrics are switched on.
  getMetrics: async ({ ctx, actor, request }) => {
    if (!mayReadMetrics(ctx, actor, request)) throw NotFound('resource')
    return { body: await request.server.metrics.metrics() }
  },
  getOpenApi: async ({ ctx, request }) => ({ bytes: contractOf(ctx, request.server).document }),
  readReference: async ({ ctx, request }) => ({
    bytes: contractOf(ctx, request.server).page,
    headers: { 'content-security-policy': REFERENCE_POLICY },
  }),
} satisfies Handlers

async function answerPlatform(ctx: Context, actor: Actor) {
  const counts = await countRecords(ctx, actor)
  const databaseSize = await findDatabaseSize(ctx.db, ctx.config.databaseMebibytes)
  const requiresTwoFactor = await findPlatformTwoFactor(ctx.db)
  return { body: presentPlatform(ctx, { counts, mails: await findMailState(ctx.db), databaseSize, requiresTwoFactor }) }
}
