// The context of a recipe: through it a recipe reads the repository, and reads and changes records. It never sees the database.
import type { Service } from '@shipway/rules/service-file/repository-config'
import type { NewRoute } from '../deployment/routes.ts'
import type { TaskOrphans } from '../domain/tasks/task-orphans.ts'
import type { VisitorAnswer } from '../edge/visitor-answer.ts'
import type { ComposeConfigCache } from '../runtimes/compose-config.ts'
import type { Runtime } from '../runtimes/runtime.ts'
import type { RuntimeContext, SeenPorts, SlotPort } from '../runtimes/runtime-context.ts'
import type { Repository } from '../source/connection.ts'
import type { Commit } from '../source/mirror.ts'
import type { Source } from '../source/source.ts'
import type { SourceIo } from '../source/source-io.ts'

export type RecipeContext = RuntimeContext & {
  readonly source: Source
  /** Of the server that is deployed to. */
  readonly runtime: Runtime
  readonly composeConfigs: ComposeConfigCache
  /** Removes unneeded images from the server, and the build cache. */
  freeDisk(): Promise<void>
  /** Brings an uploaded commit into the mirror of this process, which may not be the one that received it. */
  restoreUpload(repository: Repository, sha: string, io: SourceIo): Promise<void>
  noteCommit(commit: Commit): Promise<void>
  /** Records the `.service.yml` of the project's settings that this deployment uses. */
  noteServiceFile(content: string): Promise<void>
  /** Called at the first connection to a git host. */
  onRepositoryHostKey(projectId: number, hostKey: string): Promise<void>
  /** Which of these domains belong to other environments. */
  listTakenDomains(domains: readonly string[]): Promise<readonly string[]>
  /** One port for each service that names none. Replaces a port that a foreign process uses. */
  allocatePorts(services: readonly Service[], seen?: SeenPorts): Promise<readonly SlotPort[]>
  /**
   * Replaces all routes of the environment at once. Returns when the next request follows them; a failure leaves the earlier ones. Returns the
   * addresses of managers that were left out, because they could not be reached: there the earlier ones lead on.
   */
  switchRoutes(routes: readonly NewRoute[]): Promise<readonly string[]>
  /** Requests a route once, as a visitor would, for at most three seconds. Undefined without an answer; never rejects. */
  visit(route: NewRoute): Promise<VisitorAnswer | undefined>
  /** Removes all routes: nothing serves any more. A failure leaves them. Returns the managers that were left out, as `switchRoutes`. */
  removeRoutes(): Promise<readonly string[]>
  /** Sorts the finished ones among these tasks by what of them is still in use. */
  orphansOf(taskIds: readonly number[]): Promise<TaskOrphans>
}
