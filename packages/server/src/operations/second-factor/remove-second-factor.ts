// Turns two-factor codes off for a user who has lost the device and the recovery codes: by a platform administrator, who is asked for it
// outside the platform. Finds the user by e-mail, so that no list of users is needed.
import { sameEmailKey } from '@shipway/api/values/email'
import type { Context } from '../../context.ts'
import { InvalidField } from '../../domain/errors.ts'
import type { Actor } from '../../domain/people/actor.ts'
import { demandPlatformAdmin } from '../../domain/people/permissions.ts'
import { secondFactorRemovedMail } from '../../mail/second-factor-removed.ts'
import { findAccountByEmail } from '../../store/people/users.ts'
import { allowMail } from '../people/allow-mail.ts'
import { dropSecondFactor } from './drop-second-factor.ts'

export async function removeSecondFactor(ctx: Context, actor: Actor, email: string): Promise<void> {
  demandPlatformAdmin(actor)
  const account = await findAccountByEmail(ctx.db, sameEmailKey(email))
  const isRemoved =
    account !== undefined &&
    (await ctx.change(actor, async (tx) => {
      if (!(await dropSecondFactor(tx, account, ctx.clock()))) return false
      const mail = await allowMail(ctx, tx, { kind: 'second_factor', to: account.email })
      const { baseUrl } = ctx.config
      await mail?.queue(secondFactorRemovedMail({ to: account.email, by: actor.name, baseUrl }))
      return true
    }))
  if (!isRemoved) {
    const detail = 'No user with this e-mail has two-factor codes turned on. Compare the address'
    throw InvalidField('/email', 'second_factor_off', detail)
  }
}
