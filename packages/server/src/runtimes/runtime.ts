// A runtime runs the containers of a server. It takes over when the images of a release are built, and it alone knows what a container,
// a slot or a network is. `runtimes.ts` chooses it by the server's record.
import type { RuntimeName } from '@shipway/api/values/runtime'
import type { ComposeLimits, ComposeModel } from '@shipway/rules/compose/model'
import type { Command } from '../commands/command.ts'
import type { Deployment } from '../deployment/deployment.ts'
import type { Folders } from '../deployment/folders.ts'
import type { Prefetch } from '../deployment/prefetch.ts'
import type { Registry } from '../deployment/registry.ts'
import type { Release } from '../deployment/release.ts'
import type { NewRoute } from '../deployment/routes.ts'
import type { DoStep, DurableWork, StepIo } from '../deployment/run.ts'
import type { ContainerOwner } from '../domain/compose/project-name.ts'
import type { ReleaseNetwork } from '../domain/compose/release-networks.ts'
import type { RunTerminal, WindowSize } from '../domain/run-terminal.ts'
import type { NamedService } from '../domain/service-domains.ts'
import type { ListedGroup } from '../edge/balance-group.ts'
import type { Host, RunOptions } from '../remote/host.ts'
import type { OutputLimits } from '../remote/output/output-scripts.ts'
import type { ComposeCalls, ComposeConfigCache, ComposeInputs } from './compose-config.ts'
import type { OrphanKind } from './orphan.ts'
import type { RuntimeContext } from './runtime-context.ts'
import type { ServerStats, StatsRequest } from './server-stats.ts'
import type { ServerInspection, ServicesToInspect } from './service-inspection.ts'

export type Runtime = {
  /** Compose files are checked for it. */
  readonly name: RuntimeName

  // A deployment, in the order of its steps.
  findUsedPorts(host: Host, owner: ContainerOwner): Promise<UsedPorts>
  /** Reserves what the routes of the new version will lead to. */
  reserve(prepare: DoStep, context: RuntimeContext, request: ReservationRequest): Promise<Reservation>
  /** Resolves compose files by `compose config`, or by the cache where none of its inputs have changed. */
  resolveConfig<Model>(
    host: Host,
    cache: ComposeConfigCache,
    inputs: ComposeInputs,
    calls: ComposeCalls<Model>,
  ): Promise<Model>
  /** Throws where the runtime of this server cannot run the model. */
  checkModel(host: Host, context: Pick<RuntimeContext, 'claimPorts'>, check: ModelCheck): Promise<void>
  /** The cgroup for builds, or why they cannot be limited on this server. Null where there is no limit. */
  limitBuilds(
    host: Host,
    owner: ContainerOwner,
    limits: ComposeLimits,
  ): Promise<{ readonly cgroup: string } | { readonly reason: string } | null>
  /** May be repeated. */
  makeNetworks(
    host: Host,
    deployment: Pick<Deployment, 'ids' | 'taskId'>,
    model: ComposeModel,
  ): Promise<readonly ReleaseNetwork[]>

  // Actions.
  /** Finds the container of a service that serves. */
  findTarget(io: Pick<StepIo, 'host' | 'say'>, search: TargetSearch): Promise<ExecTarget>
  /** Runs a script in it, as durable work. */
  exec(io: StepIo, target: ExecTarget, script: ScriptInTarget): Promise<void>
  /** The command that runs another command in it. */
  commandIn(target: ExecTarget, command: Command): Command
  /**
   * Makes a container like that one, and starts it, for an action that keeps files: it stays until its task has ended, when the clean-up of
   * orphans removes it. May be repeated. Null where actions run in the container that serves.
   */
  readonly holdTarget:
    | ((io: Pick<StepIo, 'host' | 'say'>, target: ExecTarget, hold: TargetHold) => Promise<ExecTarget>)
    | null

  // One-off commands.
  /** Creates a container like this one, which runs the words and nothing else when it is started. May be repeated. */
  createOneOff(host: Host, target: ExecTarget, oneOff: OneOff): Promise<void>
  /** Starts it with the platform as its terminal, on the platform's own machine. */
  attachOneOff(host: Host, attachment: OneOffAttachment): Promise<RunTerminal>
  /** Removes those that were made for a terminal some minutes ago and never started. Does nothing without an engine. */
  removeUnusedOneOffs(host: Host, installationId: string): Promise<void>
  /** Removes those whose terminal a platform process carried that is gone. */
  removeLostOneOffs(host: Host, lost: LostOneOffs): Promise<void>
  /** Starts it and waits for its end, as durable work. The container is gone afterwards. */
  runOneOff(io: StepIo, container: string, work: Pick<DurableWork, 'folder'>): Promise<void>

  // Removal. Sentences say what had to stay.
  /** Removes containers, networks, volumes and images of an environment. */
  remove(host: Host, owner: ContainerOwner, options: RemovalOptions): Promise<readonly string[]>
  /** Removes an environment from a server that it was moved away from. */
  removeMoved(host: Host, moved: MovedEnvironment, data: 'keep data' | RemovalOptions): Promise<readonly string[]>
  /** Removes files, also those that containers wrote as root. Returns the reason where some stay. */
  removeFiles(
    host: Host,
    files: { readonly installationId: string; readonly paths: readonly string[] },
  ): Promise<string | undefined>
  /** The same for paths below the platform's folder that no process works in. */
  removePaths(host: Host, folder: string, paths: readonly string[]): Promise<readonly string[]>
  readonly orphans: { readonly files: OrphanKind; readonly containers: OrphanKind }
  freeDisk(host: Host, options: FreeDiskOptions): Promise<void>
  /** Gives images of earlier versions of the platform their present names. */
  renameImages(host: Host, images: ImagesToRename): Promise<void>

  // Health.
  inspectServices(host: Host, services: ServicesToInspect): Promise<ServerInspection>
  /** Throws where a service of the live deployment cannot have the number of containers. Changes nothing. */
  checkScale(host: Host, scaling: Scaling): Promise<void>
  /** Gives services of the live deployment another number of containers. */
  scale(host: Host, scaling: Scaling): Promise<void>
  /** Reads what the server and its services use. */
  stats(host: Host, request: StatsRequest): Promise<ServerStats>
  /** Calls `onOutput` when a container starts, ends or changes its health. Returns when it is stopped or the runtime goes away. */
  followEvents(host: Host, installationId: string, options: RunOptions): Promise<void>

  /** Lists the ready tasks that routes may lead to. Null where routes lead to ports of the server itself. */
  readonly listUpstreams: ((host: Host, installationId: string) => Promise<readonly ListedGroup[]>) | null
}

export type UsedPorts = {
  /** The sockets that listen on a port, whatever their address. */
  readonly sockets: ReadonlyMap<number, readonly string[]>
  /** Published by running containers of this environment. */
  readonly own: ReadonlySet<number>
  readonly inUse: ReadonlySet<number>
}

export type ReservationRequest = {
  readonly deployment: Deployment
  readonly folders: Folders
  /** The routed ones. */
  readonly services: readonly NamedService[]
  readonly usedPorts: Prefetch<UsedPorts>
}

export type Reservation = {
  /** Starts the new version beside the old one, runs its commands, and waits until it may get requests. */
  start(steps: VersionSteps, version: NewVersion): Promise<RunningVersion>
}

/** `release` is for commands. */
export type VersionSteps = { readonly start: DoStep; readonly release: DoStep }

export type NewVersion = {
  readonly release: Release
  /** One after the other: after the services that theirs depend on, before any other service starts. */
  readonly commands: readonly VersionCommand[]
  /** Inside the containers of routed services, where a file names them. */
  readonly ports: Readonly<Record<string, number>>
  readonly networks: Prefetch<readonly ReleaseNetwork[]>
}

/** Runs once, in a container that is as those of the service and gets no requests. */
export type VersionCommand = {
  readonly name: string
  readonly script: string
  readonly service: string
  readonly timeoutMs: number | null
}

export type RunningVersion = {
  readonly routes: readonly NewRoute[]
  /** Drains and removes the old version, after the switch. Never fails the deployment. */
  cleanUp(step: DoStep): Promise<void>
}

type ModelCheck = { readonly model: ComposeModel; readonly deployment: Pick<Deployment, 'ids' | 'grants'> }

export type TargetSearch = {
  readonly owner: ContainerOwner
  /** The service that is named, or is meant where none is. */
  readonly service: string | null
  readonly servingTaskId: number
  /** What its sentences speak of. */
  readonly purpose: 'action' | 'command'
}

/** A step hands it on as plain JSON. Only the runtime reads the id. */
export type ExecTarget = {
  readonly id: string
  readonly service: string
  /** It was made by `holdTarget`. */
  readonly isHeld?: boolean
}

export type TargetHold = {
  readonly owner: ContainerOwner
  readonly taskId: number
  readonly registry: Registry | null
}

export type ScriptInTarget = {
  readonly script: string
  readonly owner: ContainerOwner
  /** Of the task on the server. */
  readonly folder: string
  readonly work: Pick<DurableWork, 'folder' | 'timeoutMs'>
}

export type OneOff = {
  readonly owner: ContainerOwner
  /** Null for a terminal, which is no task. */
  readonly taskId: number | null
  /** Its name. */
  readonly container: string
  readonly words: Command
  /** Its standard input stays open: with a terminal, or as a pipe. */
  readonly input: 'terminal' | 'pipe' | 'none'
  readonly size?: WindowSize | undefined
  /** The platform process that carries its terminal. */
  readonly processId?: string
  /** The folder of the releases of the environment. */
  readonly releases: string
  /** Null where one machine runs everything. */
  readonly registry: Registry | null
}

/** Without a size it has pipes. */
export type OneOffAttachment = { readonly container: string; readonly size: WindowSize | undefined }

export type LostOneOffs = { readonly installationId: string; readonly processId: string }

/** An environment that ran no containers may be on a server without an engine. */
export type RemovalOptions = { readonly mayLackEngine: boolean }

export type MovedEnvironment = {
  /** The platform's on that server. */
  readonly folder: string
  readonly ids: ContainerOwner
  /** Tasks that have something there. What later tasks have is not touched. */
  readonly taskIds: readonly number[]
  readonly keptOutput: OutputLimits
}

export type Scaling = {
  readonly owner: ContainerOwner
  readonly servingTaskId: number
  readonly replicas: ReadonlyMap<string, number>
}

export type FreeDiskOptions = {
  readonly installationId: string
  readonly cacheGigabytes: number
  /** Of these environments, those that are gone for good. */
  readonly goneOf: (environmentIds: readonly number[]) => Promise<readonly number[]>
  /** How old an image without a name must be. */
  readonly minutes?: number
}

export type ImagesToRename = {
  readonly installationId: string
  readonly environmentIds: readonly number[]
  readonly imageTokenOf: (environmentId: number) => string
}
