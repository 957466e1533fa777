// Asks before something is deleted. Without a terminal, only --yes confirms.
import { CommandError, UsageError } from '../command-error.ts'
import type { Context } from '../context.ts'
import { askYesNo, canAsk } from './ask.ts'

export type Confirmation = {
  /** What would happen, as a sentence without a full stop: "The channel x would be deleted". */
  readonly consequence: string
  readonly question: string
  /** "Nothing was deleted" */
  readonly refusal: string
}

export async function confirm(
  ctx: Context,
  flags: { readonly yes: boolean },
  { consequence, question, refusal }: Confirmation,
): Promise<void> {
  if (flags.yes) return
  if (!canAsk(ctx)) throw UsageError(consequence, 'Confirm with --yes')
  if (!(await askYesNo(ctx, question))) throw new CommandError(refusal, { code: 'not_confirmed' })
}
