// The platform's own keys: made at the first start, kept sealed, the same for every process.
import { randomBytes } from 'node:crypto'
import type { Context } from '../../context.ts'
import { Secret } from '../../secrets/secret.ts'
import { findSetting, insertSettingOnce } from '../../store/settings.ts'

type Keeping = Pick<Context, 'db' | 'box'>

/** Of the authority that servers trust. */
export const loadAuthorityKey = (ctx: Keeping, generate: () => Secret): Promise<Secret> =>
  loadKey(ctx, 'authority_key', generate)

/** Of the account by which certificates are ordered. */
export const loadAcmeAccountKey = (ctx: Keeping, generate: () => Secret): Promise<Secret> =>
  loadKey(ctx, 'acme_account_key', generate)

/** Of the words by which only an environment itself finds its images and caches. */
export const loadEnvironmentTokenKey = (ctx: Keeping): Promise<Secret> =>
  loadKey(ctx, 'environment_token_key', () => new Secret(randomBytes(32).toString('hex')))

async function loadKey(
  ctx: Keeping,
  row: 'authority_key' | 'acme_account_key' | 'environment_token_key',
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
