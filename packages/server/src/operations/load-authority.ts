// The platform's own keys: made at the first start, kept sealed, the same for every process.
import type { Context } from '../context.ts'
import type { Secret } from '../secrets/secret.ts'
import { findSetting, insertSettingOnce } from '../store/settings.ts'

type Keeping = Pick<Context, 'db' | 'box'>

/** Of the authority that servers trust. */
export const loadAuthorityKey = (ctx: Keeping, generate: () => Secret): Promise<Secret> =>
  loadKey(ctx, 'authority_key', generate)

/** Of the account by which certificates are ordered. */
export const loadAcmeAccountKey = (ctx: Keeping, generate: () => Secret): Promise<Secret> =>
  loadKey(ctx, 'acme_account_key', generate)

async function loadKey(
  ctx: Keeping,
  row: 'authority_key' | 'acme_account_key',
  generate: () => Secret,
): Promise<Secret> {
  const place = { table: 'settings', column: 'value', row }
  const kept = await findSetting(ctx.db, row)
  if (kept !== undefined) return ctx.box.open(kept, place)
  await insertSettingOnce(ctx.db, row, ctx.box.seal(generate(), place))
  // Of two first starts, the one whose key was not kept takes the other's.
  const sealed = await findSetting(ctx.db, row)
  if (sealed === undefined) throw new Error('A key of the platform was written but cannot be read back')
  return ctx.box.open(sealed, place)
}
