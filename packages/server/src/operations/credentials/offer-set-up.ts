// Prints the one-time set-up link while there is no user. Each start makes a new link and invalidates the previous one.
import type { Context } from '../../context.ts'
import { Secret } from '../../secrets/secret.ts'
import { newToken } from '../../secrets/token.ts'
import { countUsers } from '../../store/people/users.ts'
import { updateSetting } from '../../store/settings.ts'

export async function offerSetUp(ctx: Context): Promise<Secret | undefined> {
  if (await isSetUp(ctx)) return undefined
  const { token, digest } = newToken('shw_setup_')
  await updateSetting(ctx.db, 'setup_token_digest', digest)
  // After the #, so that it is never sent in a request and never lands in a log.
  return new Secret(`${ctx.config.baseUrl}/setup#token=${token.reveal()}`)
}

export async function isSetUp(ctx: Pick<Context, 'db'>): Promise<boolean> {
  return (await countUsers(ctx.db)) > 0
}
