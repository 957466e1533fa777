// Mails as the background work sends them: as soon as there is one, and without a stop that waits for a silent mail server.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { databases } from '../../../test/databases.ts'
import { type MailServer, startMailServer } from '../../../test/mail/mail-server.ts'
import { listenSilently } from '../../../test/silent-listener.ts'
import { stageApp } from '../../../test/stage/stage-app.ts'
import type { Context } from '../../context.ts'
import { PLATFORM } from '../../domain/people/actor.ts'
import { createMailer } from '../../mail/mailer.ts'
import { allowMail } from '../../operations/people/allow-mail.ts'
import { sendMails } from './send-mails.ts'

const [source] = databases
if (!source) throw new Error('There is no database to test on')
const app = stageApp(source)
let server: MailServer

beforeAll(async () => {
  server = await startMailServer()
})
afterAll(() => server.close())

const throughServer = (smtpUrl: string): Context => ({ ...app.ctx, mail: createMailer({ ...app.ctx.config, smtpUrl }) })
const queue = (ctx: Context, to: string) =>
  ctx.change(PLATFORM, async (tx) =>
    (await allowMail(ctx, tx, { kind: 'transfer', to }))?.queue({ to, subject: 'x', text: 'x', html: 'x' }),
  )
const rows = () => app.ctx.db.selectFrom('mails').select(['attempts', 'last_error']).execute()

test('a mail goes out when the loop is woken, and nothing of it is left', async () => {
  const ctx = throughServer(server.url)
  const loop = sendMails(ctx, { everyMs: 600_000, restMs: 0 })
  loop.start()
  await queue(ctx, 'ada@example.com')
  await loop.run()
  await loop.stop()
  expect(server.received.map(({ recipients }) => recipients)).toEqual([['ada@example.com']])
  expect(await rows()).toEqual([])
})

test('a stop cuts a mail server that says nothing, and the mail is tried again later', async () => {
  const silent = await listenSilently()
  const ctx = throughServer(`smtp://127.0.0.1:${silent.port}`)
  await queue(ctx, 'waiting@example.com')
  const loop = sendMails(ctx, { everyMs: 600_000, restMs: 0 })
  loop.start()
  await expect.poll(() => silent.accepted()).toBe(1)
  await loop.stop()
  expect(await rows()).toEqual([{ attempts: 1, last_error: expect.any(String) }])
  await silent.stop()
})
