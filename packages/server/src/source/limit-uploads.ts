// Limits how many uploads one process receives at once: a sender may take minutes for a few bytes, and holds a file and a connection. So
// that one organization cannot keep out the others, each has only few.
import { UploadInProgress } from '../domain/errors.ts'
import { UPLOAD_LIMITS } from '../domain/upload-limits.ts'

export type UploadingProject = { readonly projectId: number; readonly organizationId: number }

type UploadLimit = <Result>(project: UploadingProject, receive: () => Promise<Result>) => Promise<Result>

/** Refuses an upload beyond the limits instead of queueing it, because a user waits. */
export function limitUploads(): UploadLimit {
  /** Organizations by projects that an upload is being received for. */
  const receiving = new Map<number, number>()
  return async ({ projectId, organizationId }, receive) => {
    const own = [...receiving.values()].filter((id) => id === organizationId).length
    const isFull = own >= UPLOAD_LIMITS.ofOrganization || receiving.size >= UPLOAD_LIMITS.atOnce
    if (isFull || receiving.has(projectId)) throw UploadInProgress()
    receiving.set(projectId, organizationId)
    try {
      return await receive()
    } finally {
      receiving.delete(projectId)
    }
  }
}
