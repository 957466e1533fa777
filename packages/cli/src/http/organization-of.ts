// The organization that calls stay within.
import type { Client } from '@shipway/api'
import type { Context } from '../context.ts'
import { chooseNamed, readId } from '../target/choose-named.ts'

/** Undefined where none was named. */
export async function organizationOf(
  { flags, config }: Pick<Context, 'flags' | 'config'>,
  client: Pick<Client, 'getMe'>,
): Promise<number | undefined> {
  const named = flags.org ?? config.organization
  if (named === undefined) return undefined
  return readId(named) ?? chooseNamed('organization', named, (await client.getMe()).organizations).id
}
