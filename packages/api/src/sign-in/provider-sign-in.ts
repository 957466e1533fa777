// Signing in with an OpenID Connect provider, and linking it to an account.
import { z } from 'zod'
import { Password } from '../people.ts'
import { route } from '../route.ts'
import { Time } from '../values/ids.ts'
import { OneTimeCode } from './second-factor.ts'

export const ProviderRequest = z.object({ url: z.string().describe('Where to send the browser') })

/** What the provider sends the browser back with. More than this is left aside. */
export const ProviderAnswer = z.strictObject({
  state: z.string().min(1, 'The address is not complete. Sign in again').max(200, 'This is no state of ours'),
  code: z.string().max(4096, 'This is too long for a code').optional(),
  iss: z.string().max(500, 'This is too long for an issuer').optional(),
  error: z.string().max(200, 'This is too long for an error').optional(),
})
export type ProviderAnswer = z.infer<typeof ProviderAnswer>

export const Identity = z.object({
  provider: z.string().nullable().describe('What the provider is called; null where none is set up'),
  is_linked: z.boolean(),
  email: z.string().nullable().describe('The address at the provider when the account was linked'),
  linked_at: Time.nullable(),
  last_used_at: Time.nullable(),
  has_password: z.boolean().describe('Without one, the provider is the only way in and cannot be unlinked'),
})
export type Identity = z.infer<typeof Identity>

const own = { permission: 'signed_in', scope: 'none', sessionOnly: true } as const

export const providerSignInRoutes = {
  startProviderSignIn: route({
    method: 'POST',
    path: '/api/provider-sign-ins',
    summary: 'Begin to sign in with the OpenID Connect provider',
    description:
      'Sets a cookie that binds the sign-in to this browser for ten minutes. The provider sends the browser back to `/sign-in/provider`.',
    permission: 'public',
    scope: 'none',
    body: z.strictObject({
      next: z.string().max(2000, 'This address is too long').optional().describe('A path of the dashboard to go on to'),
    }),
    success: 201,
    answer: ProviderRequest,
    errors: ['provider_off', 'provider_failed'],
    guarded: true,
  }),
  redeemProviderSignIn: route({
    method: 'POST',
    path: '/api/provider-sign-ins/redemption',
    summary: 'Sign in, or link the provider, with what it sent the browser back with',
    description:
      'Works once, and only in the browser that began it. Accounts are found by issuer and subject, never by e-mail. A new user gets an ' +
      'account where an open invitation is for the e-mail that the provider has verified, or where the platform lets everybody in.',
    permission: 'public',
    scope: 'none',
    body: ProviderAnswer,
    success: 200,
    answer: z.object({ next: z.string().describe('A path of the dashboard to go on to') }),
    errors: ['provider_off', 'provider_failed', 'provider_refused', 'provider_not_linked', 'link_expired', 'in_use'],
    guarded: true,
  }),
  getIdentity: route({
    method: 'GET',
    path: '/api/me/identity',
    summary: 'Whether you can sign in with the provider',
    description: 'Names the account at the provider that is linked to yours.',
    ...own,
    success: 200,
    answer: Identity,
  }),
  linkIdentity: route({
    method: 'POST',
    path: '/api/me/identity',
    summary: 'Begin to link the provider to your account',
    description: 'Needs the password, and a code if two-factor codes are on: a linked account signs in without both.',
    ...own,
    body: z.strictObject({ password: Password, otp: OneTimeCode.optional() }),
    success: 201,
    answer: ProviderRequest,
    errors: ['invalid_credentials', 'otp_required', 'invalid_otp', 'provider_off', 'provider_failed', 'in_use'],
    guarded: true,
  }),
  unlinkIdentity: route({
    method: 'DELETE',
    path: '/api/me/identity',
    summary: 'Unlink the provider from your account',
    description: 'Refused where you have no password, since you could not sign in any more.',
    ...own,
    success: 204,
    errors: ['last_way_in'],
  }),
}
