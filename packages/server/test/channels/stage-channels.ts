// Channels of an organization with a receiver on this machine, and what tests do with them.
import { beforeEach, expect } from 'vitest'
import { createChannelSender } from '../../src/background/people/send-channels.ts'
import { compareAlerts } from '../../src/operations/alerts/compare-alerts.ts'
import { createReceivers } from '../../src/receivers/receivers.ts'
import { updateServerDisk } from '../../src/store/alerts/server-health.ts'
import { buildOrganization, buildServer, buildUser, type TestUser } from '../factories.ts'
import { startReceiver, type TestReceiver } from '../hooks/receiver.ts'
import { ALLOW_LOOPBACK } from '../hooks/stage-hooks.ts'
import type { TestApp } from '../test-app.ts'

const GIB = 1024 ** 3

/** Which fields each type takes, with secrets that no answer may hold. */
export const SECRETS = { path: '/services/T0SECRET/B0SECRET', token: '123456:token-that-is-secret' } as const

export const CHANNELS = [
  { type: 'slack', fields: ['url'] },
  { type: 'discord', fields: ['url'] },
  { type: 'telegram', fields: ['token', 'recipient'] },
  { type: 'ntfy', fields: ['url', 'token'] },
  { type: 'webhook', fields: ['url'] },
] as const

export type TestedType = (typeof CHANNELS)[number]['type']

/** For each test an organization with a server, and a receiver of its own. */
export function stageChannels(app: TestApp) {
  const staged: { receiver: TestReceiver; owner: TestUser; organizationId: number; serverId: number } =
    Object.create(null)

  beforeEach(async () => {
    await app.ctx.db.deleteFrom('channels').execute()
    staged.receiver = await startReceiver()
    staged.owner = await buildUser(app.ctx)
    staged.organizationId = (await buildOrganization(app.ctx, [{ user: staged.owner, role: 'owner' }])).id
    staged.serverId = (await buildServer(app.ctx, staged.organizationId, { name: '*db* @everyone <!channel>' })).id
    return () => staged.receiver.stop()
  })

  const call = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE' | 'PUT', path: string, body?: object) =>
    app.call(method, `/api/${path}`, { as: staged.owner, ...(body && { body }) })
  const contextOf = (timeoutMs = 10_000) => ({
    ...app.ctx,
    telegramApi: `http://127.0.0.1:${staged.receiver.port}`,
    receivers: createReceivers({ ...ALLOW_LOOPBACK, clock: app.ctx.clock, timeoutMs }),
  })
  const createSender = (timeoutMs?: number) => createChannelSender(contextOf(timeoutMs))
  const send = async (sender = createSender()): Promise<void> => {
    await sender.sendDue(new AbortController().signal)
    await sender.finished()
  }
  const measure = async (free: number): Promise<void> => {
    await updateServerDisk(app.ctx.db, { serverId: staged.serverId, freeBytes: free * GIB, totalBytes: 100 * GIB })
    await compareAlerts(app.ctx)
  }
  return {
    get receiver() {
      return staged.receiver
    },
    get organizationId() {
      return staged.organizationId
    },
    get serverId() {
      return staged.serverId
    },
    get owner() {
      return staged.owner
    },
    call,
    contextOf,
    createSender,
    send,
    measure,
    /** The disk of the server fills up, which is a warning. */
    openAlert: () => measure(10),
    resolveAlert: () => measure(50),
    /** Whatever waits for its time is due now. */
    sendAgain: async () => {
      await app.ctx.db.updateTable('channel_deliveries').set({ next_at: 0 }).execute()
      await send()
    },
    create: async (type: TestedType | 'mail', body: object = {}) => {
      const values = {
        url: `http://127.0.0.1:${staged.receiver.port}${SECRETS.path}`,
        token: SECRETS.token,
        recipient: type === 'mail' ? 'oncall@example.com' : '-100123',
      }
      const taken = type === 'mail' ? ['recipient'] : (CHANNELS.find((one) => one.type === type)?.fields ?? [])
      const own = Object.fromEntries(Object.entries(values).filter(([field]) => taken.some((name) => name === field)))
      const answer = await call('POST', `organizations/${staged.organizationId}/channels`, {
        type,
        name: `To ${type}`,
        ...own,
        ...body,
      })
      expect(answer.status, answer.text).toBe(201)
      return answer.body as { id: number; secret: string | null }
    },
    channelOf: async (id: number) => {
      const { body } = await call('GET', `organizations/${staged.organizationId}/channels`)
      return body.find((channel: { id: number }) => channel.id === id)
    },
    alerts: async (query = '') => (await call('GET', `organizations/${staged.organizationId}/alerts${query}`)).body,
  }
}
