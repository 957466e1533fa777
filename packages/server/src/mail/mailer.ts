// Sends mail through the configured SMTP server, if there is one.
import { connect, type Socket } from 'node:net'
import { reachOf } from '@shipway/api/values/reach'
import type { Config } from '../config.ts'

export type Mail = { readonly to: string; readonly subject: string; readonly text: string; readonly html: string }

/** `key`: the same for each attempt at one mail, so that mail programs show a second delivery of it once. */
type SendOptions = { readonly key: string; readonly signal: AbortSignal }

export type Mailer = {
  /** False if no SMTP server is set up; `send` then fails. */
  readonly isSetUp: boolean
  /** Without SMTP, on a platform that only its own machine reaches: mails are kept for platform administrators to read. */
  readonly hasMailbox: boolean
  send(mail: Mail, sending: SendOptions): Promise<void>
}

export function createMailer({ smtpUrl, mailFrom, baseUrl }: Pick<Config, 'smtpUrl' | 'mailFrom' | 'baseUrl'>): Mailer {
  if (smtpUrl === undefined) {
    return {
      isSetUp: false,
      hasMailbox: reachOf(baseUrl) === 'this machine',
      send: () => Promise.reject(new Error('No mail is set up: SHIPWAY_SMTP_URL is absent')),
    }
  }
  return {
    isSetUp: true,
    hasMailbox: false,
    send: async ({ to, subject, text, html }, { key, signal }) => {
      // Mail is rare and the library large: loaded with the first mail.
      const { createTransport } = await import('nodemailer')
      const limit = AbortSignal.any([signal, AbortSignal.timeout(SEND_LIMIT_MS)])
      const transport = createTransport({ url: smtpUrl, ...TIME_LIMITS, getSocket: smtpSocket(limit) })
      try {
        await transport.sendMail({
          from: mailFrom,
          to: { name: '', address: to },
          subject: headerText(subject),
          text,
          html,
          messageId: `<${key}@${new URL(baseUrl).hostname}>`,
          headers: { 'Auto-Submitted': 'auto-generated' },
          // Mails consist of text: the library must not fetch or read anything for them.
          disableFileAccess: true,
          disableUrlAccess: true,
        })
      } catch (error) {
        throw isRefusal(error) ? new MailRefused({ cause: error }) : error
      }
    },
  }
}

const TIME_LIMITS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 } as const

/** Limit of one attempt, whatever the server does. Much shorter than the lease of a mail. */
const SEND_LIMIT_MS = 60_000

type SocketOptions = {
  readonly host?: string | undefined
  readonly port?: number | string | undefined
  readonly secure?: boolean | undefined
}
type SocketCallback = (error: Error | null, opened: { readonly connection: Socket } | false) => void

/** The SMTP connection, which the sender can cut: the library's own timeouts start again with each byte from the server. */
function smtpSocket(signal: AbortSignal): (options: SocketOptions, callback: SocketCallback) => void {
  return ({ host = 'localhost', port, secure }, callback) => {
    const socket = connect({ host, port: Number(port ?? (secure ? PORTS.secure : PORTS.plain)) })
    const cut = (): void => void socket.destroy(new Error('The mail server took too long'))
    if (signal.aborted) cut()
    signal.addEventListener('abort', cut)
    socket.once('close', () => signal.removeEventListener('abort', cut))
    const fail = (error: Error): void => callback(error, false)
    socket.once('error', fail)
    socket.once('connect', () => {
      socket.off('error', fail)
      callback(null, { connection: socket })
    })
  }
}

const PORTS = { secure: 465, plain: 587 } as const

const headerText = (text: string): string => text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')

/** The receiver or the mail itself was refused for good. A refused sign-in or sender is a matter of the settings, and tried again. */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof Error && 'code' in error && 'responseCode' in error)) return false
  const isOfMail = error.code === 'EMESSAGE' || (error.code === 'EENVELOPE' && !isAboutSender(error))
  return isOfMail && Number(error.responseCode) >= 500
}

const isAboutSender = (error: Error): boolean => 'command' in error && error.command === 'MAIL FROM'

/** The mail server has refused a mail for good: a retry would change nothing. */
export class MailRefused extends Error {
  override readonly name = 'MailRefused'

  constructor({ cause }: { readonly cause: unknown }) {
    super(cause instanceof Error ? cause.message : 'The mail server refused it', { cause })
  }
}
