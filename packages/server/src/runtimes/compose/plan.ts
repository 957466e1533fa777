// Plans how each service gets from its running containers to the new version, and writes the compose file that runs.
import { hash } from 'node:crypto'
import type { ComposeLimits, DeployMode } from '@shipway/rules/compose/model'
import { countProcessors } from '../../commands/docker/engine.ts'
import { type Deployment, systemVariables } from '../../deployment/deployment.ts'
import type { Folders } from '../../deployment/folders.ts'
import type { Prefetch } from '../../deployment/prefetch.ts'
import type { Release } from '../../deployment/release.ts'
import type { StepIo } from '../../deployment/run.ts'
import { variableFileOf } from '../../deployment/write-variables.ts'
import { documentToRun } from '../../domain/compose/document-to-run.ts'
import { pathsOfContainers } from '../../domain/compose/mounts/used-paths.ts'
import { networkJoins } from '../../domain/compose/network-joins.ts'
import { failedReplacements, ONE_OFF, orphanedContainers } from '../../domain/compose/orphaned-containers.ts'
import { planServices } from '../../domain/compose/plan-services.ts'
import { composeProjectName } from '../../domain/compose/project-name.ts'
import { isAfterServing, type ReleaseNetwork } from '../../domain/compose/release-networks.ts'
import { readReportedNumber } from '../../domain/reported-number.ts'
import type { NamedService } from '../../domain/service-domains.ts'
import { askDocker } from '../../remote/ask-docker.ts'
import type { Host } from '../../remote/host.ts'
import { portsOfImages } from '../ports-of-images.ts'
import type { VersionCommand } from '../runtime.ts'
import type { SlotPort } from '../runtime-context.ts'
import type { Container } from './containers/list-containers.ts'
import { retireContainers } from './containers/remove.ts'
import type { ContainersWithoutCompose } from './fast-path/containers-without-compose.ts'
import { imageNames, imagesOf } from './images/find-images.ts'
import { type EngineView, inspectEngine } from './inspect-engine.ts'
import { makeMountPoints } from './make-mount-points.ts'
import { joinNetworks } from './networks/join-networks.ts'
import { removeNetworks } from './networks/remove-networks.ts'
import { portIn } from './ports/allocate-slots.ts'
import { type ServiceStart, startOf } from './service-start.ts'
import { writeRunnable } from './write-runnable.ts'

export type Start = {
  readonly services: readonly ServiceStart[]
  /** Of the files written for Compose. */
  readonly digest: string
}

type Planning = {
  readonly release: Release
  readonly services: readonly NamedService[]
  readonly commands: readonly VersionCommand[]
  readonly slots: readonly SlotPort[]
  /** Inside the containers of routed services, where a file names it. */
  readonly ports: Readonly<Record<string, number>>
  readonly withoutCompose: ContainersWithoutCompose
  /** Of the release. */
  readonly networks: Prefetch<readonly ReleaseNetwork[]>
}

export async function planStart(
  io: StepIo,
  deployment: Deployment,
  { release, services, commands, slots, ports: named, withoutCompose, networks: making }: Planning,
): Promise<Start> {
  const { host, say } = io
  const { folders, checkout } = release
  const model = await release.readModel(host)
  const names = imageNames(model, deployment)
  const [seen, limits] = await Promise.all([
    inspectEngine(
      host,
      deployment.ids,
      names.map(({ image }) => image),
    ),
    fitLimits(host, deployment.limits),
  ])
  const { images, imageVolumes, imagePorts } = imagesOf(names, seen.images)
  const containers = await removeOrphans({ host, say }, deployment, { folders, seen })
  const current = new Map(containers.map((container) => [container.service, container]))
  const live = new Map(
    [...current].map(([name, own]) => {
      const { slot, release: born } = own
      return [name, { hash: isServing(own, slots) ? own.hash : '', slot, release: born }]
    }),
  )
  const inside = portsOfImages(services, named, imagePorts)
  const routed = new Map(
    services.map(({ service: { name, health } }) => [name, { port: inside.get(name) ?? null, health }]),
  )
  const plan = planServices(model, {
    services: routed,
    live,
    images,
    withVolumes: new Set([...imageVolumes].filter(([, paths]) => paths.length > 0).map(([name]) => name)),
    settings: settingsOf(deployment),
    digest: sha256,
  })
  const ports = new Map(
    plan.services.flatMap(({ name, slot }) => portIn(slots, name, slot).map((port) => [name, port] as const)),
  )
  const isStarting = commands.length > 0 || plan.services.some(({ mode }) => mode !== 'unchanged')
  // Networks that were made before it was known that nothing starts are removed after the deployment.
  if (!isStarting) await making.finished()
  const networks = isStarting ? await making.result(io) : []
  const document = documentToRun(model, plan, {
    ...deployment.ids,
    taskId: deployment.taskId,
    variablesFile: folders.variables,
    systemVariables: systemVariables(deployment),
    variableKeys: [...deployment.variables.keys()],
    ports,
    limits,
    networks,
    labels: new Map(
      plan.services.map(({ name, mode }) => [
        name,
        { mode, origin: mode === 'in_place' && current.has(name) ? 'replaced' : 'new' },
      ]),
    ),
  })
  await makeMountPoints(host, model, { ids: deployment.ids, checkout, imageVolumes })
  const digest = await writeRunnable(host, folders, { document, paths: pathsOfContainers(model, checkout) })
  const project = composeProjectName(deployment.ids)
  await joinNetworks(host, networkJoins(plan.services, { document, project, networks, containers }))
  withoutCompose.plan(plan, deployment, { document, containers, images, folders, networks })
  for (const { name, mode, restartReason } of plan.services)
    say(`${name}: ${SAID[mode]}${restartReason === null ? '' : `, ${restartReason}`}`)
  return { services: plan.services.map((service) => startOf(service, { model, current, ports })), digest }
}

const SAID: Readonly<Record<DeployMode, string>> = {
  unchanged: 'unchanged, is not touched',
  beside: 'a new container starts beside the old one',
  in_place: 'is recreated in place',
  one_shot: 'does its work once',
}

/** Docker starts no container that may use more processors than there are. */
async function fitLimits(host: Host, limits: ComposeLimits): Promise<ComposeLimits> {
  if (limits.cpus === null) return limits
  const present = readReportedNumber((await askDocker(host, countProcessors())).trim())
  return { ...limits, cpus: present ? Math.min(limits.cpus, present) : limits.cpus }
}

/** It must publish the present port of its slot: another program may have taken the earlier one. */
const isServing = ({ status, health, service, slot, ports }: Container, slots: readonly SlotPort[]): boolean =>
  status === 'running' && health !== 'unhealthy' && portIn(slots, service, slot).every((port) => ports.includes(port))

/** Also removes ended containers, which Compose would restart instead of making new ones; but none that is recreated in place, for its data. */
async function removeOrphans(
  { host, say }: Pick<StepIo, 'host' | 'say'>,
  deployment: Deployment,
  { folders: { output: folder }, seen }: { readonly folders: Folders; readonly seen: EngineView },
): Promise<readonly Container[]> {
  const { containers: all, networks } = seen
  const tasks = { liveTaskId: deployment.servingTaskId, activeTaskId: null }
  const left = orphanedContainers(all, tasks)
  const ended = all.filter(({ status, mode }) => ENDED.includes(status) && mode !== 'in_place' && mode !== ONE_OFF)
  const doomed = new Set([...left, ...ended])
  const stopping = [...doomed].filter(({ status }) => !ENDED.includes(status)).map(({ service }) => service)
  if (stopping.length > 0) say(waitingSentence(stopping))
  for (const line of await retireContainers(host, { folder, limits: deployment.keptOutput }, [...doomed])) say(line)
  const containers = all.filter((container) => !doomed.has(container))
  const isWaiting = failedReplacements(all, tasks).length > 0
  const mayGo = (release: number): boolean =>
    release !== deployment.taskId && (!isWaiting || isAfterServing(release, deployment.servingTaskId))
  for (const line of await removeNetworks(host, { networks, containers, mayGo })) say(line)
  return containers
}

const waitingSentence = (services: readonly string[]): string =>
  `Waiting for ${[...new Set(services)].join(', ')} of an earlier deployment to stop. ` +
  'A process that ignores its stop signal is killed when its stop_grace_period is over, by default after 10 s'

const ENDED = ['exited', 'dead', 'created']

/** Other settings of containers: a change of them replaces every container. */
function settingsOf(deployment: Deployment): string {
  return JSON.stringify([sha256(variableFileOf(deployment).reveal()), deployment.limits])
}

const sha256 = (text: string): string => hash('sha256', text)
