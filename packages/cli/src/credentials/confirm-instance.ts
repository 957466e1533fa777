// Asks before a sign-in to an address that only a link file names: the author of the repository could capture the account.
import { CommandError, UsageError } from '../command-error.ts'
import type { Context } from '../context.ts'
import { askYesNo, canAsk } from '../terminal/ask.ts'
import { plainText } from '../terminal/sanitize.ts'
import type { FoundInstance } from './access.ts'

type Linked = FoundInstance & { readonly linkFile: string }

export async function confirmInstance(ctx: Context, { instance, linkFile }: Linked): Promise<void> {
  const named = `Only the file ${plainText(linkFile)} names ${instance}`
  if (!canAsk(ctx)) {
    throw UsageError(named, 'If it is your platform, pass its address yourself: --url ADDRESS or SHIPWAY_URL')
  }
  const isConfirmed = await askYesNo(ctx, `${named}. Sign in there?`)
  if (!isConfirmed) throw new CommandError('You were not signed in', { code: 'not_confirmed' })
}
