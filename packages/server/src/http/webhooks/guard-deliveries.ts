// Admits every delivery before its body is read, and releases its slot when the answer is out.
import { networkOf } from '@shipway/api/values/ip-address'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { takeRawBody } from '../raw-body.ts'
import { type AdmittedDelivery, createAdmission } from './admission.ts'

export function guardDeliveries(scope: FastifyInstance, ctx: Context): void {
  const letIn = createAdmission(ctx)
  scope.decorateRequest('guest', undefined)
  scope.addHook('onRequest', async (request, reply) => {
    const { hook_id: hookId = '' } = request.params as Partial<Record<string, string>>
    const guest = await letIn(networkOf(request.ip), hookId)
    request.guest = guest
    // Where the connection broke meanwhile, nothing more will come.
    if (reply.raw.destroyed) guest.leave()
    else reply.raw.once('close', guest.leave)
  })
  takeRawBody(scope, ({ guest }) => guest?.take ?? (() => undefined))
}

declare module 'fastify' {
  interface FastifyRequest {
    guest: AdmittedDelivery | undefined
  }
}
