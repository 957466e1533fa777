// Mail through a real SMTP server, read back as a mail program would.
import { createServer } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type MailServer, startMailServer } from '../../test/mail/mail-server.ts'
import { createMailer, type Mail, type Mailer } from './mailer.ts'

const settings = { mailFrom: 'Shipway <shipway@example.com>', baseUrl: 'https://ship.example.com' }
const never = new AbortController().signal

let server: MailServer
let mailer: Mailer
let earlier = 0

beforeAll(async () => {
  server = await startMailServer()
  mailer = createMailer({ ...settings, smtpUrl: server.url })
})
beforeEach(() => {
  earlier = server.received.length
})
afterAll(() => server.close())

const send = (mail: Partial<Mail>, signal = never) =>
  mailer.send(
    { to: 'ada@example.com', subject: 'Hello', text: 'Hello', html: '<p>Hello</p>', ...mail },
    { key: 'k-1', signal },
  )
const arrived = () => server.received.slice(earlier)

test('a mail arrives as text and HTML, from the set-up sender, to one recipient, under the name that it has for life', async () => {
  const body = 'Héllo\n\n<b>not bold</b> https://ship.example.com/password-reset#token=shw_reset_x\n.\nlast line\n'
  await send({ subject: 'Grüße 🚀', text: body, html: '<p>Héllo</p>' })
  expect(arrived()).toMatchObject([
    {
      from: 'shipway@example.com',
      recipients: ['ada@example.com'],
      mail: {
        subject: 'Grüße 🚀',
        from: { name: 'Shipway', address: 'shipway@example.com' },
        to: [{ address: 'ada@example.com' }],
        attachments: [],
        messageId: '<k-1@ship.example.com>',
      },
    },
  ])
  expect(arrived()[0]?.mail.html?.trim()).toBe('<p>Héllo</p>')
  expect(arrived()[0]?.mail.text?.replaceAll('\r\n', '\n').trim()).toBe(body.trim())
})

test.each([
  'Join Engines\r\nBcc: eve@example.com',
  'Join Engines\nX-Injected: yes\n\nanother body',
  'Join Engines\rBcc: eve@example.com',
  'Join Engines\u2028Bcc: eve@example.com',
  'Join Engines\u0085Bcc: eve@example.com',
  'Join =?utf-8?Q?Engines=0D=0ABcc:_eve@example.com?=',
  `Join ${'long '.repeat(400)}\r\nBcc: eve@example.com`,
])('the subject %j adds no header and no recipient', async (subject) => {
  await send({ subject })
  expect(arrived()).toHaveLength(1)
  expect(arrived()[0]?.recipients).toEqual(['ada@example.com'])
  const names = arrived()[0]?.mail.headers.map(({ key }) => key) ?? []
  expect(names.toSorted()).toEqual([
    'auto-submitted',
    'content-type',
    'date',
    'from',
    'message-id',
    'mime-version',
    'subject',
    'to',
  ])
  expect(arrived()[0]?.mail.text?.trim()).toBe('Hello')
})

test.each([
  'ada@example.com, eve@example.com',
  'ada@example.com;eve@example.com',
  'ada@example.com\r\nBcc: eve@example.com',
  'ada@example.com>\r\nRCPT TO:<eve@example.com',
  'eve@example.com <ada@example.com>',
])('the address %j is one recipient that there is not, and never two', async (to) => {
  await expect(send({ to })).rejects.toThrow('all recipients were rejected')
  expect(arrived()).toEqual([])
})

test('a mail that the server refuses for good fails as such', async () => {
  await expect(send({ to: 'refused@example.com' })).rejects.toMatchObject({
    name: 'MailRefused',
    message: expect.stringContaining('No such mailbox'),
  })
})

test('a mail that the server refuses for now fails as anything else', async () => {
  server.refuse({ code: 451, message: 'Try again later' })
  const failed = send({}).finally(() => server.refuse(undefined))
  await expect(failed).rejects.toMatchObject({ name: 'Error', message: expect.stringContaining('Try again later') })
})

test('the sender can abort, whatever the mail server does', async () => {
  const dripping = createServer((socket) => {
    const timer = setInterval(() => socket.write('220-wait\r\n'), 20)
    socket.on('error', () => undefined).on('close', () => clearInterval(timer))
  })
  await new Promise<void>((ready) => dripping.listen(0, '127.0.0.1', ready))
  const address = dripping.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const slow = createMailer({ ...settings, smtpUrl: `smtp://127.0.0.1:${port}` })
  const stop = new AbortController()
  const sent = slow.send({ to: 'a@b.example', subject: 'x', text: 'x', html: 'x' }, { key: 'k', signal: stop.signal })
  dripping.once('connection', () => setImmediate(() => stop.abort()))
  await expect(sent).rejects.toThrow('took too long')
  await new Promise((closed) => dripping.close(closed))
})

test.each([
  ['https://ship.example.com', false],
  ['http://192.168.1.7:7878', false],
  ['http://localhost:7878', true],
  ['http://127.0.0.1:7878', true],
])('without a server mail says so, and at %s a mailbox is %s', async (baseUrl, hasMailbox) => {
  const none = createMailer({ smtpUrl: undefined, mailFrom: 'shipway@example.com', baseUrl })
  expect([none.isSetUp, none.hasMailbox]).toEqual([false, hasMailbox])
  const mail = { to: 'ada@example.com', subject: 'Hello', text: 'Hello', html: 'Hello' }
  await expect(none.send(mail, { key: 'k', signal: never })).rejects.toThrow('SHIPWAY_SMTP_URL')
})
