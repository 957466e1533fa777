// Decides for each service how it gets from what runs to what is to run, and writes that down for Compose.
import { hash } from 'node:crypto'
import { z } from 'zod'
import { documentToRun } from '../../domain/compose/document-to-run.ts'
import { leftoverContainers } from '../../domain/compose/leftover-containers.ts'
import type { ComposeModel, DeployMode, ServicePlan } from '../../domain/compose/model.ts'
import { pathsOfContainers } from '../../domain/compose/mounts/used-paths.ts'
import { imageName } from '../../domain/compose/override-for.ts'
import { planServices } from '../../domain/compose/plan-services.ts'
import { isWholeByDefinition } from '../../domain/compose/whole-by-definition.ts'
import type { Host } from '../../remote/host.ts'
import { type Deployment, systemVariables } from '../deployment.ts'
import type { SlotPort } from '../doors.ts'
import type { NamedService } from '../prepare.ts'
import type { StepIo } from '../run.ts'
import { variableFileOf } from '../write-variables.ts'
import { fitLimits } from './containers/fit-limits.ts'
import { type Container, listContainers } from './containers/list-containers.ts'
import { removeContainers } from './containers/remove.ts'
import { makePlaces } from './make-places.ts'
import type { Release } from './release.ts'
import { dockerScript } from './script.ts'
import { writeRunnable } from './write-runnable.ts'

/** What a step can hand on: nothing in it comes from a variable. */
export type ServiceStart = {
  readonly name: string
  readonly level: number
  readonly mode: DeployMode
  readonly whyInPlace: string | null
  readonly gate: 'health' | 'http' | 'port' | 'running' | 'completed'
  readonly health: string
  /** On the server; null where it is not routed. */
  readonly port: number | null
  readonly containerPort: number | null
  readonly hasContainer: boolean
  /** A definition says all of it: nothing is put into the container after it was made, and it shares no other one's namespaces. */
  readonly isWholeByDefinition: boolean
  /** Ports of containers that this deployment replaces. */
  readonly oldPorts: readonly number[]
}

export type Start = {
  readonly services: readonly ServiceStart[]
  /** Of what was written for Compose. */
  readonly digest: string
}

type Planning = {
  readonly release: Release
  readonly services: readonly NamedService[]
  readonly slots: readonly SlotPort[]
}

export async function planStart(
  { host, say }: StepIo,
  deployment: Deployment,
  { release, services, slots }: Planning,
): Promise<Start> {
  const { folders, checkout } = release
  const model = await release.readModel(host)
  const [containers, { images, imageVolumes }, limits] = await Promise.all([
    removeLeftovers(host, deployment),
    findImages(host, model, deployment),
    fitLimits(host, deployment.limits),
  ])
  const current = new Map(containers.map((container) => [container.service, container]))
  const live = new Map(
    [...current].map(([name, own]) => [name, { hash: isServing(own, slots) ? own.hash : '', slot: own.slot }]),
  )
  const routed = new Map(services.map(({ service: { name, port, health } }) => [name, { port, health }]))
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
  const document = documentToRun(model, plan, {
    ...deployment.ids,
    taskId: deployment.taskId,
    variablesFile: folders.variables,
    systemVariables: systemVariables(deployment),
    variableKeys: [...deployment.variables.keys()],
    ports,
    limits,
    labels: new Map(
      plan.services.map(({ name, mode }) => [
        name,
        { mode, origin: mode === 'in_place' && current.has(name) ? 'replaced' : 'new' },
      ]),
    ),
  })
  await makePlaces(host, model, { ids: deployment.ids, checkout, imageVolumes })
  const digest = await writeRunnable(host, folders, { document, paths: pathsOfContainers(model, checkout) })
  for (const { name, mode } of plan.services) say(`${name}: ${SAID[mode]}`)
  return { services: plan.services.map((service) => startOf(service, { model, current, slots, ports })), digest }
}

const SAID: Readonly<Record<DeployMode, string>> = {
  unchanged: 'unchanged, is not touched',
  beside: 'a new container starts beside the old one',
  in_place: 'is recreated in place',
  one_shot: 'does its work once',
}

/** On the port that its slot has now: something else may have taken the one that it had. */
const isServing = ({ status, health, service, slot, ports }: Container, slots: readonly SlotPort[]): boolean =>
  status === 'running' && health !== 'unhealthy' && portIn(slots, service, slot).every((port) => ports.includes(port))

/** Also those that have ended: Compose would start them again in place of new ones. What is recreated in place keeps its data. */
async function removeLeftovers(host: Host, deployment: Deployment): Promise<readonly Container[]> {
  const containers = await listContainers(host, deployment.ids)
  const left = leftoverContainers(containers, { liveTaskId: deployment.servingTaskId, activeTaskId: null })
  const ended = containers.filter(({ status, mode }) => ENDED.includes(status) && mode !== 'in_place')
  const doomed = new Set([...left, ...ended])
  await removeContainers(host, [...doomed])
  return containers.filter((container) => !doomed.has(container))
}

const ENDED = ['exited', 'dead', 'created']

type Images = {
  readonly images: ReadonlyMap<string, string>
  /** The paths that the image of each service declares as volumes. */
  readonly imageVolumes: ReadonlyMap<string, readonly string[]>
}

async function findImages(host: Host, model: ComposeModel, deployment: Deployment): Promise<Images> {
  const ids = { ...deployment.ids, taskId: deployment.taskId }
  const names = [...model.services.values()].map(({ name, build, image }) => ({
    name,
    image: build ? imageName(ids, name) : (image ?? ''),
  }))
  const { stdout } = await host.run(dockerScript('find-images', ...names.map(({ image }) => image)))
  const lines = stdout.toString().trim().split('\n')
  const found = names.flatMap(({ name }, index) => {
    const [, id, volumes = ''] = /^(\S+) (.*)$/.exec(lines[index] ?? '') ?? []
    // One that is not known is never the same as the one that runs.
    return id === undefined ? [] : [{ name, id, paths: Object.keys(Volumes.parse(JSON.parse(volumes)) ?? {}) }]
  })
  return {
    images: new Map(found.map(({ name, id }) => [name, id])),
    imageVolumes: new Map(found.map(({ name, paths }) => [name, paths])),
  }
}

const Volumes = z.record(z.string(), z.unknown()).nullable()

/** What else containers take from the platform: a change of it starts each of them anew. */
function settingsOf(deployment: Deployment): string {
  return JSON.stringify([sha256(variableFileOf(deployment).reveal()), deployment.limits])
}

const sha256 = (text: string): string => hash('sha256', text)

function portIn(slots: readonly SlotPort[], service: string, slot: 'a' | 'b' | null): number[] {
  return slots.filter((own) => own.service === service && own.slot === slot).map(({ port }) => port)
}

type Known = {
  readonly model: ComposeModel
  readonly current: ReadonlyMap<string, Container>
  readonly slots: readonly SlotPort[]
  readonly ports: ReadonlyMap<string, number>
}

function startOf(service: ServicePlan, { model, current, slots, ports }: Known): ServiceStart {
  const { name, level, mode, whyInPlace, health, port } = service
  const own = current.get(name)
  return {
    name,
    level,
    mode,
    whyInPlace,
    health: health ?? '/',
    containerPort: port,
    gate: gateOf(service),
    port: ports.get(name) ?? null,
    hasContainer: own !== undefined,
    isWholeByDefinition: isWholeByDefinition(model, name),
    oldPorts: mode === 'beside' && own ? portIn(slots, name, own.slot) : [],
  }
}

function gateOf({ mode, hasHealthcheck, isRouted, health }: ServicePlan): ServiceStart['gate'] {
  if (mode === 'one_shot') return 'completed'
  if (hasHealthcheck) return 'health'
  if (isRouted) return health === null ? 'port' : 'http'
  return 'running'
}
