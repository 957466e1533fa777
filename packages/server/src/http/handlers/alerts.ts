// Requests about alerts, their rules, and silences of environments.
import {
  findEnvironmentSilence,
  silenceEnvironment,
  unsilenceEnvironment,
} from '../../operations/alerts/silence-environment.ts'
import { updateAlertRules } from '../../operations/alerts/update-alert-rules.ts'
import { orNotFound } from '../../operations/or-not-found.ts'
import { listAlertHistory } from '../../store/alerts/alert-history.ts'
import { listAlertRules } from '../../store/alerts/alert-rules.ts'
import { findOrganization } from '../../store/people/organizations.ts'
import type { Handlers } from '../handler.ts'
import { linkNext, pageRequest } from '../page.ts'
import { presentAlert, presentAlertRule, presentSilence } from '../present/alert.ts'

export const alertHandlers = {
  listAlerts: async ({ ctx, actor, params, query, request }) => {
    const { id } = orNotFound(await findOrganization(ctx.db, actor, params.id), 'organization')
    const { state, severity, environment_id: environmentId } = query
    const filter = { state, severity, environmentId, ...pageRequest(query) }
    const { items, next } = await listAlertHistory(ctx.db, id, filter)
    return { body: items.map(presentAlert), headers: linkNext(request, next) }
  },
  listAlertRules: async ({ ctx, actor, params }) => {
    const { id } = orNotFound(await findOrganization(ctx.db, actor, params.id), 'organization')
    return { body: (await listAlertRules(ctx.db, id)).map(presentAlertRule) }
  },
  updateAlertRules: async ({ ctx, actor, params, body }) => {
    const changed = await updateAlertRules(ctx, actor, { organizationId: params.id, rules: body.rules })
    return { body: changed.map(presentAlertRule) }
  },
  getSilence: async ({ ctx, actor, params }) => ({
    body: presentSilence(await findEnvironmentSilence(ctx, actor, params.id)),
  }),
  silenceEnvironment: async ({ ctx, actor, params, body }) => {
    const until = body.until ? Date.parse(body.until) : null
    return { body: presentSilence(await silenceEnvironment(ctx, actor, { environmentId: params.id, until })) }
  },
  unsilenceEnvironment: async ({ ctx, actor, params }) => {
    await unsilenceEnvironment(ctx, actor, params.id)
    return {}
  },
} satisfies Handlers
