// An admin who requires two factors of others must have them, too.
import type { Actor } from '../../domain/people/actor.ts'
import { OwnSecondFactorOff } from '../../domain/people/sign-in-errors.ts'
import type { Change } from '../../store/change.ts'
import { findTwoFactor } from '../../store/people/two-factor.ts'

/** Without them, the caller would be locked out by the change. */
export async function demandOwnTwoFactor(tx: Change, { userId }: Actor): Promise<void> {
  if (!(await findTwoFactor(tx, userId))) throw OwnSecondFactorOff()
}
