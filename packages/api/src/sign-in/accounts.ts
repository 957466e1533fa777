// Accounts as a whole: found and deleted by a platform administrator, and one's own deleted by oneself.
import { z } from 'zod'
import { IdParams, PageQuery } from '../page.ts'
import { Password, Person, Role } from '../people.ts'
import { addedLater } from '../read-other-release.ts'
import { route } from '../route.ts'
import { Email } from '../values/email.ts'
import { Id, Time } from '../values/ids.ts'
import { OneTimeCode } from './second-factor.ts'

export const Account = z.object({
  id: Id,
  name: z.string(),
  email: z.string(),
  is_platform_admin: z.boolean(),
  organizations: z.array(z.object({ id: Id, name: z.string(), role: Role })),
  created_at: addedLater(Time.describe('When the account was made'), '1970-01-01T00:00:00.000Z'),
  has_two_factor: addedLater(
    z.boolean().describe('Two-factor codes are on, or the account has no password and signs in with the provider'),
    false,
  ),
})
export type Account = z.infer<typeof Account>

export const OrganizationSummary = z.object({
  id: Id,
  name: z.string(),
  owners: z.array(Person),
  member_count: z.int(),
  project_count: z.int(),
  server_count: z.int(),
  created_at: Time,
})
export type OrganizationSummary = z.infer<typeof OrganizationSummary>

const NewOwner = Id.optional().describe(
  'Who owns what this person owned in an organization of both. Needed where protected environments are among it; else an owner ' +
    'of the organization takes over',
)

const DELETION =
  'Sessions, tokens and ssh certificates end at once, and what the user owned gets another owner. The name stays in ' +
  'the audit log and beside deployments. Refused for the last owner of an organization and for the last ' +
  'platform administrator.'

export const accountRoutes = {
  findAccounts: route({
    method: 'GET',
    path: '/api/users',
    summary: 'All accounts, newest first; with `email` the one with this address, if there is one',
    description: 'With `email` it is a list of one account, or an empty one. Case does not matter there.',
    permission: 'platform_admin',
    scope: 'admin',
    query: PageQuery.extend({ email: Email.optional() }),
    success: 200,
    answer: z.array(Account),
  }),
  listAllOrganizations: route({
    method: 'GET',
    path: '/api/platform/organizations',
    summary: 'All organizations of the installation, newest first',
    description: 'Names, owners and counts. What is in an organization is for its members alone.',
    permission: 'platform_admin',
    scope: 'admin',
    query: PageQuery,
    success: 200,
    answer: z.array(OrganizationSummary),
  }),
  deleteUser: route({
    method: 'DELETE',
    path: '/api/users/{id}',
    summary: 'Delete an account',
    description: DELETION,
    permission: 'platform_admin',
    scope: 'admin',
    params: IdParams,
    body: z.strictObject({ new_owner_id: NewOwner }).optional(),
    success: 204,
    errors: ['last_owner', 'new_owner_needed'],
  }),
  deleteMe: route({
    method: 'DELETE',
    path: '/api/me',
    summary: 'Delete your own account',
    description: `With your password, and a code where you have turned two-factor codes on. ${DELETION}`,
    permission: 'signed_in',
    scope: 'none',
    sessionOnly: true,
    body: z.strictObject({ password: Password, otp: OneTimeCode.optional(), new_owner_id: NewOwner }),
    success: 204,
    errors: ['invalid_credentials', 'last_owner', 'new_owner_needed'],
    guarded: true,
  }),
}
