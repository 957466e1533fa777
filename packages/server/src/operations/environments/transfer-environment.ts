// Hands an environment to another owner: recorded in the transaction, and told to both by mail after it.
import type { Context } from '../../context.ts'
import type { Actor } from '../../domain/people/actor.ts'
import { environmentTransferredMail } from '../../mail/environment-transferred.ts'
import type { Change } from '../../store/change.ts'
import type { Environment } from '../../store/environments/environment-row.ts'
import { updateEnvironment } from '../../store/environments/environments.ts'
import { findMember, type Member } from '../../store/people/memberships.ts'
import { allowMail } from '../people/allow-mail.ts'
import { chooseOwner } from '../people/choose-owner.ts'

export type Transfer = {
  readonly environment: Environment
  readonly by: string
  readonly from: Member | undefined
  readonly to: Member
}

/** Nothing happens, and nobody is told, where the owner stays the same. */
export async function transferEnvironment(
  ctx: Context,
  tx: Change,
  actor: Actor,
  { environment, ownerId }: { readonly environment: Environment; readonly ownerId: number },
): Promise<Transfer | undefined> {
  const { id, organizationId, owner } = environment
  const to = await chooseOwner(tx, organizationId, ownerId)
  if (to.id === owner.id) return undefined
  const from = await findMember(tx, organizationId, owner.id)
  await updateEnvironment(tx, id, { owner_id: to.id, updated_at: ctx.clock() })
  await tx.audit({
    organizationId,
    action: 'environment.transferred',
    target: { kind: 'environment', id, name: environment.name },
    fields: ['owner_id'],
  })
  return { environment, by: actor.name, from, to }
}

/** After the answer: a mail server that is slow or away changes nothing about what happened. */
export function mailTransfer(ctx: Context, { environment, by, from, to }: Transfer): void {
  if (!ctx.mail.isSetUp) return
  for (const person of from ? [from, to] : [to]) {
    const mail = environmentTransferredMail({
      to: person.email,
      environment: environment.name,
      domain: environment.domain,
      from: environment.owner.name,
      newOwner: to.name,
      by,
    })
    ctx.afterwards(async () => (await allowMail(ctx, ctx.db, { kind: 'transfer', to: person.email }))?.send(mail))
  }
}
