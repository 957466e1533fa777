// Optimistic locking of variables: after a conflict it reloads the list and keeps the user's input.
import { ApiError } from '@shipway/api'

export const versionTag = (version: number): string => `"v${version}"`

const CHANGED =
  'Somebody else changed these variables in the meantime. The list shows how they are now, and what you typed is still here: ' +
  'look at it, then save once more'

/** Runs `save`. If it fails because the version changed, calls `reread` and throws an error that says so. */
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
