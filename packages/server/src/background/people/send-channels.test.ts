// Messages to channels: what each type is sent, what happens where a receiver fails, and that no secret is shown.
import { describe, expect, test } from 'vitest'
import { CHANNELS, SECRETS, stageChannels } from '../../../test/channels/stage-channels.ts'
import { databases } from '../../../test/databases.ts'
import { buildOrganization, buildServer } from '../../../test/factories.ts'
import { startReceiver } from '../../../test/hooks/receiver.ts'
import { ALLOW_LOOPBACK } from '../../../test/hooks/stage-hooks.ts'
import { stageApp } from '../../../test/stage/stage-app.ts'
import { testChannel } from '../../operations/channels/test-channel.ts'
import { Secret } from '../../secrets/secret.ts'
import { signMessage } from '../../secrets/signing-secret.ts'
import { createChannelSender } from './send-channels.ts'

const TITLE = 'The disk of a server fills up'
const FACTS = 'has 10.0 GiB of 100.0 GiB left.'

describe.each(databases)('messages to channels on $name', (source) => {
  const app = stageApp(source, ALLOW_LOOPBACK)
  const channels = stageChannels(app)

  const expectNoSecret = (text: string): void => {
    for (const secret of ['T0SECRET', 'B0SECRET', SECRETS.token]) expect(text).not.toContain(secret)
  }

  test('Slack gets blocks of plain text, in which user text is neither markup nor a mention', async () => {
    await channels.create('slack')
    await channels.openAlert()
    await channels.send()
    const [received] = channels.receiver.received
    expect(received?.path).toBe(SECRETS.path)
    const { text, blocks } = JSON.parse(received?.body ?? '')
    expect(text).toBe(TITLE)
    expect(blocks[1].text).toEqual({
      type: 'plain_text',
      text: expect.stringContaining(`"*db* @everyone <!channel>" ${FACTS}`),
      emoji: false,
    })
    expect(blocks[2].text.text).toBe(
      `<https://ship.example.com/organizations/${channels.organizationId}/servers|Open in Shipway>`,
    )
  })

  test('Discord gets escaped Markdown and pings no one', async () => {
    await channels.create('discord')
    await channels.openAlert()
    await channels.send()
    const { content, allowed_mentions } = JSON.parse(channels.receiver.received[0]?.body ?? '')
    expect(content).toContain(`**${TITLE}**\n`)
    expect(content).toContain('\\*db\\* \\@everyone \\<!channel\\>')
    expect(allowed_mentions).toEqual({ parse: [] })
  })

  test('Telegram gets plain text through its bot', async () => {
    await channels.create('telegram')
    await channels.openAlert()
    await channels.send()
    const [received] = channels.receiver.received
    expect(received?.path).toBe(`/bot${SECRETS.token}/sendMessage`)
    const body = JSON.parse(received?.body ?? '')
    expect(body).toEqual({
      chat_id: '-100123',
      text: expect.stringContaining('@\u200beveryone'),
      link_preview_options: { is_disabled: true },
    })
  })

  test('ntfy gets its title, priority and tags in headers of one line, and the token', async () => {
    await channels.create('ntfy')
    await channels.openAlert()
    await channels.measure(1)
    await channels.sendAgain()
    await channels.sendAgain()
    const [warning, critical] = channels.receiver.received
    expect(warning?.headers).toMatchObject({
      title: TITLE,
      priority: 'default',
      tags: 'warning',
      authorization: `Bearer ${SECRETS.token}`,
      'content-type': 'text/plain; charset=utf-8',
    })
    expect(warning?.body).toContain(FACTS)
    expect(critical?.headers).toMatchObject({ priority: 'high', tags: 'rotating_light' })
  })

  test('a webhook gets the alert as data, signed as webhooks are', async () => {
    const { secret } = await channels.create('webhook')
    await channels.openAlert()
    await channels.send()
    const [received] = channels.receiver.received
    const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature } = received?.headers ?? {}
    const signed = { id: String(id), timestamp: String(timestamp), body: received?.body ?? '' }
    expect(signature).toBe(signMessage([new Secret(secret ?? '')], signed))
    const [alert] = await channels.alerts()
    expect(JSON.parse(received?.body ?? '')).toMatchObject({
      type: 'alert.opened',
      data: {
        title: TITLE,
        organization_id: channels.organizationId,
        alert: { id: alert.id, rule: 'disk_high', severity: 'warning', resolved_at: null },
      },
    })
  })

  test('a mail is sent by the mail server, with addresses defanged', async () => {
    await channels.create('mail')
    await channels.openAlert()
    const before = app.mails.length
    await channels.send()
    expect(app.mails.slice(before)).toMatchObject([{ to: 'oncall@example.com', subject: TITLE }])
    expect(app.mails.at(-1)?.html.match(/<a /g)).toHaveLength(1)
  })

  test('an alert is sent once when it opens and once when it is resolved', async () => {
    await channels.create('webhook')
    for (const step of [channels.openAlert, channels.openAlert, channels.resolveAlert, channels.resolveAlert]) {
      await step()
      await channels.send()
    }
    expect(channels.receiver.received.map(({ body }) => JSON.parse(body).type)).toEqual([
      'alert.opened',
      'alert.resolved',
    ])
    expect(await channels.alerts()).toMatchObject([{ rule: 'disk_high', resolved_at: expect.any(String) }])
  })

  test('a channel gets the events and severities that it asked for', async () => {
    await channels.create('webhook', { severities: ['critical'], events: ['alert.opened'] })
    await channels.openAlert()
    await channels.measure(1)
    await channels.resolveAlert()
    await channels.send()
    await channels.sendAgain()
    expect(channels.receiver.received.map(({ body }) => JSON.parse(body).data.alert.rule)).toEqual(['disk_low'])
  })

  describe.each(CHANNELS)('$type', ({ type }) => {
    test('a message that fails is sent again, and the channel says what happened without a secret', async () => {
      const { id } = await channels.create(type)
      channels.receiver.answer = (response) => void response.writeHead(500).end('Not now')
      await channels.openAlert()
      await channels.send()
      const failing = await channels.channelOf(id)
      expectNoSecret(JSON.stringify(failing))
      expect(failing.last_delivery).toMatchObject({ status: 'retrying', message: 'The receiver answered 500' })
      await channels.send()
      expect(channels.receiver.received.length).toBe(1)
      channels.receiver.answer = (response) => void response.writeHead(200).end('ok')
      await channels.sendAgain()
      expect(await channels.channelOf(id)).toMatchObject({
        last_delivery: { status: 'succeeded', message: 'The receiver answered 200' },
      })
      await channels.sendAgain()
      expect(channels.receiver.received.length).toBe(2)
      expect(await app.ctx.db.selectFrom('channel_deliveries').selectAll().execute()).toEqual([])
    })

    test('after six attempts it is given up', async () => {
      const { id } = await channels.create(type)
      channels.receiver.answer = (response) => void response.writeHead(503).end()
      await channels.openAlert()
      for (let attempt = 0; attempt < 8; attempt++) await channels.sendAgain()
      expect(channels.receiver.received.length).toBe(6)
      expect(await channels.channelOf(id)).toMatchObject({ last_delivery: { status: 'failed' } })
    })

    test('a 429 with Retry-After is obeyed, for a day at most', async () => {
      await channels.create(type)
      await channels.openAlert()
      const dueAfter = async (retryAfter: string): Promise<number> => {
        channels.receiver.answer = (response) => void response.writeHead(429, { 'retry-after': retryAfter }).end()
        const before = Date.now()
        await channels.sendAgain()
        const row = await app.ctx.db.selectFrom('channel_deliveries').select('next_at').executeTakeFirstOrThrow()
        return Math.round((row.next_at - before) / 3_600_000)
      }
      expect(await dueAfter('7200')).toBe(2)
      expect(await dueAfter('9999999')).toBe(24)
    })

    test('a redirect to a private address is not followed', async () => {
      const inside = await startReceiver()
      const { id } = await channels.create(type)
      channels.receiver.answer = (response) => void response.writeHead(307, { location: inside.url }).end()
      await channels.openAlert()
      await channels.send()
      expect(inside.received).toEqual([])
      expect((await channels.channelOf(id)).last_delivery.message).toContain('Redirects are not followed')
      await inside.stop()
    })

    test('a receiver that says nothing is given up in time', async () => {
      const { id } = await channels.create(type)
      channels.receiver.answer = () => undefined
      await channels.openAlert()
      await channels.send(channels.createSender(50))
      expect((await channels.channelOf(id)).last_delivery).toMatchObject({
        status: 'retrying',
        message: 'The receiver did not answer within 0.05 seconds',
      })
    })

    test('a test message answers with what the receiver said, and without a secret', async () => {
      const { id } = await channels.create(type)
      channels.receiver.answer = (response) => {
        const { path, headers } = channels.receiver.received.at(-1) ?? { path: '', headers: {} }
        response.writeHead(404).end(`no_service ${path} ${headers.authorization}`)
      }
      const actor = {
        ...channels.owner,
        userId: channels.owner.id,
        roles: new Map([[channels.organizationId, 'owner']]),
      }
      const outcome = await testChannel(channels.contextOf(), actor as never, id)
      expect(outcome).toMatchObject({ isDelivered: false, status: 404, text: expect.stringContaining('no_service') })
      expectNoSecret(JSON.stringify(outcome))
    })
  })

  test('a receiver in a private network is refused when it is created and when it is sent to', async () => {
    const body = { type: 'slack', name: 'Inside', url: 'http://10.0.0.1/x' }
    const refused = await channels.call('POST', `organizations/${channels.organizationId}/channels`, body)
    expect(refused).toMatchObject({ status: 422, body: { errors: [{ pointer: '/url', code: 'network_not_allowed' }] } })
  })

  test('several processes send each message once', async () => {
    await channels.create('webhook')
    for (let round = 0; round < 6; round++) {
      await channels.openAlert()
      await channels.resolveAlert()
    }
    const senders = [1, 2, 3].map(() => channels.createSender())
    for (let round = 0; round < 12; round++) await Promise.all(senders.map((sender) => channels.send(sender)))
    const ids = channels.receiver.received.map(({ headers }) => headers['webhook-id'])
    expect([ids.length, new Set(ids).size]).toEqual([12, 12])
  })

  test('a slow receiver takes one place, a slow organization six, and no other waits', async () => {
    const slow = await startReceiver()
    slow.answer = () => undefined
    for (let index = 0; index < 8; index++) await channels.create('slack', { url: slow.url })
    await channels.openAlert()
    await channels.resolveAlert()
    const other = await buildOrganization(app.ctx, [{ user: channels.owner, role: 'owner' }])
    await channels.call('POST', `organizations/${other.id}/channels`, {
      type: 'slack',
      name: 'Other',
      url: channels.receiver.url,
    })
    await buildServer(app.ctx, other.id)
    await app.ctx.db
      .insertInto('channel_deliveries')
      .columns(['channel_id', 'key', 'message', 'created_at'])
      .expression((eb) =>
        eb
          .selectFrom('channels as c')
          .innerJoin('channel_deliveries as d', (join) => join.onTrue())
          .where('c.organization_id', '=', other.id)
          .select(['c.id', 'd.key', 'd.message', 'd.created_at'])
          .limit(1),
      )
      .execute()
    const stopper = new AbortController()
    const sender = channels.createSender(600_000)
    await sender.sendDue(stopper.signal)
    await expect.poll(() => [slow.received.length, channels.receiver.received.length]).toEqual([6, 1])
    await sender.sendDue(stopper.signal)
    expect(slow.received.length).toBe(6)
    stopper.abort()
    await sender.finished()
    const left = await app.ctx.db.selectFrom('channel_deliveries').selectAll().execute()
    expect(left.filter(({ attempts }) => attempts !== 0)).toEqual([])
    expect(left.length).toBe(16)
    await slow.stop()
  })

  test('a process that died leaves what it had taken to the next', async () => {
    await channels.create('webhook')
    await channels.openAlert()
    const dead = createChannelSender({ ...app.ctx, receivers: { send: () => new Promise(() => undefined) } })
    await dead.sendDue(new AbortController().signal)
    await channels.send()
    expect(channels.receiver.received.length).toBe(0)
    await channels.sendAgain()
    expect(channels.receiver.received.length).toBe(1)
  })

  test('at most a hundred messages wait for a channel, the newest ones', async () => {
    await channels.create('webhook')
    for (let round = 0; round < 52; round++) {
      await channels.openAlert()
      await channels.resolveAlert()
    }
    expect(await app.ctx.db.selectFrom('channel_deliveries').selectAll().execute()).toHaveLength(100)
  })
})
