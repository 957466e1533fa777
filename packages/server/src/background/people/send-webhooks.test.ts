// Messages to webhooks arrive at least once, are sent again where they fail, and no receiver waits for a slow one.
import { describe, expect, test } from 'vitest'
import { databases } from '../../../test/databases.ts'
import { startReceiver } from '../../../test/hooks/receiver.ts'
import { ALLOW_LOOPBACK, stageHooks } from '../../../test/hooks/stage-hooks.ts'
import { buildOwnedProject } from '../../../test/owned-project.ts'
import { stageApp } from '../../../test/stage/stage-app.ts'
import { createWebhookSender } from './send-webhooks.ts'

const HOUR = 3_600_000

describe.each(databases)('how webhooks are sent on $name', (source) => {
  const app = stageApp(source, ALLOW_LOOPBACK)
  const hooks = stageHooks(app)

  test('what does not arrive is sent again, with the same id and the same words, later each time', async () => {
    const hook = await hooks.create()
    hooks.receiver.answer = (response) => void response.writeHead(500).end('Not now')
    await hooks.makeEnvironment()
    await hooks.send()
    expect(await hooks.deliveriesOf(hook.id)).toMatchObject([
      {
        status: 'pending',
        attempts: 1,
        response_status: 500,
        response_text: 'Not now',
        error: 'The receiver answered 500',
      },
    ])
    await hooks.send()
    expect(hooks.receiver.received.length).toBe(1)
    await hooks.sendAgain()
    hooks.receiver.answer = (response) => void response.writeHead(200).end('Taken')
    await hooks.sendAgain()
    expect(await hooks.deliveriesOf(hook.id)).toMatchObject([
      { status: 'succeeded', attempts: 3, next_attempt_at: null, error: null },
    ])
    expect(new Set(hooks.receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect(new Set(hooks.receiver.received.map(({ body }) => body)).size).toBe(1)
    expect(await hooks.hookOf(hook.id)).toMatchObject({ enabled: true, failing_since: null })
  })

  test('after ten attempts one is given up', async () => {
    const hook = await hooks.create()
    hooks.receiver.answer = (response) => void response.writeHead(500).end()
    await hooks.makeEnvironment()
    for (let attempt = 0; attempt < 12; attempt++) await hooks.sendAgain()
    expect(hooks.receiver.received.length).toBe(10)
    expect(await hooks.deliveriesOf(hook.id)).toMatchObject([{ status: 'failed', attempts: 10 }])
  })

  test('a webhook that nothing arrives at for three days is turned off, and can be turned on again', async () => {
    const hook = await hooks.create()
    hooks.receiver.answer = (response) => void response.writeHead(500).end()
    await hooks.makeEnvironment('one')
    await hooks.send()
    app.moveClock(72 * HOUR - 1)
    await hooks.makeEnvironment('two')
    await hooks.sendAgain()
    expect(await hooks.hookOf(hook.id)).toMatchObject({ enabled: true, failing_since: expect.any(String) })
    app.moveClock(1)
    await hooks.sendAgain()
    expect(await hooks.hookOf(hook.id)).toMatchObject({ enabled: false, disabled_reason: 'failing' })
    const [second, first] = await hooks.deliveriesOf(hook.id)
    expect([first.status, second.status]).toEqual(['failed', 'failed'])
    const count = hooks.receiver.received.length
    await hooks.makeEnvironment('three')
    await hooks.sendAgain()
    expect(hooks.receiver.received.length).toBe(count)
    const events = await hooks.call('GET', `organizations/${hooks.project.organizationId}/audit`)
    expect(events.body.map(({ action }: { action: string }) => action)).toContain('hook.turned_off')

    const on = await hooks.call('PATCH', `hooks/${hook.id}`, { enabled: true })
    expect(on.body).toMatchObject({ enabled: true, disabled_reason: null, failing_since: null })
    hooks.receiver.answer = (response) => void response.writeHead(204).end()
    const redelivered = await hooks.call('POST', `hooks/${hook.id}/deliveries/${first.id}/redelivery`)
    expect(redelivered).toMatchObject({
      status: 202,
      body: { status: 'pending', attempts: 0, message_id: first.message_id },
    })
    await hooks.send()
    expect((await hooks.deliveriesOf(hook.id)).at(-1)).toMatchObject({ id: first.id, status: 'succeeded', attempts: 1 })
  })

  test('a receiver that says that it is gone is believed', async () => {
    const hook = await hooks.create()
    hooks.receiver.answer = (response) => void response.writeHead(410).end()
    await hooks.makeEnvironment()
    await hooks.send()
    expect(await hooks.hookOf(hook.id)).toMatchObject({ enabled: false, disabled_reason: 'gone' })
  })

  test('a trial is sent once, also where the webhook is turned off, and says nothing about the rest', async () => {
    const hook = await hooks.create()
    hooks.receiver.answer = (response) => void response.writeHead(500).end()
    const trial = await hooks.call('POST', `hooks/${hook.id}/test`)
    expect(trial).toMatchObject({ status: 201, body: { event: 'hook.test', status: 'pending' } })
    await hooks.sendAgain()
    await hooks.sendAgain()
    expect(hooks.receiver.received.map(({ body }) => JSON.parse(body).type)).toEqual(['hook.test'])
    expect(await hooks.deliveriesOf(hook.id)).toMatchObject([{ status: 'failed', attempts: 1 }])
    expect(await hooks.hookOf(hook.id)).toMatchObject({ enabled: true, failing_since: null })
    await hooks.call('PATCH', `hooks/${hook.id}`, { enabled: false })
    hooks.receiver.answer = (response) => void response.writeHead(200).end()
    await hooks.call('POST', `hooks/${hook.id}/test`)
    await hooks.send()
    expect((await hooks.deliveriesOf(hook.id))[0]).toMatchObject({ status: 'succeeded' })
  })

  test('what waits for a webhook that is turned off is given up', async () => {
    const hook = await hooks.create()
    await hooks.makeEnvironment()
    await hooks.call('PATCH', `hooks/${hook.id}`, { enabled: false })
    await hooks.sendAgain()
    expect(hooks.receiver.received).toEqual([])
    expect(await hooks.deliveriesOf(hook.id)).toMatchObject([
      { status: 'failed', error: expect.stringContaining('turned off') },
    ])
  })

  test('several processes send each message once', async () => {
    await hooks.create()
    for (let index = 0; index < 12; index++) await hooks.makeEnvironment(`e${index}`)
    const senders = [1, 2, 3].map(() => hooks.createSender())
    const pump = async (sender: ReturnType<typeof createWebhookSender>): Promise<void> => {
      for (let round = 0; round < 12; round++) await hooks.send(sender)
    }
    await Promise.all(senders.map(pump))
    const ids = hooks.receiver.received.map(({ headers }) => headers['webhook-id'])
    expect([ids.length, new Set(ids).size]).toEqual([12, 12])
  })

  test('slow receivers take a few places of their own organization, and no other organization waits', async () => {
    const slow = await startReceiver()
    slow.answer = () => undefined
    for (let index = 0; index < 5; index++) await hooks.create(slow.url)
    for (let index = 0; index < 4; index++) await hooks.makeEnvironment(`e${index}`)
    const other = await buildOwnedProject(app.ctx)
    await hooks.create(hooks.receiver.url, {}, other)
    await hooks.makeEnvironment('stage', other)
    const stopper = new AbortController()
    const sender = hooks.createSender(600_000)
    await sender.sendDue(stopper.signal)
    await expect.poll(() => [slow.received.length, hooks.receiver.received.length]).toEqual([6, 1])
    await sender.sendDue(stopper.signal)
    expect(slow.received.length).toBe(6)

    // A process that stops gives back what is on its way: it does not count as an attempt, and is due at once.
    stopper.abort()
    await sender.finished()
    const left = await app.ctx.db.selectFrom('hook_deliveries').where('status', '=', 'pending').selectAll().execute()
    expect([left.length, left.every((row) => row.held_until === 0 && row.attempts === 0)]).toEqual([20, true])
    await slow.stop()
  })

  test('a process that died leaves what it had taken to the next', async () => {
    const hook = await hooks.create()
    await hooks.makeEnvironment()
    const dead = createWebhookSender(app.ctx, { send: () => new Promise(() => undefined) })
    await dead.sendDue(new AbortController().signal)
    await hooks.send()
    expect(hooks.receiver.received.length).toBe(0)
    await hooks.sendAgain()
    expect(await hooks.deliveriesOf(hook.id)).toMatchObject([{ status: 'succeeded', attempts: 2 }])
  })
})
