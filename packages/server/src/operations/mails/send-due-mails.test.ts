// The queue of mails with a real SMTP server: what fails is tried again, what is too old is given up, and nothing is sent twice.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { databases } from '../../../test/databases.ts'
import { type MailServer, startMailServer } from '../../../test/mail/mail-server.ts'
import { stageApp } from '../../../test/stage/stage-app.ts'
import type { Context } from '../../context.ts'
import { PLATFORM } from '../../domain/people/actor.ts'
import { createMailer } from '../../mail/mailer.ts'
import { findMailState } from '../../store/mails/mail-state.ts'
import { allowMail } from '../people/allow-mail.ts'
import { forgetMails } from './forget-mails.ts'
import { sendDueMails } from './send-due-mails.ts'

const never = new AbortController().signal
const always = { signal: never, cut: never }

describe.each(databases)('the queue of mails on $name', (source) => {
  const app = stageApp(source)
  let server: MailServer
  let ctx: Context
  let earlier = 0

  beforeAll(async () => {
    server = await startMailServer()
    ctx = { ...app.ctx, mail: createMailer({ ...app.ctx.config, smtpUrl: server.url }) }
  })
  beforeEach(async () => {
    earlier = server.received.length
    await app.ctx.db.deleteFrom('mails').execute()
  })
  afterAll(() => server.close())

  const queue = (to: string, text = 'Hello') =>
    ctx.change(PLATFORM, async (tx) =>
      (await allowMail(ctx, tx, { kind: 'transfer', to }))?.queue({
        to,
        subject: 'Hello',
        text,
        html: `<p>${text}</p>`,
      }),
    )
  const rows = () => ctx.db.selectFrom('mails').selectAll().execute()
  const makeDue = () => ctx.db.updateTable('mails').set({ next_at: 0 }).execute()
  const arrived = () => server.received.slice(earlier).flatMap(({ recipients }) => recipients)

  test('a mail stands sealed until it is sent, and not at all afterwards', async () => {
    await queue('ada@example.com', 'token=shw_reset_secret')
    expect(JSON.stringify(await rows())).not.toMatch(/ada@|shw_reset|Hello/)
    await sendDueMails(ctx, always)
    expect([arrived(), await rows()]).toEqual([['ada@example.com'], []])
  })

  test('what is taken back takes its mail with it', async () => {
    const failed = ctx.change(PLATFORM, async (tx) => {
      const mail = await allowMail(ctx, tx, { kind: 'transfer', to: 'ada@example.com' })
      await mail?.queue({ to: 'ada@example.com', subject: 'x', text: 'x', html: 'x' })
      throw new Error('It did not come to pass')
    })
    await expect(failed).rejects.toThrow('did not come to pass')
    expect(await rows()).toEqual([])
  })

  test('a mail server that is busy is tried again later, and then has the mail once', async () => {
    await queue('busy@example.com')
    server.refuse({ code: 451, message: 'Busy with token=shw_reset_secret' })
    await sendDueMails(ctx, always)
    await sendDueMails(ctx, always)
    const [row] = await rows()
    expect(row).toMatchObject({ attempts: 1, given_up_at: null, last_error: expect.stringContaining('[hidden]') })
    expect(await findMailState(ctx.db)).toMatchObject({ waiting: 1, retrying: 1, givenUp: 0 })
    server.refuse(undefined)
    await makeDue()
    await sendDueMails(ctx, always)
    expect([arrived(), await rows()]).toEqual([['busy@example.com'], []])
  })

  test('a mail that cannot be sent in time is given up: its text is deleted, and the failure shown for a week', async () => {
    await queue('late@example.com')
    await ctx.db.updateTable('mails').set({ expires_at: 1, last_error: 'It was busy' }).execute()
    await sendDueMails(ctx, always)
    expect(await rows()).toMatchObject([{ mail_sealed: null, last_error: 'It was busy' }])
    expect(await findMailState(ctx.db)).toMatchObject({ waiting: 0, givenUp: 1, lastError: 'It was busy' })
    await makeDue()
    await sendDueMails(ctx, always)
    expect(arrived()).toEqual([])
    await forgetMails(ctx)
    expect(await rows()).toHaveLength(1)
    await ctx.db
      .updateTable('mails')
      .set({ given_up_at: Date.now() - 8 * 86_400_000 })
      .execute()
    await forgetMails(ctx)
    expect(await rows()).toEqual([])
  })

  test('one whose receiver is refused for good is given up at once, and holds up no other', async () => {
    await queue('refused@example.com')
    await queue('next@example.com')
    await sendDueMails(ctx, always)
    expect(arrived()).toEqual(['next@example.com'])
    expect(await rows()).toMatchObject([{ attempts: 1, mail_sealed: null, given_up_at: expect.any(Number) }])
  })

  test('several processes at once send each mail once', async () => {
    const receivers = Array.from({ length: 30 }, (_, number) => `crowd${number}@example.com`)
    for (const to of receivers) await queue(to)
    await Promise.all([1, 2, 3].map(() => sendDueMails(ctx, always)))
    expect(arrived().toSorted()).toEqual(receivers.toSorted())
    expect(new Set(server.received.slice(earlier).map(({ mail }) => mail.messageId)).size).toBe(30)
  })

  test('a process that died with a mail in its hands leaves it to the next one', async () => {
    await queue('orphan@example.com')
    const hangs = { ...ctx, mail: { ...ctx.mail, send: () => new Promise<never>(() => undefined) } }
    // One at a time: another of its own could take the mail once it is due again.
    void sendDueMails(hangs, { ...always, atOnce: 1 })
    await expect.poll(async () => (await rows())[0]?.attempts).toBe(1)
    await sendDueMails(ctx, always)
    expect(arrived()).toEqual([])
    await makeDue()
    await sendDueMails(ctx, always)
    expect(arrived()).toEqual(['orphan@example.com'])
  })

  test('after a stop no further mail is begun', async () => {
    await queue('stopped@example.com')
    const stop = new AbortController()
    stop.abort()
    await sendDueMails(ctx, { signal: stop.signal, cut: never })
    expect([arrived(), (await rows()).length]).toEqual([[], 1])
  })
})
