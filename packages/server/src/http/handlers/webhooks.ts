// Deliveries of git hosts, and what people want to know about them.
import { explainWaiting } from '../../operations/environments/explain-waiting.ts'
import { orNotFound } from '../../operations/or-not-found.ts'
import { findProject } from '../../store/projects/projects.ts'
import { listDeliveries } from '../../store/repository-events/deliveries.ts'
import { listWithoutEnvironment } from '../../store/repository-events/pull-requests.ts'
import type { Handlers } from '../handler.ts'
import { linkNext, pageRequest } from '../page.ts'
import { presentDelivery } from '../present/delivery.ts'
import { presentWaiting } from '../present/waiting.ts'
import { receiveDelivery } from '../webhooks/receive.ts'

export const webhookHandlers = {
  receiveWebhook: async ({ ctx, request, origin }) => {
    const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
    const { headers, guest } = request
    if (!guest) throw new Error('A delivery arrived without passing admission')
    const received = { headers, body, receivedAt: ctx.clock(), guest, origin }
    const { verdict, reason } = await receiveDelivery(ctx, received)
    return { body: { verdict, reason }, isLater: verdict === 'stored' }
  },
  listDeliveries: async ({ ctx, actor, params, query, request }) => {
    const { id, repositoryHost } = orNotFound(await findProject(ctx.db, actor, params.id), 'project')
    const { items, next } = await listDeliveries(ctx.db, id, pageRequest(query))
    // Not cacheable: a delivery is in the journal only once it has its outcome.
    return {
      body: items.map((delivery) => presentDelivery(delivery, repositoryHost)),
      headers: linkNext(request, next),
    }
  },
  listWaitingPullRequests: async ({ ctx, actor, params, query, request }) => {
    const { id } = orNotFound(await findProject(ctx.db, actor, params.id), 'project')
    const { items, next } = await listWithoutEnvironment(ctx.db, id, pageRequest(query))
    const explained = await explainWaiting(ctx.db, id, items)
    const body = items.map((pullRequest) => presentWaiting(pullRequest, explained.get(pullRequest.number)))
    return { body, headers: linkNext(request, next), isCacheable: true }
  },
} satisfies Handlers
