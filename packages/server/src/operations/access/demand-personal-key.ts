// Refuses to certify the platform's own keys: those it signs with, signs in with, or fetches repositories with.
import type { Context } from '../../context.ts'
import { InvalidField } from '../../domain/errors.ts'
import { isSshAuthority } from '../../store/access/ssh-authorities.ts'
import { isRepositoryKey } from '../../store/projects/project-repositories.ts'

/** As the contract has checked it: type and key, without a comment. */
export async function demandPersonalKey(
  ctx: Pick<Context, 'db' | 'sshAuthorityKey' | 'access'>,
  publicKey: string,
): Promise<void> {
  const isOurs =
    publicKey === ctx.sshAuthorityKey ||
    publicKey === ctx.access.ownKey ||
    (await isSshAuthority(ctx.db, publicKey)) ||
    (await isRepositoryKey(ctx.db, publicKey))
  if (!isOurs) return
  throw InvalidField('/public_key', 'platform_key', 'This is a key of the platform itself. Give a key of your own')
}
