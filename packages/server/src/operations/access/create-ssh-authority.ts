// Creates the ssh authority of an organization: the key that signs its members' certificates.
import type { Context } from '../../context.ts'
import { sshAuthorityContext } from '../../domain/encryption-context.ts'
import { PLATFORM } from '../../domain/people/actor.ts'
import {
  findSshAuthority,
  insertSshAuthorityOnce,
  listOrganizationsWithoutAuthority,
} from '../../store/access/ssh-authorities.ts'
import type { Change } from '../../store/change.ts'

type AuthorityDependencies = Pick<Context, 'box' | 'access'>

/** Called with the first remote server: its set-up command contains the key. */
export async function createSshAuthority(
  ctx: AuthorityDependencies,
  tx: Change,
  organizationId: number,
): Promise<void> {
  if (await findSshAuthority(tx, organizationId)) return
  const { publicKey, privateKey } = ctx.access.generateAuthority()
  const privateKeySealed = ctx.box.seal(privateKey, sshAuthorityContext(organizationId))
  await insertSshAuthorityOnce(tx, { organizationId, publicKey, privateKeySealed })
}

/** For organizations that have servers but no authority yet. Runs at every start. */
export async function createMissingSshAuthorities(
  ctx: AuthorityDependencies & Pick<Context, 'db' | 'change'>,
): Promise<void> {
  for (const id of await listOrganizationsWithoutAuthority(ctx.db))
    await ctx.change(PLATFORM, (tx) => createSshAuthority(ctx, tx, id))
}
