// Webhooks of a project with a receiver on this machine, and what tests do with them.
import { beforeEach, expect } from 'vitest'
import { createWebhookSender } from '../../src/background/people/send-webhooks.ts'
import { createReceivers } from '../../src/receivers/receivers.ts'
import { endAllTasks } from '../deployments.ts'
import { buildOwnedProject } from '../owned-project.ts'
import type { TestApp } from '../test-app.ts'
import { startReceiver, type TestReceiver } from './receiver.ts'

export const ALLOW_LOOPBACK = { allowedNetworks: ['127.0.0.0/8'] } as const

type OwnedProject = Awaited<ReturnType<typeof buildOwnedProject>>

/** For each test a project and a receiver of its own, and no webhook. */
export function stageHooks(app: TestApp) {
  const staged: { receiver: TestReceiver; project: OwnedProject } = Object.create(null)

  beforeEach(async () => {
    await app.ctx.db.deleteFrom('hooks').execute()
    await endAllTasks(app.ctx)
    staged.receiver = await startReceiver()
    staged.project = await buildOwnedProject(app.ctx)
    return () => staged.receiver.stop()
  })

  const call = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object) =>
    app.call(method, `/api/${path}`, { as: staged.project.owner, ...(body && { body }) })
  const createSender = (timeoutMs = 10_000) =>
    createWebhookSender(app.ctx, createReceivers({ ...ALLOW_LOOPBACK, clock: app.ctx.clock, timeoutMs }))
  const send = async (sender = createSender()): Promise<void> => {
    await sender.sendDue(new AbortController().signal)
    await sender.finished()
  }
  return {
    get receiver() {
      return staged.receiver
    },
    get project() {
      return staged.project
    },
    call,
    createSender,
    send,
    /** Whatever waits for its time is due now. */
    sendAgain: async () => {
      await app.ctx.db.updateTable('hook_deliveries').set({ next_at: 0, held_until: 0 }).execute()
      await send()
    },
    create: async (url = staged.receiver.url, body: object = {}, of = staged.project) => {
      const answer = await app.call('POST', `/api/projects/${of.id}/hooks`, { as: of.owner, body: { url, ...body } })
      expect(answer.status).toBe(201)
      return answer.body as { id: number; secret: string }
    },
    makeEnvironment: async (name = 'stage', of = staged.project) => {
      const body = { name, branch: 'main' }
      const answer = await app.call('POST', `/api/projects/${of.id}/environments`, { as: of.owner, body })
      expect(answer.status).toBe(201)
      return answer.body
    },
    deliveriesOf: async (id: number) => (await call('GET', `hooks/${id}/deliveries`)).body,
    hookOf: async (id: number) => (await call('GET', `hooks/${id}`)).body,
  }
}
