import { expect, test } from 'vitest'
import { Secret } from '../secrets/secret.ts'
import { invitationMail } from './invitation.ts'

const invitation = {
  to: 'anna@example.com',
  organization: 'Acme Inc.',
  invitedBy: 'Ben',
  role: 'member',
  url: new Secret('https://ship.example.com/invitation#token=shw_invite_x'),
  expiresAt: Date.parse('2026-01-09T03:04:05Z'),
} as const

test('the mail says who invites to what, and how long the link works', () => {
  expect(invitationMail(invitation)).toMatchObject({
    to: 'anna@example.com',
    subject: 'Invitation to an organization on Shipway',
    text:
      '"Ben" invites you to the organization "Acme Inc.", with the role member.\n\nTo join, open this link:\n' +
      'https://ship.example.com/invitation#token=shw_invite_x\n\n' +
      'It works once, until 2026-01-09 03:04 UTC. If you expected no invitation, leave it alone.\n',
  })
})

test.each([
  ['an address', 'Click https://evil.example to accept', 'Click https[:]//evil[.]example to accept'],
  ['a host name', 'www.evil.example', 'www[.]evil[.]example'],
  ['another e-mail', 'ben@evil.example', 'ben@evil[.]example'],
  ['another scheme', 'javascript://x', 'javascript[:]//x'],
  ['more lines', 'Acme\r\nBcc: x\u2028\u0085y', 'Acme Bcc: x y'],
  ['text turned around', '\u202e\u2066evil', 'evil'],
  ['markup', '<a href="x">&amp;</a>', '<a href="x">&amp;</a>'],
])('a name with %s is text that nothing makes a link of', (_what, name, shown) => {
  for (const field of ['organization', 'invitedBy'] as const) {
    const { text, subject, to } = invitationMail({ ...invitation, [field]: name })
    expect(text).toContain(`"${shown}"`)
    expect(text.match(/:\/\//g)).toHaveLength(1)
    expect(text.split('\n')).toHaveLength(7)
    expect([subject, to]).toEqual(['Invitation to an organization on Shipway', 'anna@example.com'])
  }
})
