// Transfers an environment to another owner: recorded, with a mail to both.
import type { Context } from '../../context.ts'
import type { Actor } from '../../domain/people/actor.ts'
import { environmentTransferredMail } from '../../mail/environment-transferred.ts'
import type { Change } from '../../store/change.ts'
import type { Environment } from '../../store/environments/environment-row.ts'
import { updateEnvironment } from '../../store/environments/environments.ts'
import { findMember, type Member } from '../../store/people/memberships.ts'
import { allowMail } from '../people/allow-mail.ts'
import { chooseOwner } from '../people/choose-owner.ts'

/** Does nothing if the owner stays the same. */
export async function transferEnvironment(
  ctx: Context,
  tx: Change,
  actor: Actor,
  { environment, ownerId }: { readonly environment: Environment; readonly ownerId: number },
): Promise<void> {
  const { id, organizationId, owner } = environment
  const to = await chooseOwner(tx, { organizationId, userId: ownerId, pointer: '/owner_id' })
  if (to.id === owner.id) return
  const from = await findMember(tx, organizationId, owner.id)
  await updateEnvironment(tx, id, { owner_id: to.id, updated_at: ctx.clock() })
  await tx.audit({
    organizationId,
    action: 'environment.transferred',
    target: { kind: 'environment', id, name: environment.name },
    fields: ['owner_id'],
  })
  // Sorted, so that two concurrent transfers never deadlock on each other's counters.
  const recipients = (from ? [from, to] : [to]).toSorted((one, other) => one.id - other.id)
  for (const person of recipients) await mailTransfer(ctx, tx, { environment, by: actor.name, to, person })
}

type TransferMail = {
  readonly environment: Environment
  readonly by: string
  readonly to: Member
  readonly person: Member
}

/** A user with too many such mails lately gets none; the audit log has the transfer. */
async function mailTransfer(ctx: Context, tx: Change, { environment, by, to, person }: TransferMail): Promise<void> {
  const allowed = await allowMail(ctx, tx, { kind: 'transfer', to: person.email })
  await allowed?.queue(
    environmentTransferredMail({
      to: person.email,
      environment: environment.name,
      domain: environment.domain,
      from: environment.owner.name,
      newOwner: to.name,
      by,
    }),
  )
}
