// Asks before a sign-in at an address that only a link file names: whoever wrote the repository could receive the account.
import { CommandError, UsageError } from '../command-error.ts'
import type { Context } from '../context.ts'
import { askYesNo, canAsk } from '../terminal/ask.ts'
import { plainText } from '../terminal/sanitize.ts'
import type { FoundInstance } from './access.ts'

type Linked = FoundInstance & { readonly linkFile: string }

export async function confirmInstance(ctx: Context, { instance, linkFile }: Linked): Promise<void> {
  const named = `${instance} is named by the file ${plainText(linkFile)}, not by you`
  if (!canAsk(ctx)) {
    throw UsageError(
      named,
      'Where you know it as your platform, give its address yourself: --url ADDRESS, or SHIPWAY_URL',
    )
  }
  const isMeant = await askYesNo(ctx, `${named}. Sign in there?`)
  if (!isMeant) throw new CommandError('You were not signed in', { code: 'not_confirmed' })
}
