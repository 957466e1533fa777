// A real SMTP server on this machine: what arrives is read as a mail program reads it.
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'

type Received = { readonly from: string; readonly recipients: readonly string[]; readonly mail: Email }

export type MailServer = {
  readonly url: string
  readonly received: readonly Received[]
  /** What it answers to mails from now on, where it takes them no longer. */
  refuse(answer: { readonly code: number; readonly message: string } | undefined): void
  close(): Promise<void>
}

/** Refuses every address that begins with `refused@`. */
export async function startMailServer(): Promise<MailServer> {
  const received: Received[] = []
  let refusal: Error | undefined
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo: ({ address }, _, done) => done(address.startsWith('refused@') ? new Error('No such mailbox') : undefined),
    onData: (stream, { envelope }, done) => {
      const from = envelope.mailFrom ? envelope.mailFrom.address : ''
      const recipients = envelope.rcptTo.map(({ address }) => address)
      text(stream)
        .then(async (raw) => {
          if (refusal) throw refusal
          received.push({ from, recipients, mail: await PostalMime.parse(raw) })
        })
        .then(() => done(), done)
    },
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const { port } = server.server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
    refuse: (answer) => {
      refusal = answer && Object.assign(new Error(answer.message), { responseCode: answer.code })
    },
    close: () => new Promise((closed) => server.close(closed)),
  }
}
