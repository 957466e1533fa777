// A user's account at the sign-in provider, as JSON, without issuer and subject.
import type { Identity as Shown } from '@shipway/api/sign-in/provider-sign-in'
import type { z } from 'zod'
import type { Identity } from '../../store/credentials/identities.ts'
import type { Account } from '../../store/people/users.ts'
import { presentTime } from './time.ts'

type IdentityFacts = {
  readonly account: Account
  readonly identity: Identity | undefined
  readonly provider: { readonly name: string } | undefined
}

export const presentIdentity = ({ account, identity, provider }: IdentityFacts): z.input<typeof Shown> => ({
  provider: provider?.name ?? null,
  is_linked: identity !== undefined,
  email: identity?.email ?? null,
  linked_at: identity ? presentTime(identity.createdAt) : null,
  last_used_at: typeof identity?.lastUsedAt === 'number' ? presentTime(identity.lastUsedAt) : null,
  has_password: account.passwordHash !== undefined,
})
