// Deletes the actions and expires the artifacts of a removed environment.
import type { Change } from '../change.ts'
import { deleteMomentsOfOthers } from '../schedules/schedule-moments.ts'
import { expireArtifacts } from './artifacts.ts'
import { deleteActions } from './environment-actions.ts'

/** The runs stay, as all tasks of a removed environment do. */
export async function forgetActions(tx: Change, environmentId: number, at: number): Promise<void> {
  await deleteActions(tx, environmentId)
  await deleteMomentsOfOthers(tx, environmentId, [])
  await expireArtifacts(tx, environmentId, at)
}
