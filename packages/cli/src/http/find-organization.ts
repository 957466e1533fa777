// The id of the organization that requests are limited to.
import type { Client } from '@shipway/api'
import type { Context } from '../context.ts'
import { findByName, readId } from '../target/find-by-name.ts'

/** Undefined if none was named. */
export async function findOrganization(
  { flags, config }: Pick<Context, 'flags' | 'config'>,
  client: Pick<Client, 'getMe'>,
): Promise<number | undefined> {
  const named = flags.org ?? config.organization
  if (named === undefined) return undefined
  return readId(named) ?? findByName('organization', named, (await client.getMe()).organizations).id
}
