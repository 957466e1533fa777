// Orphans: what ended tasks have left on a server. The server says what is there, the records say what is needed.
import type { TaskOrphans } from '../domain/tasks/task-orphans.ts'
import type { Host } from '../remote/host.ts'
import type { OutputLimits } from '../remote/output/output-scripts.ts'

/** `folder` is the platform's on that server. Searches all environments unless some are named. */
export type OrphanSearch = {
  readonly folder: string
  readonly environmentIds?: readonly number[]
}

type OrphanRemoval = Pick<OrphanSearch, 'folder'> & { readonly paths?: readonly string[] }

export type FoundOrphans = {
  /** Tasks that have something on the server, by environment. An environment without tasks may still have a folder. */
  readonly tasks: ReadonlyMap<number, readonly number[]>
  readonly projectIds: readonly number[]
  /** Below the platform's folder. */
  readonly paths: readonly string[]
}

export type Orphan = {
  readonly environmentId: number
  readonly isGone: boolean
  readonly tasks: TaskOrphans
  /** Absent while a task of the environment runs or waits: that task checks its containers. */
  readonly serving?: Serving
}

/** What the records say of an environment without a running or waiting task. */
export type Serving = {
  /** The newest task that succeeded, or the one that set its routes. */
  readonly taskId: number | null
  /** Ports that routes lead to: whatever publishes them gets requests. */
  readonly routed: readonly { readonly service: string; readonly slot: 'a' | 'b' }[]
  readonly keptOutput: OutputLimits
  /** Asks the records again: a deployment may have begun since. */
  isIdle(): Promise<boolean>
}

/** One kind of thing that tasks leave: files, containers. */
export type OrphanKind = {
  list(host: Host, search: OrphanSearch): Promise<FoundOrphans>
  /** Returns a sentence for each thing that had to stay. Lists the paths itself unless they are given. */
  remove(host: Host, removal: OrphanRemoval, orphans: readonly Orphan[]): Promise<readonly string[]>
}
