// The mail that carries the link of an invitation.
import type { Role } from '@shipway/api/people'
import type { Secret } from '../secrets/secret.ts'
import { composeMail } from './compose-mail.ts'
import { defang } from './defang.ts'
import type { Mail } from './mailer.ts'

type InvitationMail = {
  readonly to: string
  readonly organization: string
  readonly invitedBy: string
  readonly role: Role
  readonly url: Secret
  readonly expiresAt: number
}

/** The subject holds no user text: a name must not be able to speak for the platform. */
export function invitationMail({ to, organization, invitedBy, role, url, expiresAt }: InvitationMail): Mail {
  const until = new Date(expiresAt).toISOString().slice(0, 16).replace('T', ' ')
  return composeMail({
    to,
    subject: 'Invitation to an organization on Shipway',
    parts: [
      {
        words: `"${defang(invitedBy)}" invites you to the organization "${defang(organization)}", with the role ${role}.`,
      },
      { before: 'To join, open this link:', link: url },
      { words: `It works once, until ${until} UTC. If you expected no invitation, leave it alone.` },
    ],
  })
}
