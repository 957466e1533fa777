// Webhooks carry events in the shapes of the API, signed.
import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { databases } from '../../../test/databases.ts'
import { takeNext } from '../../../test/deployments.ts'
import { buildEnvironment, buildStep, buildTask } from '../../../test/factories.ts'
import type { ReceivedMessage } from '../../../test/hooks/receiver.ts'
import { ALLOW_LOOPBACK, stageHooks } from '../../../test/hooks/stage-hooks.ts'
import { stageApp } from '../../../test/stage/stage-app.ts'
import { endTask } from '../../progress/progress.ts'

const HOUR = 3_600_000
const NOTHING: ReceivedMessage = { headers: {}, body: '', path: '' }

describe.each(databases)('webhook messages on $name', (source) => {
  const app = stageApp(source, ALLOW_LOOPBACK)
  const hooks = stageHooks(app)

  const deploy = async (
    status: 'succeeded' | 'failed' | 'canceled',
    kind: 'deploy' | 'reset' | 'action' = 'deploy',
  ) => {
    const environment = await buildEnvironment(app.ctx, hooks.project)
    await buildTask(app.ctx, environment.id, { kind, ...(kind === 'action' && { action: 'dump' }) })
    const lease = await takeNext(app.ctx)
    await buildStep(app.ctx, lease.taskId, { phase: 'Build', name: 'Build', started_at: 1, finished_at: 2 })
    await endTask(app.ctx, lease, { status })
    return { environment, taskId: lease.taskId }
  }

  test('a message is what the API shows, signed so that the receiver can verify it', async () => {
    const hook = await hooks.create()
    const environment = await hooks.makeEnvironment()
    await hooks.send()
    const [message] = hooks.receiver.received
    const body = JSON.parse(message?.body ?? '')
    expect(body).toEqual({
      type: 'environment.created',
      timestamp: new Date(app.ctx.clock()).toISOString(),
      data: { project: { id: hooks.project.id, name: hooks.project.name }, environment },
    })
    const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature } = message?.headers ?? {}
    const key = Buffer.from(hook.secret.replace('whsec_', ''), 'base64')
    const signed = createHmac('sha256', key).update(`${id}.${timestamp}.${message?.body}`).digest('base64')
    expect([key.length, signature]).toEqual([32, `v1,${signed}`])
    expect(Number(timestamp)).toBe(Math.floor(app.ctx.clock() / 1000))
    expect(await hooks.deliveriesOf(hook.id)).toMatchObject([
      { message_id: id, event: 'environment.created', status: 'succeeded', attempts: 1, response_status: 204 },
    ])
    expect(JSON.stringify(await hooks.hookOf(hook.id))).not.toContain('whsec_')
  })

  test.each([
    ['succeeded', 'deploy'],
    ['failed', 'deploy'],
    ['succeeded', 'reset'],
  ] as const)('a deployment that %s (%s) is sent with its task and its environment', async (status, kind) => {
    await hooks.create()
    const { environment, taskId } = await deploy(status, kind)
    await hooks.send()
    const [task, shown] = await Promise.all(
      [`tasks/${taskId}`, `environments/${environment.id}`].map((path) =>
        app.call('GET', `/api/${path}`, { as: hooks.project.owner }),
      ),
    )
    expect(hooks.receiver.received.map(({ body }) => JSON.parse(body))).toEqual([
      expect.objectContaining({
        type: `deployment.${status}`,
        data: {
          project: { id: hooks.project.id, name: hooks.project.name },
          task: task?.body,
          environment: shown?.body,
        },
      }),
    ])
  })

  test('canceled tasks, actions and events without a subscription are not sent', async () => {
    await hooks.create(hooks.receiver.url, { events: ['environment.removed'] })
    await deploy('canceled')
    await deploy('succeeded', 'action')
    await deploy('succeeded')
    await hooks.makeEnvironment()
    await hooks.send()
    expect(hooks.receiver.received).toEqual([])
  })

  test('a removal is sent with the environment as it was', async () => {
    await hooks.create(hooks.receiver.url, { events: ['environment.removed'] })
    const { id, domain } = await hooks.makeEnvironment()
    expect((await hooks.call('DELETE', `environments/${id}`)).status).toBe(202)
    await hooks.send()
    const [body] = hooks.receiver.received.map((message) => JSON.parse(message.body))
    expect(body).toMatchObject({
      type: 'environment.removed',
      data: { environment: { id, domain, status: 'removing' } },
    })
  })

  test('events of a change that was rolled back are not sent', async () => {
    await hooks.create()
    await hooks.makeEnvironment('same')
    const again = await app.call('POST', `/api/projects/${hooks.project.id}/environments`, {
      as: hooks.project.owner,
      body: { name: 'same', branch: 'main' },
    })
    expect(again.status).toBeGreaterThanOrEqual(400)
    await hooks.send()
    expect(hooks.receiver.received.length).toBe(1)
  })

  test('for a day after a change of the secret both sign', async () => {
    const hook = await hooks.create()
    const renewed = await hooks.call('POST', `hooks/${hook.id}/secret`)
    expect(renewed.status).toBe(201)
    const signedBy = async () => {
      await hooks.makeEnvironment(`e${hooks.receiver.received.length}`)
      await hooks.send()
      const { headers, body } = hooks.receiver.received.at(-1) ?? NOTHING
      const given = String(headers['webhook-signature']).split(' ')
      const of = (secret: string) =>
        `v1,${createHmac('sha256', Buffer.from(secret.slice(6), 'base64'))
          .update(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`)
          .digest('base64')}`
      return [given.length, given.includes(of(renewed.body.secret)), given.includes(of(hook.secret))]
    }
    expect(await signedBy()).toEqual([2, true, true])
    app.moveClock(24 * HOUR)
    expect(await signedBy()).toEqual([1, true, false])
  })

  test('a webhook that is deleted, or whose project goes, takes with it what waits', async () => {
    const hook = await hooks.create()
    await hooks.makeEnvironment()
    expect((await hooks.call('DELETE', `hooks/${hook.id}`)).status).toBe(204)
    await hooks.send()
    expect(hooks.receiver.received).toEqual([])
    expect((await hooks.call('GET', `hooks/${hook.id}`)).status).toBe(404)
  })
})
