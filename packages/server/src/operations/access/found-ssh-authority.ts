// Gives an organization the key that certificates of its people are signed with.
import type { Context } from '../../context.ts'
import { PLATFORM } from '../../domain/people/actor.ts'
import { placeOfSshAuthority } from '../../domain/sealed-place.ts'
import {
  findSshAuthority,
  insertSshAuthorityOnce,
  listOrganizationsWithoutAuthority,
} from '../../store/access/ssh-authorities.ts'
import type { Change } from '../../store/change.ts'

type Founding = Pick<Context, 'box' | 'access'>

/** With its first server elsewhere: the line that sets up the machine names the key. */
export async function foundSshAuthority(ctx: Founding, tx: Change, organizationId: number): Promise<void> {
  if (await findSshAuthority(tx, organizationId)) return
  const { publicKey, privateKey } = ctx.access.generateAuthority()
  const privateKeySealed = ctx.box.seal(privateKey, placeOfSshAuthority(organizationId))
  await insertSshAuthorityOnce(tx, { organizationId, publicKey, privateKeySealed })
}

/** Organizations whose servers are older than this. At every start. */
export async function foundMissingSshAuthorities(ctx: Founding & Pick<Context, 'db' | 'change'>): Promise<void> {
  for (const id of await listOrganizationsWithoutAuthority(ctx.db))
    await ctx.change(PLATFORM, (tx) => foundSshAuthority(ctx, tx, id))
}
