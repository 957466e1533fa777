// Mails about alerts and their end. Subjects are constant: no user text can speak for the platform.

import { composeMail } from './compose-mail.ts'
import { defang } from './defang.ts'
import type { Mail } from './mailer.ts'

export type AlertMail =
  | { readonly kind: 'server_unreachable'; readonly server: string; readonly since: number }
  | { readonly kind: 'disk_low'; readonly server: string; readonly freeBytes: number; readonly totalBytes: number }
  | {
      readonly kind: 'certificate_ending'
      readonly project: string
      readonly domain: string | null
      readonly until: number
    }
  | { readonly kind: 'backup_failed'; readonly reason: string }

type Wording = { readonly subject: string; readonly words: string; readonly advice: string }

export function alertMail(to: string, alert: AlertMail, link: string): Mail {
  const { subject, words, advice } = wrong(alert)
  return composeMail({ to, subject, parts: [{ words }, { words: advice }, { before: 'See:', link }] })
}

export function alertOverMail(to: string, alert: AlertMail, link: string): Mail {
  const { subject, words } = over(alert)
  return composeMail({ to, subject, parts: [{ words }, { before: 'See:', link }] })
}

function wrong(alert: AlertMail): Wording {
  switch (alert.kind) {
    case 'server_unreachable':
      return {
        subject: 'A server is out of reach',
        words: `The platform has not reached the server "${defang(alert.server)}" since ${timeOf(alert.since)}.`,
        advice:
          'What runs there may still run. Deployments to it fail until it answers again; you are told when it does.',
      }
    case 'disk_low':
      return {
        subject: 'The disk of a server is almost full',
        words: `The server "${defang(alert.server)}" has ${gigabytesOf(alert.freeBytes)} of ${gigabytesOf(alert.totalBytes)} left.`,
        advice: 'Deployments that build images fail once there is too little. Free some, or enlarge the disk.',
      }
    case 'certificate_ending':
      return {
        subject: 'A certificate is about to end',
        words: `The certificate of ${certificateOf(alert)} ends on ${timeOf(alert.until)}.`,
        advice:
          alert.domain === null
            ? 'Supply a new one in the settings of the project. Visitors are warned by their browsers afterwards.'
            : 'It could not be renewed so far. The settings of the project say why.',
      }
    case 'backup_failed':
      return {
        subject: 'The backup of the platform failed',
        words: `The last backup failed: ${defang(alert.reason)}`,
        advice: 'Until one succeeds, the last good one is older than you expect. The log of the platform says more.',
      }
  }
}

function over(alert: AlertMail): Omit<Wording, 'advice'> {
  switch (alert.kind) {
    case 'server_unreachable':
      return {
        subject: 'A server answers again',
        words: `The platform reaches the server "${defang(alert.server)}" again.`,
      }
    case 'disk_low':
      return {
        subject: 'The disk of a server has room again',
        words: `The server "${defang(alert.server)}" has ${gigabytesOf(alert.freeBytes)} of ${gigabytesOf(alert.totalBytes)} left.`,
      }
    case 'certificate_ending':
      return {
        subject: 'A certificate was renewed',
        words: `The certificate of ${certificateOf(alert)} is valid until ${timeOf(alert.until)}.`,
      }
    case 'backup_failed':
      return { subject: 'The backup of the platform works again', words: 'The last backup succeeded.' }
  }
}

const certificateOf = ({ project, domain }: { readonly project: string; readonly domain: string | null }): string =>
  `${domain === null ? 'all domains' : defang(domain)} of the project "${defang(project)}"`

const timeOf = (milliseconds: number): string =>
  `${new Date(milliseconds).toISOString().slice(0, 16).replace('T', ' ')} UTC`

const gigabytesOf = (bytes: number): string => `${(bytes / 1024 ** 3).toFixed(1)} GiB`
