// The user name and password for visitors. The password is typed or piped in, so that no other user sees it.
import type { BasicAuth } from '@shipway/api'
import type { Context } from '../context.ts'
import { readValues } from '../variables/read-assignments.ts'

/** `none` removes it. */
export async function readBasicAuth(ctx: Context, user: string | undefined): Promise<BasicAuth | null | undefined> {
  if (user === undefined || user === 'none') return user === undefined ? undefined : null
  const [[, password] = ['', '']] = await readValues(ctx, [`password of ${user}`])
  return { username: user, password }
}
