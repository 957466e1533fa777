// The platform's own certificate authority: made at the first start, kept sealed, the same for every process.
import type { Context } from '../context.ts'
import type { Secret } from '../secrets/secret.ts'
import { findSetting, insertSettingOnce } from '../store/settings.ts'

const PLACE = { table: 'settings', column: 'value', row: 'authority_key' } as const

export async function loadAuthorityKey(ctx: Pick<Context, 'db' | 'box'>, generate: () => Secret): Promise<Secret> {
  const kept = await findSetting(ctx.db, 'authority_key')
  if (kept !== undefined) return ctx.box.open(kept, PLACE)
  await insertSettingOnce(ctx.db, 'authority_key', ctx.box.seal(generate(), PLACE))
  // Of two first starts, the one whose key was not kept takes the other's.
  const sealed = await findSetting(ctx.db, 'authority_key')
  if (sealed === undefined) throw new Error('The key of the certificate authority was written but cannot be read back')
  return ctx.box.open(sealed, PLACE)
}
