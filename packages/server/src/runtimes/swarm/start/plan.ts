// Plans how each service gets to the new version, and writes the stack files that make it so: one for each service.
import { hash } from 'node:crypto'
import { composeJson } from '@shipway/rules/compose/escaped-dollars'
import type { ComposeModel, DeployMode, JsonObject, Plan, ServicePlan } from '@shipway/rules/compose/model'
import { objectOf } from '@shipway/rules/compose/policy/policy-rules'
import { dockerScript } from '../../../commands/docker/script.ts'
import { shell } from '../../../commands/script.ts'
import { type Deployment, systemVariables } from '../../../deployment/deployment.ts'
import type { Folders } from '../../../deployment/folders.ts'
import type { Registry } from '../../../deployment/registry.ts'
import type { Release } from '../../../deployment/release.ts'
import type { StepIo } from '../../../deployment/run.ts'
import { variableFileOf } from '../../../deployment/write-variables.ts'
import { needsOf } from '../../../domain/compose/dependency-levels.ts'
import { planServices } from '../../../domain/compose/plan-services.ts'
import type { NamedService } from '../../../domain/service-domains.ts'
import { type PlacedVolumes, placeVolumes } from '../../../domain/swarm/place-volumes.ts'
import { servingServices, withOwnSlots } from '../../../domain/swarm/serving-services.ts'
import { onlyServices, type StackDocuments, stackDocuments } from '../../../domain/swarm/stack-document.ts'
import { isShared } from '../../../domain/swarm/stack-input.ts'
import { stackKey, stackName } from '../../../domain/swarm/stack-names.ts'
import { isRunning, type SwarmService, type SwarmView, tasksOf } from '../../../domain/swarm/swarm-view.ts'
import { ChecksFailed } from '../../../domain/tasks/step-fault.ts'
import { runDocker } from '../../../remote/ask-docker.ts'
import { writeSecretFile } from '../../../remote/write-secret-file.ts'
import { Secret } from '../../../secrets/secret.ts'
import { findImages, imageNames, imagesOf } from '../../compose/images/find-images.ts'
import { portsOfImages } from '../../ports-of-images.ts'
import type { VersionCommand } from '../../runtime.ts'
import type { SlotPort } from '../../runtime-context.ts'
import { imageOf, type PushedImages, pullSettings } from '../registry/push-images.ts'
import { removeFailed } from '../removal/remove-version.ts'
import { listSwarm } from '../view/list-swarm.ts'
import { prepareStackFiles } from './stack-files.ts'
import { commandKey, stackFolder } from './stack-folder.ts'

/** Plain JSON without values of variables, so that a step may hand it on. */
export type ServiceStart = {
  readonly name: string
  /** In the Swarm. */
  readonly swarmName: string
  readonly level: number
  readonly mode: DeployMode
  readonly whyInPlace: string | null
  readonly gate: 'http' | 'port' | 'running' | 'completed'
  readonly health: string
  readonly containerPort: number | null
  /** The balance group of its new tasks; null where it is not routed. */
  readonly group: number | null
  /** That of the version that serves, if it is another. */
  readonly oldGroup: number | null
  /** It is updated in place. */
  readonly hasContainer: boolean
  readonly dependsOn: readonly string[]
}

export type SwarmPlan = { readonly services: readonly ServiceStart[] }

type Planning = {
  readonly release: Release
  readonly services: readonly NamedService[]
  readonly commands: readonly VersionCommand[]
  readonly slots: readonly SlotPort[]
  /** Inside the containers of routed services, where a file names it. */
  readonly ports: Readonly<Record<string, number>>
  readonly registry: Registry
  readonly pushed: PushedImages
}

export async function planStart(io: StepIo, deployment: Deployment, planning: Planning): Promise<SwarmPlan> {
  const { host, say } = io
  const { release, services, commands, slots, registry, pushed } = planning
  const { folders } = release
  const { ids, taskId } = deployment
  const model = await release.readModel(host)
  const names = imageNames(model, deployment)
  const found = await findImages(
    host,
    names.map(({ image }) => image),
  )
  const { imageVolumes, imagePorts } = imagesOf(names, found)
  const keptOutput = { folder: folders.output, limits: deployment.keptOutput }
  for (const sentence of await removeFailed(io, deployment, keptOutput)) say(sentence)
  const view = await listSwarm(host, ids)
  const serving = servingServices(view.services, deployment.servingTaskId)
  const inside = portsOfImages(services, planning.ports, imagePorts)
  const planned = planServices(model, {
    services: new Map(
      services.map(({ service: { name, health } }) => [name, { port: inside.get(name) ?? null, health }]),
    ),
    live: new Map([...serving].map(([name, own]) => [name, { hash: hashOf(view, own), slot: own.slot }])),
    images: new Map(Object.entries(pushed.digests)),
    withVolumes: new Set([...imageVolumes].filter(([, paths]) => paths.length > 0).map(([name]) => name)),
    settings: JSON.stringify([sha256(variableFileOf(deployment).reveal()), deployment.limits]),
    digest: sha256,
  })
  const plan = { ...planned, services: withOwnSlots(planned.services, serving) }
  const groups = new Map(
    plan.services.flatMap(({ name, slot }) =>
      slots.filter((own) => own.service === name && own.slot === slot).map(({ port }) => [name, port] as const),
    ),
  )
  const folder = stackFolder(folders)
  const variables = new Map<string, string>([
    ...[...deployment.variables].map(([key, value]) => [key, value.reveal()] as const),
    ...systemVariables(deployment),
  ])
  const placed = placeVolumes({ model, imageVolumes, digest: sha256, view, ids, taskId })
  await labelNodes(io, placed)
  const documents = stackDocuments({
    model,
    plan,
    ids,
    taskId,
    images: new Map(Object.keys(pushed.digests).map((name) => [name, imageOf(registry, pushed, name)])),
    imageVolumes,
    variables,
    limits: { ...deployment.limits, cpus: fitCpus(view, deployment.limits.cpus) },
    groups,
    replicas: deployment.replicas,
    files: await prepareStackFiles(host, { model, variables, folders, folder: `${folder}/files` }),
    volumes: placed.places,
    digest: sha256,
  })
  const keyOf = (service: ServicePlan): string =>
    stackKey({ owner: ids, service: service.name, taskId: isShared(service) ? null : taskId }, sha256)
  await writeStackFiles(io, { documents, plan, keyOf, folders, commands, pull: pullSettings(registry, pushed), taskId })
  for (const service of plan.services) say(`${service.name}: ${saidOf(service, model, deployment)}`)
  return {
    services: plan.services.map((service) => {
      const own = serving.get(service.name)
      const definition = model.services.get(service.name)
      const group = groups.get(service.name) ?? null
      return {
        name: service.name,
        swarmName: `${stackName(ids)}_${keyOf(service)}`,
        level: service.level,
        mode: service.mode,
        whyInPlace: service.whyInPlace,
        gate: gateOf(service),
        health: service.health ?? '/',
        containerPort: service.port,
        group,
        oldGroup: own?.group === group ? null : (own?.group ?? null),
        hasContainer: isShared(service) && own?.mode === 'in_place',
        dependsOn: definition ? needsOf(definition, model.services) : [],
      }
    }),
  }
}

const sha256 = (text: string): string => hash('sha256', text)

/** Of a service that all releases share. One that does not run is updated; every other one starts anew with each release. */
function hashOf(view: SwarmView, service: SwarmService): string {
  const running = tasksOf(view, service).filter(isRunning)
  return service.mode === 'in_place' && running.length === service.replicas ? service.hash : ''
}

/** No node starts a container that may use more processors than it has. */
function fitCpus({ nodes }: SwarmView, cpus: number | null): number | null {
  const present = nodes.filter(({ state }) => state === 'ready').map((node) => node.cpus)
  return cpus === null || present.length === 0 ? cpus : Math.min(cpus, ...present)
}

/** Nodes say which volumes they have before anything starts on them, so no service that is renamed or added again gets empty ones. */
async function labelNodes({ host, say }: StepIo, { labels, sentences, faults }: PlacedVolumes): Promise<void> {
  if (faults.length > 0) throw ChecksFailed(faults)
  for (const [node, own] of Map.groupBy(labels, (label) => label.node)) {
    const words = own.map(({ key, value }) => `${key}=${value}`)
    await runDocker(host, dockerScript('label-node', node, ...words), `A node of ${host.name} cannot be labelled`)
  }
  for (const sentence of sentences) say(sentence)
}

type StackToWrite = {
  readonly documents: StackDocuments
  readonly plan: Plan
  readonly keyOf: (service: ServicePlan) => string
  readonly folders: Folders
  readonly commands: readonly VersionCommand[]
  readonly pull: Secret
  readonly taskId: number
}

async function writeStackFiles(
  { host }: StepIo,
  { documents, plan, keyOf, folders, commands, pull, taskId }: StackToWrite,
): Promise<void> {
  const folder = stackFolder(folders)
  const documentOf = (service: ServicePlan): JsonObject =>
    onlyServices(isShared(service) ? documents.base : documents.release, new Set([keyOf(service)]))
  const write = (name: string, document: JsonObject): Promise<void> =>
    writeSecretFile(host, `${folder}/${name}.json`, { content: new Secret(composeJson(document)) })
  for (const [index, service] of plan.services.entries()) await write(String(index), documentOf(service))
  for (const [index, command] of commands.entries()) {
    const service = plan.services.find(({ name }) => name === command.service)
    if (!service) continue
    const key = commandKey(taskId, index + 1)
    await write(`command-${index + 1}`, commandDocument(documentOf(service), keyOf(service), { command, key }))
  }
  await writeSecretFile(host, `${folder}/pull/config.json`, { content: pull })
}

/** The document of a service, whose only task runs the command when it is scaled to one. */
function commandDocument(
  document: JsonObject,
  key: string,
  { command, key: own }: { readonly command: VersionCommand; readonly key: string },
): JsonObject {
  const { ports: _, healthcheck: __, networks, deploy, labels, ...service } = objectOf(objectOf(document.services)[key])
  const noService = { 'shipway.mode': 'one_shot', 'shipway.service': '', 'shipway.hash': '' }
  const quiet = (all: unknown): JsonObject => {
    const { 'shipway.group': _group, 'shipway.port': _port, 'shipway.slot': _slot, ...others } = objectOf(all)
    return { ...others, ...noService }
  }
  const { mode: _mode, update_config: _update, ...placed } = objectOf(deploy)
  const definition = {
    ...service,
    entrypoint: shell(command.script, 'command'),
    command: [],
    init: true,
    healthcheck: { disable: true },
    labels: quiet(labels),
    networks: Object.fromEntries(Object.keys(objectOf(networks)).map((network) => [network, {}])),
    deploy: { ...placed, labels: quiet(placed.labels), replicas: 0, restart_policy: { condition: 'none' } },
  }
  return { ...document, services: { [own]: definition } }
}

function gateOf({ mode, hasHealthcheck, isRouted, health }: ServicePlan): ServiceStart['gate'] {
  if (mode === 'one_shot') return 'completed'
  if (!isRouted) return 'running'
  // The Swarm says of a task that it runs when its own health check has passed.
  return hasHealthcheck || health === null ? 'port' : 'http'
}

function saidOf(
  { name, mode, restartReason }: ServicePlan,
  { services }: ComposeModel,
  { replicas }: Deployment,
): string {
  const said = mode === 'beside' ? besideSentence(replicas.get(name) ?? services.get(name)?.replicas ?? 1) : SAID[mode]
  return `${said}${restartReason === null ? '' : `, ${restartReason}`}`
}

const besideSentence = (count: number): string =>
  count === 1 ? 'a new container starts beside the old one' : `${count} new containers start beside the old ones`

const SAID: Readonly<Record<Exclude<DeployMode, 'beside'>, string>> = {
  unchanged: 'unchanged, is not touched',
  in_place: 'is updated in place',
  one_shot: 'does its work once',
}
