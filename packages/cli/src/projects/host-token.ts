// The token for the API of a git host: `-` to type it or pipe it in, `none` to remove it.
import { UsageError } from '../command-error.ts'
import type { Context } from '../context.ts'
import { readValues } from '../variables/read-assignments.ts'

export async function readHostToken(ctx: Context, word: string | undefined): Promise<string | null | undefined> {
  if (word === undefined || word === 'none') return word === undefined ? undefined : null
  // Other users of this machine can see the words of a command.
  if (word !== '-') throw UsageError('Give the token as --host-token - and type it, or pipe it in')
  const [[, token] = ['', '']] = await readValues(ctx, ['token'])
  return token
}
