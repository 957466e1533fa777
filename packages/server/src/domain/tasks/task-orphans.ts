// Which files, containers and images of tasks on a server are still needed, and for what.

/** What the records say of an environment and its tasks. */
export type EnvironmentTasks = {
  /** Removed, and nothing of it runs or waits. */
  readonly isGone: boolean
  readonly newestId: number
  /** Queued or running, and the earlier deployments that those begin from. */
  readonly neededIds: readonly number[]
  /** Those that serve. */
  readonly liveIds: readonly number[]
  /** Deployments that succeeded, the newest first: as many as a rollback can choose from. */
  readonly succeededIds: readonly number[]
}

/** Ended tasks, grouped by what is still needed of them. */
export type TaskOrphans = {
  /** It serves: only the traces of its steps may go. */
  readonly live: readonly number[]
  /** What a rollback takes again stays; nothing of it runs. */
  readonly kept: readonly number[]
  /** Nothing is needed any more. */
  readonly over: readonly number[]
}

export const KEPT_RELEASES = 3

/** Tasks that are needed as they are, or that the records do not know, are in none of the lists. */
export function sortOrphans(tasks: EnvironmentTasks, found: readonly number[]): TaskOrphans {
  // After a return to an older backup the records know less than the server has: what is unknown is not ours to remove.
  const ended = [...new Set(found)].filter((id) => id <= tasks.newestId && !tasks.neededIds.includes(id))
  if (tasks.isGone) return { live: [], kept: [], over: ended }
  const live = ended.filter((id) => tasks.liveIds.includes(id))
  const rest = ended.filter((id) => !tasks.liveIds.includes(id))
  const newest = tasks.succeededIds.slice(0, KEPT_RELEASES)
  return {
    live,
    kept: rest.filter((id) => newest.includes(id)),
    over: rest.filter((id) => !newest.includes(id)),
  }
}
