// A button of a check run, or "Re-run" at GitHub. It is carried out after GitHub has said that the sender may write to the repository:
// a question that no transaction should wait for.
import type { Context } from '../../context.ts'
import type { CheckRequestEvent } from '../../domain/repository/repository-event.ts'
import type { Change } from '../../store/change.ts'
import type { Project } from '../../store/projects/projects.ts'
import { insertCheckRequest } from '../../store/repository-events/check-requests.ts'
import { listCheckedCommits } from '../../store/repository-events/check-runs.ts'
import { accepted, type EventOutcome, ignored } from './outcome.ts'

type RequestToHandle = {
  readonly project: Project
  readonly request: CheckRequestEvent
  readonly deliveryId: number | null
}

/** The caller has locked the project. A check run that the platform did not write is unknown. */
export async function handleCheckRequest(
  ctx: Context,
  tx: Change,
  { project, request, deliveryId }: RequestToHandle,
): Promise<EventOutcome> {
  const { action, which, sender } = request
  const found = await listCheckedCommits(tx, project.id, which)
  const [first] = found
  if (!first) return ignored('no_environment')
  for (const { environmentId, sha } of found) {
    await insertCheckRequest(tx, {
      projectId: project.id,
      environmentId,
      sha,
      action,
      sender,
      deliveryId,
      at: ctx.clock(),
    })
  }
  return { ...accepted('checking_permission'), environmentId: first.environmentId }
}
