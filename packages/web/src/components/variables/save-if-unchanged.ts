// Optimistic locking of variables: after a conflict it reloads the list and keeps the user's input.
import { ApiError } from '@shipway/api'

export const versionTag = (version: number): string => `"v${version}"`

const CHANGED =
  'Another user changed these variables in the meantime. The list shows the current ones and your input is kept: review it, then ' +
  'save again'

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
