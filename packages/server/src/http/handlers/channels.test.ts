// Channels over the API: what each type takes, and that addresses and tokens never come out again.
import { describe, expect, test } from 'vitest'
import { SECRETS, stageChannels } from '../../../test/channels/stage-channels.ts'
import { databases } from '../../../test/databases.ts'
import { ALLOW_LOOPBACK } from '../../../test/hooks/stage-hooks.ts'
import { stageApp } from '../../../test/stage/stage-app.ts'

describe.each(databases)('channels on $name', (source) => {
  const app = stageApp(source, ALLOW_LOOPBACK)
  const channels = stageChannels(app)
  const path = () => `organizations/${channels.organizationId}/channels`

  test('a channel shows the host of its address, and gets alerts but no deployments unless asked', async () => {
    const { id } = await channels.create('ntfy')
    expect(await channels.channelOf(id)).toEqual({
      id,
      organization_id: channels.organizationId,
      type: 'ntfy',
      name: 'To ntfy',
      host: '127.0.0.1',
      recipient: null,
      has_token: true,
      events: ['alert.opened', 'alert.resolved'],
      severities: ['warning', 'critical'],
      enabled: true,
      last_delivery: null,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    })
  })

  test('no answer, audit entry, log line or column holds an address or a token', async () => {
    const from = app.logLines.length
    const answers: string[] = []
    for (const type of ['slack', 'telegram', 'ntfy', 'webhook'] as const) {
      const { secret, ...created } = await channels.create(type)
      answers.push(JSON.stringify(created))
      expect(secret === null).toBe(type !== 'webhook')
      for (const body of [{ name: 'New' }, { token: 'another-token-that-is-secret' }, { url: 'nonsense' }])
        answers.push((await channels.call('PATCH', `channels/${created.id}`, body)).text)
      answers.push((await channels.call('GET', path())).text)
      answers.push((await channels.call('POST', `channels/${created.id}/test`)).text)
    }
    answers.push((await channels.call('GET', `organizations/${channels.organizationId}/audit`)).text)
    answers.push(JSON.stringify(await app.ctx.db.selectFrom('channels').selectAll().execute()))
    answers.push(...app.logLines.slice(from))
    for (const secret of ['T0SECRET', 'B0SECRET', SECRETS.token, 'another-token', 'whsec_'])
      expect(answers.join('\n')).not.toContain(secret)
  })

  test.each([
    [{ type: 'slack' }, '/url', 'required'],
    [{ type: 'telegram', token: '1:a' }, '/recipient', 'required'],
    [{ type: 'telegram', token: '1:a/../..', recipient: '1' }, '/token', 'invalid_token'],
    [{ type: 'telegram', token: '1:a', recipient: 'a b' }, '/recipient', 'invalid_recipient'],
    [{ type: 'mail', recipient: 'nobody' }, '/recipient', 'invalid_email'],
    [{ type: 'mail', recipient: 'a@example.com', url: 'https://x.example' }, '/url', 'not_used'],
    [{ type: 'slack', url: 'https://hooks.example.com/x', token: 'x' }, '/token', 'not_used'],
    [{ type: 'ntfy', url: 'https://ntfy.example.com/x', token: 'x\r\ny: z' }, '/token', 'invalid_format'],
    [{ type: 'webhook', url: 'https://10.0.0.1/x' }, '/url', 'network_not_allowed'],
    [{ type: 'webhook', url: 'https://hooks.example.com/x', events: [] }, '/events', 'too_small'],
  ])('%j is refused', async (body, pointer, code) => {
    const answer = await channels.call('POST', path(), { name: 'New', ...body })
    expect(answer.status).toBe(422)
    expect(answer.body.errors).toMatchObject([{ pointer, code }])
  })

  test('a token is not sent to a new address unless it is given again', async () => {
    const { id } = await channels.create('ntfy')
    const url = 'https://ntfy.example.com/mine'
    expect(await channels.call('PATCH', `channels/${id}`, { url })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/token', code: 'required' }] },
    })
    const moved = await channels.call('PATCH', `channels/${id}`, { url, token: null })
    expect(moved.body).toMatchObject({ host: 'ntfy.example.com', has_token: false })
  })

  test('what waits for a channel that is turned off is dropped, and a deleted one is gone', async () => {
    const { id } = await channels.create('webhook')
    await channels.openAlert()
    expect((await channels.call('PATCH', `channels/${id}`, { enabled: false })).body).toMatchObject({ enabled: false })
    await channels.call('PATCH', `channels/${id}`, { enabled: true })
    await channels.sendAgain()
    expect(channels.receiver.received).toEqual([])
    expect((await channels.call('DELETE', `channels/${id}`)).status).toBe(204)
    expect((await channels.call('GET', path())).body).toEqual([])
  })

  test('a test message is sent at once, also where the channel is turned off', async () => {
    const { id } = await channels.create('webhook')
    await channels.call('PATCH', `channels/${id}`, { enabled: false })
    channels.receiver.answer = (response) => void response.writeHead(202).end('taken')
    expect((await channels.call('POST', `channels/${id}/test`)).body).toEqual({
      succeeded: true,
      message: 'The receiver answered 202',
      response_status: 202,
      response_text: 'taken',
    })
    expect(JSON.parse(channels.receiver.received[0]?.body ?? '')).toMatchObject({ type: 'channel.test' })
    expect(await channels.channelOf(id)).toMatchObject({ last_delivery: { status: 'succeeded' } })
  })

  test('an organization has at most twenty', async () => {
    for (let index = 0; index < 20; index++) await channels.create('mail')
    const answer = await channels.call('POST', path(), { type: 'mail', name: 'New', recipient: 'a@example.com' })
    expect(answer).toMatchObject({ status: 409, body: { code: 'in_use' } })
  })
})
