// The platform's own keys: generated at the first start, stored sealed, shared by every process.
import { randomBytes } from 'node:crypto'
import type { Context } from '../../context.ts'
import { Secret } from '../../secrets/secret.ts'
import { findSetting, insertSettingOnce } from '../../store/settings.ts'

type KeyDependencies = Pick<Context, 'db' | 'box'>

/** The key of the ssh authority that servers trust. */
export const loadSshAuthorityKey = (ctx: KeyDependencies, generate: () => Secret): Promise<Secret> =>
  loadKey(ctx, 'authority_key', generate)

/** The key of the ACME account that orders TLS certificates. */
export const loadAcmeAccountKey = (ctx: KeyDependencies, generate: () => Secret): Promise<Secret> =>
  loadKey(ctx, 'acme_account_key', generate)

/** The key that environment tokens are derived from: only the environment itself can find its images and caches. */
export const loadEnvironmentTokenKey = (ctx: KeyDependencies): Promise<Secret> =>
  loadKey(ctx, 'environment_token_key', () => new Secret(randomBytes(32).toString('hex')))

/** The key that signs tokens for the registries on servers, with its certificate. Their other keys are derived from it. */
export const loadRegistryKey = (ctx: KeyDependencies, generate: () => Secret): Promise<Secret> =>
  loadKey(ctx, 'registry_key', generate)

async function loadKey(
  ctx: KeyDependencies,
  row: 'authority_key' | 'acme_account_key' | 'environment_token_key' | 'registry_key',
  generate: () => Secret,
): Promise<Secret> {
  const place = { table: 'settings', column: 'value', row }
  const kept = await findSetting(ctx.db, row)
  if (kept !== undefined) return ctx.box.open(kept, place)
  await insertSettingOnce(ctx.db, row, ctx.box.seal(generate(), place))
  // Two processes may start for the first time at once: the one that lost the race reads the other's key.
  const sealed = await findSetting(ctx.db, row)
  if (sealed === undefined) throw new Error('A key of the platform was written but cannot be read back')
  return ctx.box.open(sealed, place)
}
