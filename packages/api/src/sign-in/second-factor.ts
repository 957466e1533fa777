// Two-factor codes: turning them on and off, and what to do when the device is lost.
import { z } from 'zod'
import { Password } from '../people.ts'
import { addedLater } from '../read-other-release.ts'
import { route } from '../route.ts'
import { Email } from '../values/email.ts'
import { Time } from '../values/ids.ts'

/** Six digits, or a recovery code; blanks and hyphens do not count. */
export const OneTimeCode = z.string().min(1, 'Give the code of your app').max(40, 'This is not a code')

export const SecondFactor = z.object({
  is_on: z.boolean().describe('Signing in with the password asks for a code, too'),
  on_since: Time.nullable(),
  recovery_codes_left: z.number().int(),
})
export type SecondFactor = z.infer<typeof SecondFactor>

export const NewSecondFactor = z.object({
  secret: z.string().describe('In base32, for apps that are typed into. Shown this once'),
  uri: z.string().describe('The same as `otpauth://` address, for a QR code'),
  expires_at: Time.describe('Until then it can be confirmed'),
})
export type NewSecondFactor = z.infer<typeof NewSecondFactor>

export const RecoveryCodes = z.object({
  recovery_codes: z.array(z.string()).describe('Each works once in place of a code. Shown this once'),
})
export type RecoveryCodes = z.infer<typeof RecoveryCodes>

export const FirstRecoveryCodes = RecoveryCodes.extend({
  ended_sessions: addedLater(z.number().int().describe('How many other sessions of the dashboard ended'), 0),
})

export const SecondFactorProof = z.strictObject({ password: Password, otp: OneTimeCode })

/** The holder of a token must not be able to lock its owner out. */
const own = { permission: 'signed_in', scope: 'none', sessionOnly: true } as const

export const secondFactorRoutes = {
  getSecondFactor: route({
    method: 'GET',
    path: '/api/me/second-factor',
    summary: 'Whether signing in as you takes a code beside the password',
    description: 'Also tells how many recovery codes are left.',
    ...own,
    success: 200,
    answer: SecondFactor,
  }),
  startSecondFactor: route({
    method: 'POST',
    path: '/api/me/second-factor',
    summary: 'Make a secret for an authenticator app',
    description:
      'Nothing is asked for until a code has confirmed it. A secret that was not confirmed is replaced. Codes are those of RFC 6238 ' +
      'with SHA-1, six digits and 30 seconds.',
    ...own,
    body: z.strictObject({ password: Password }),
    success: 201,
    answer: NewSecondFactor,
    errors: ['invalid_credentials', 'second_factor_on'],
    guarded: true,
  }),
  confirmSecondFactor: route({
    method: 'POST',
    path: '/api/me/second-factor/confirmation',
    summary: 'Turn two-factor codes on with a first code',
    description:
      'From now on signing in with the password takes a code of the app, or one of the recovery codes. Your other sessions and sign-ins of ' +
      'the command line end, because they needed no code. Personal tokens stay. You are notified by mail.',
    ...own,
    body: z.strictObject({ otp: OneTimeCode }),
    success: 200,
    answer: FirstRecoveryCodes,
    errors: ['invalid_otp', 'second_factor_on', 'second_factor_off'],
    guarded: true,
  }),
  renewRecoveryCodes: route({
    method: 'POST',
    path: '/api/me/second-factor/recovery-codes',
    summary: 'Make ten new recovery codes; earlier ones stop working',
    description: 'Needs your password and a current code. The codes are shown this once.',
    ...own,
    body: SecondFactorProof,
    success: 201,
    answer: RecoveryCodes,
    errors: ['invalid_credentials', 'invalid_otp', 'second_factor_off'],
    guarded: true,
  }),
  stopSecondFactor: route({
    method: 'DELETE',
    path: '/api/me/second-factor',
    summary: 'Turn two-factor codes off',
    description: 'Needs the password and a code. A new password by mail does not turn them off.',
    ...own,
    body: SecondFactorProof,
    success: 204,
    errors: ['invalid_credentials', 'invalid_otp', 'second_factor_off'],
    guarded: true,
  }),
  removeSecondFactor: route({
    method: 'POST',
    path: '/api/second-factor-removals',
    summary: 'Turn two-factor codes off for a user who has lost device and recovery codes',
    description:
      'For platform administrators. Confirm who is asking: from then on the password alone signs that user in. The user is notified by ' +
      'mail, and the audit log keeps it.',
    permission: 'platform_admin',
    scope: 'none',
    sessionOnly: true,
    body: z.strictObject({ email: Email }),
    success: 204,
    guarded: true,
  }),
}
