// The state of the mail queue for /metrics, queried when they are read.
import type { FastifyInstance } from 'fastify'
import { Gauge } from 'prom-client'
import type { Context } from '../../context.ts'
import { findMailState } from '../../store/mails/mail-state.ts'

export function measureMails({ metrics }: FastifyInstance, { db }: Pick<Context, 'db'>): void {
  const waiting = new Gauge({
    name: 'shipway_mails_waiting',
    help: 'Mails that are to be sent',
    registers: [metrics],
    collect: async () => {
      const state = await findMailState(db)
      waiting.set(state.waiting)
      retrying.set(state.retrying)
      givenUp.set(state.givenUp)
    },
  })
  const retrying = new Gauge({
    name: 'shipway_mails_retrying',
    help: 'Mails that wait because an attempt failed',
    registers: [metrics],
  })
  const givenUp = new Gauge({
    name: 'shipway_mails_given_up',
    help: 'Mails of the last week that could not be delivered',
    registers: [metrics],
  })
}
