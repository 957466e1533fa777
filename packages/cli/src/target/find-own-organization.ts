// The organization that a command is about: the one that --org names, or the only one.
import type { Client } from '@shipway/api'
import { UsageError } from '../command-error.ts'
import type { Context } from '../context.ts'
import { findOrganization } from '../http/find-organization.ts'
import { plainText } from '../terminal/sanitize.ts'
import { listNames } from './find-by-name.ts'

export async function findOwnOrganization(ctx: Context, client: Client): Promise<number> {
  const named = await findOrganization(ctx, client)
  if (named !== undefined) return named
  const { organizations } = await client.getMe()
  const [only, ...others] = organizations
  if (only && others.length === 0) return only.id
  const names = organizations.map(({ name }) => plainText(name))
  throw UsageError('Which organization? Name it with --org', ...listNames('organization', names))
}
