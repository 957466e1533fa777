// Records when a session or token was last used, at most once a minute, so that reads stay cheap.
import type { Context } from '../../context.ts'
import type { FoundCredential } from '../../store/credentials/credentials.ts'
import { updatePersonalTokenUse } from '../../store/credentials/personal-tokens.ts'
import { updateSessionUse } from '../../store/credentials/sessions.ts'

const MINUTE_MS = 60_000

export async function touchCredential(ctx: Context, { credential, lastUsedAt }: FoundCredential): Promise<void> {
  const now = ctx.clock()
  if (lastUsedAt !== null && now - lastUsedAt < MINUTE_MS) return
  if (credential.kind === 'personal') await updatePersonalTokenUse(ctx.db, credential.id, now)
  if (credential.kind === 'session') await updateSessionUse(ctx.db, credential.id, now)
}
