// Sends mail through the SMTP server of the settings, or says that there is none.
import type { Config } from '../config.ts'

export type Mail = { readonly to: string; readonly subject: string; readonly text: string }

export type Mailer = {
  /** False where no SMTP server is set up; `send` then fails. */
  readonly isSetUp: boolean
  send(mail: Mail): Promise<void>
}

export function createMailer({ smtpUrl, mailFrom }: Pick<Config, 'smtpUrl' | 'mailFrom'>): Mailer {
  if (smtpUrl === undefined) {
    return { isSetUp: false, send: () => Promise.reject(new Error('No mail is set up: SHIPWAY_SMTP_URL is absent')) }
  }
  return {
    isSetUp: true,
    // Plain text only: a name that looks like a link or like markup stays what it is.
    send: async ({ to, subject, text }) => {
      // Mail is rare, and the library large: it is loaded for the first.
      const { createTransport } = await import('nodemailer')
      const transport = createTransport({ url: smtpUrl, ...TIME_LIMITS })
      await transport.sendMail({ from: mailFrom, to: { name: '', address: to }, subject: oneLine(subject), text })
    },
  }
}

const TIME_LIMITS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 } as const

const oneLine = (text: string): string => text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
