// Mail through a real SMTP server, read back as a mail program would.
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createMailer, type Mailer } from './mailer.ts'

type Received = { readonly from: string; readonly recipients: readonly string[]; readonly mail: Email }

const received: Received[] = []
let server: SMTPServer
let mailer: Mailer

beforeAll(async () => {
  server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo: ({ address }, _, done) => done(address.startsWith('refused@') ? new Error('No such mailbox') : undefined),
    onData: (stream, { envelope }, done) => {
      const from = envelope.mailFrom ? envelope.mailFrom.address : ''
      const recipients = envelope.rcptTo.map(({ address }) => address)
      text(stream)
        .then((raw) => PostalMime.parse(raw))
        .then((mail) => void received.push({ from, recipients, mail }))
        .then(() => done(), done)
    },
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const { port } = server.server.address() as AddressInfo
  mailer = createMailer({ smtpUrl: `smtp://127.0.0.1:${port}`, mailFrom: 'Shipway <shipway@example.com>' })
})
beforeEach(() => void received.splice(0))
afterAll(() => new Promise<void>((closed) => server.close(closed)))

test('a mail arrives as plain text, from the set-up sender, to one recipient', async () => {
  const body = 'Héllo\n\n<b>not bold</b> https://ship.example.com/password-reset#token=shw_reset_x\n.\nlast line\n'
  await mailer.send({ to: 'ada@example.com', subject: 'Grüße 🚀', text: body })
  expect(received).toMatchObject([
    {
      from: 'shipway@example.com',
      recipients: ['ada@example.com'],
      mail: {
        subject: 'Grüße 🚀',
        from: { name: 'Shipway', address: 'shipway@example.com' },
        to: [{ address: 'ada@example.com' }],
        attachments: [],
      },
    },
  ])
  expect(received[0]?.mail.html).toBeUndefined()
  expect(received[0]?.mail.text?.replaceAll('\r\n', '\n')).toBe(body)
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
  await mailer.send({ to: 'ada@example.com', subject, text: 'Hello' })
  expect(received).toHaveLength(1)
  expect(received[0]?.recipients).toEqual(['ada@example.com'])
  const names = received[0]?.mail.headers.map(({ key }) => key) ?? []
  expect(names.toSorted()).toEqual([
    'content-transfer-encoding',
    'content-type',
    'date',
    'from',
    'message-id',
    'mime-version',
    'subject',
    'to',
  ])
  expect(received[0]?.mail.text?.trim()).toBe('Hello')
})

test.each([
  'ada@example.com, eve@example.com',
  'ada@example.com;eve@example.com',
  'ada@example.com\r\nBcc: eve@example.com',
  'ada@example.com>\r\nRCPT TO:<eve@example.com',
  'eve@example.com <ada@example.com>',
])('the address %j is one recipient that there is not, and never two', async (to) => {
  await expect(mailer.send({ to, subject: 'Hello', text: 'Hello' })).rejects.toThrow('all recipients were rejected')
  expect(received).toEqual([])
})

test('a mail that the server refuses fails', async () => {
  await expect(mailer.send({ to: 'refused@example.com', subject: 'Hello', text: 'Hello' })).rejects.toThrow(
    'No such mailbox',
  )
})

test('without a server mail says so', async () => {
  const none = createMailer({ smtpUrl: undefined, mailFrom: 'shipway@example.com' })
  expect(none.isSetUp).toBe(false)
  await expect(none.send({ to: 'ada@example.com', subject: 'Hello', text: 'Hello' })).rejects.toThrow(
    'SHIPWAY_SMTP_URL',
  )
})
