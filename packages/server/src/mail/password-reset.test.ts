import { expect, test } from 'vitest'
import { Secret } from '../secrets/secret.ts'
import { passwordResetMail } from './password-reset.ts'

test('the mail says what it is for, holds the link on a line of its own, and what to do without it', () => {
  const link = new Secret('https://ship.example.com/password-reset#token=shw_reset_x')
  expect(passwordResetMail({ to: 'ada@example.com', baseUrl: 'https://ship.example.com', link })).toMatchObject({
    to: 'ada@example.com',
    subject: 'Choose a new password',
    text: `A new password was requested, most likely by you, for your account at https://ship.example.com.

Choose it here within one hour. The link works once:
https://ship.example.com/password-reset#token=shw_reset_x

If it was not you, do nothing: your password stays as it is.
`,
  })
})
