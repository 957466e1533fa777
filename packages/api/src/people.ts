// Users and their sign-in: set-up, session, personal tokens, password resets.
import { z } from 'zod'
import { IdParams, PageQuery } from './page.ts'
import { addedLater } from './read-other-release.ts'
import { route, SCOPES } from './route.ts'
import { Email } from './values/email.ts'
import { Id, Time } from './values/ids.ts'
import { Name } from './values/name.ts'

export const ROLES = ['viewer', 'member', 'admin', 'owner'] as const
export const Role = z.enum(ROLES)
export type Role = z.infer<typeof Role>

/** How people are named beside a record. */
export const Person = z.object({ id: Id, name: z.string() })
export type Person = z.infer<typeof Person>

export const ScopeName = z.enum(SCOPES)
/** Length alone is checked here; the rules that need the person's name and e-mail are the server's. */
export const Password = z.string().min(1, 'Give a password').max(256, 'A password has at most 256 characters')
export const OneTimeToken = z.string().min(1, 'Give the token of the link').max(200, 'This is not a token of a link')

export const Me = z.object({
  id: Id,
  name: z.string(),
  email: z.string(),
  is_platform_admin: z.boolean(),
  organizations: z.array(z.object({ id: Id, name: z.string(), role: Role })),
  needs_two_factor: addedLater(
    z
      .object({
        by_platform: z.boolean().describe('The platform requires two-factor codes of every user'),
        organizations: z
          .array(z.object({ id: Id, name: z.string(), role: Role }))
          .describe('Those that are hidden until you turn two-factor codes on; they are not among `organizations`'),
      })
      .nullable()
      .describe('What you are locked out of because your account has no two-factor codes; null if nothing is'),
    null,
  ),
  token: z.object({ kind: z.enum(['personal', 'oauth']), scopes: z.array(ScopeName), expires_at: Time }).nullable(),
})
export type Me = z.infer<typeof Me>

export const PersonalToken = z.object({
  id: Id,
  name: z.string(),
  scopes: z.array(ScopeName),
  organization_id: Id.nullable(),
  created_at: Time,
  expires_at: Time,
  last_used_at: Time.nullable(),
})
export type PersonalToken = z.infer<typeof PersonalToken>

export const MyChanges = z.strictObject({
  name: Name.optional(),
  password: z.strictObject({ current: Password, new: Password }).optional(),
})
export type MyChanges = z.infer<typeof MyChanges>

export const FirstUser = z.strictObject({
  token: OneTimeToken,
  name: Name,
  email: Email,
  password: Password,
  organization: Name,
})
export type FirstUser = z.infer<typeof FirstUser>

export const SignIn = z.strictObject({
  email: z.string().max(254, 'This is not an e-mail address'),
  password: Password,
  otp: z
    .string()
    .max(40, 'This is not a code')
    .optional()
    .describe('A code of the authenticator app, or a recovery code, where the user has turned two-factor codes on'),
})
export type SignIn = z.infer<typeof SignIn>

export const NewToken = z.strictObject({
  name: Name,
  scopes: z.array(ScopeName).min(1, 'Choose at least one scope').max(SCOPES.length),
  expires_in_days: z.int().min(1).max(366).default(90),
  organization_id: Id.optional(),
})
export type NewToken = z.infer<typeof NewToken>
/** As it is sent: what has a default may be left out. */
export type NewTokenBody = z.input<typeof NewToken>

export const SetUpState = z.object({
  is_set_up: z.boolean().describe('There is a first user: `POST /api/setup` answers `setup_done`'),
  sends_mail: z
    .boolean()
    .describe('The platform has a mail server. Without one no link to choose a new password is sent'),
  keeps_mail: z
    .boolean()
    .describe(
      'Mails are not sent, and are kept to be read by platform administrators: only this machine reaches the platform',
    ),
  sign_in_provider: z
    .string()
    .nullable()
    .describe('What the provider to sign in with is called; null where none is set up'),
})
export type SetUpState = z.infer<typeof SetUpState>

export const peopleRoutes = {
  getMe: route({
    method: 'GET',
    path: '/api/me',
    summary: 'The current user, the organizations, and the token in use',
    description: 'The one endpoint that leaves X-Service-Organization aside: it lists what the header can name.',
    permission: 'signed_in',
    scope: 'none',
    success: 200,
    answer: Me,
  }),
  updateMe: route({
    method: 'PATCH',
    path: '/api/me',
    summary: 'Change your name or password',
    description: 'A new password needs the current one, and ends every other session and every OAuth sign-in.',
    permission: 'signed_in',
    scope: 'admin',
    body: MyChanges,
    success: 200,
    answer: Me,
    errors: ['invalid_credentials'],
    guarded: true,
  }),
  getSetUp: route({
    method: 'GET',
    path: '/api/setup',
    summary: 'What the pages around signing in need to know',
    description:
      'Says whether the platform is set up, whether it sends mail, and how users sign in. Contains nothing about users.',
    permission: 'public',
    scope: 'none',
    success: 200,
    answer: SetUpState,
  }),
  setUp: route({
    method: 'POST',
    path: '/api/setup',
    summary: 'Make the first user, a platform administrator, and the first organization',
    description: 'Takes the token of the set-up link that the server prints on its first start. Works once.',
    permission: 'public',
    scope: 'none',
    body: FirstUser,
    success: 201,
    answer: Me,
    errors: ['setup_done', 'invalid_token'],
    guarded: true,
  }),
  signIn: route({
    method: 'POST',
    path: '/api/session',
    summary: 'Sign in to the dashboard with a cookie',
    description:
      'Where the user has turned two-factor codes on, a right password without `otp` is answered with `otp_required`. Send the same ' +
      'once more with the code. Each code works once.',
    permission: 'public',
    scope: 'none',
    body: SignIn,
    success: 201,
    answer: Me,
    errors: ['invalid_credentials', 'otp_required', 'invalid_otp'],
    guarded: true,
  }),
  signOut: route({
    method: 'DELETE',
    path: '/api/session',
    summary: 'Sign out, here or everywhere',
    description:
      'Ends the session of the cookie, or the token that the call came with. `{"everywhere": true}` ends every session ' +
      'and every OAuth sign-in of the user instead, and needs the scope `admin`; personal tokens stay.',
    permission: 'signed_in',
    scope: 'none',
    body: z.strictObject({ everywhere: z.boolean().optional() }).optional(),
    success: 204,
    errors: ['insufficient_scope'],
  }),
  listTokens: route({
    method: 'GET',
    path: '/api/tokens',
    summary: 'Your personal tokens, without the tokens themselves',
    description: 'The token itself is shown only when it is created.',
    permission: 'signed_in',
    scope: 'admin',
    query: PageQuery,
    success: 200,
    answer: z.array(PersonalToken),
  }),
  createToken: route({
    method: 'POST',
    path: '/api/tokens',
    summary: 'Make a personal token; it is shown this once',
    description: 'A token can be bound to one organization, and cannot carry more than the caller has.',
    permission: 'signed_in',
    scope: 'admin',
    body: NewToken,
    success: 201,
    answer: PersonalToken.extend({ token: z.string() }),
    errors: ['insufficient_scope'],
  }),
  deleteToken: route({
    method: 'DELETE',
    path: '/api/tokens/{id}',
    summary: 'Revoke a personal token',
    description: 'Calls with it are refused from then on.',
    permission: 'signed_in',
    scope: 'admin',
    params: IdParams,
    success: 204,
  }),
  requestPasswordReset: route({
    method: 'POST',
    path: '/api/password-resets',
    summary: 'Send a link to choose a new password',
    description: 'Answers the same whether the address is known or not.',
    permission: 'public',
    scope: 'none',
    body: z.strictObject({ email: Email }),
    success: 202,
    guarded: true,
  }),
  resetPassword: route({
    method: 'POST',
    path: '/api/password-resets/redemption',
    summary: 'Choose a new password with the token of the link',
    description: 'Ends every session and every OAuth sign-in of the user. Two-factor codes stay on.',
    permission: 'public',
    scope: 'none',
    body: z.strictObject({ token: OneTimeToken, password: Password }),
    success: 204,
    errors: ['link_expired'],
    guarded: true,
  }),
}
