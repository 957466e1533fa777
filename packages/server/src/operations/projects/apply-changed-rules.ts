// After a change of the rules about pull requests: the next comparison decides about every open pull request again, by the new ones.
import type { Change } from '../../store/change.ts'
import { updateProject } from '../../store/projects/projects.ts'
import { deleteComparisons } from '../../store/repository-events/pull-requests.ts'

/** The caller has locked the project. */
export async function applyChangedRules(tx: Change, projectId: number): Promise<void> {
  await deleteComparisons(tx, projectId)
  await updateProject(tx, projectId, { reconciled_at: 0 })
}
