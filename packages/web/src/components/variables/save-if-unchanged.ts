// What to do where somebody else was faster: show how it is by now, and keep what was typed.
import { ApiError } from '@shipway/api'

export const versionTag = (version: number): string => `"v${version}"`

const CHANGED =
  'Somebody else changed these variables in the meantime. The list shows how they are now, and what you typed is still here: ' +
  'look at it, then save once more'

/** Saves on the condition that nothing has changed; where something has, reads it again before saying so. */
export async function saveIfUnchanged<Answer>(
  save: () => Promise<Answer>,
  reread: () => Promise<unknown>,
): Promise<Answer> {
  try {
    return await save()
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'precondition_failed') throw error
    await reread()
    throw new Error(CHANGED, { cause: error })
  }
}
