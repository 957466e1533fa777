// Makes the secrets of a project: what its git host signs with, and what reads its repository. Kept sealed.
import type { Context } from '../../context.ts'
import { projectContext } from '../../domain/encryption-context.ts'
import type { Secret } from '../../secrets/secret.ts'
import { generateSshKey } from '../../secrets/ssh-key.ts'
import { newToken } from '../../secrets/token.ts'

/** The secret is returned only this once. */
export function makeWebhookSecret(ctx: Context, hookId: string): { readonly secret: Secret; readonly sealed: string } {
  const { token } = newToken('shw_hook_')
  return { secret: token, sealed: ctx.box.seal(token, projectContext(hookId, 'webhook_secret_sealed')) }
}

export function makeRepositoryKey(ctx: Context, hookId: string) {
  const { publicKey, privateKey, fingerprint } = generateSshKey(`shipway@${new URL(ctx.config.baseUrl).hostname}`)
  const sealed = ctx.box.seal(privateKey, projectContext(hookId, 'repository_private_key_sealed'))
  return {
    publicKey,
    fingerprint,
    columns: { repository_public_key: publicKey, repository_private_key_sealed: sealed },
  }
}
