// Makes the service of an action or of a one-off command, which runs nothing yet. May be repeated.
import type { z } from 'zod'
import type { Command } from '../../../commands/command.ts'
import { dockerScript } from '../../../commands/docker/script.ts'
import { inspectService } from '../../../commands/docker/services.ts'
import { findOwnNode } from '../../../commands/docker/swarm.ts'
import type { Registry } from '../../../deployment/registry.ts'
import { type HoldPurpose, whyNoHold } from '../../../domain/swarm/hold-node.ts'
import { isRunning, type SwarmService, type SwarmView, tasksOf } from '../../../domain/swarm/swarm-view.ts'
import { CheckFailed } from '../../../domain/tasks/step-fault.ts'
import { askDocker, runDocker } from '../../../remote/ask-docker.ts'
import type { Host } from '../../../remote/host.ts'
import type { Secret } from '../../../secrets/secret.ts'
import type { ExecTarget } from '../../runtime.ts'
import { pullAuth } from '../registry/push-images.ts'
import { listSwarm } from '../view/list-swarm.ts'
import { holdDefinition, jobDefinition, type NewHold, type NewJob, ServiceDefinition } from './job-definition.ts'

/** On the node of a container that serves. */
export async function createJob(
  host: Host,
  target: ExecTarget,
  job: NewJob & { readonly words: Command },
): Promise<void> {
  const { view, service, definition } = await readTarget(host, target, job)
  const task = tasksOf(view, service).find(isRunning)
  if (!task) throw runsNoMore(host, target)
  const body = jobDefinition(definition, { ...job, nodeId: task.nodeId })
  await createService(host, target, { name: job.name, body })
}

type HoldRequest = NewHold & {
  readonly purpose: HoldPurpose
  /** The manager may have no image of the service yet. */
  readonly registry: Registry | null
}

/** On the manager in use, for commands that enter its container. Throws where none may run there. */
export async function createHold(
  host: Host,
  target: ExecTarget,
  { purpose, registry, ...hold }: HoldRequest,
): Promise<void> {
  const { view, service, definition } = await readTarget(host, target, hold)
  const nodeId = (await askDocker(host, findOwnNode)).trim()
  const { Placement, ContainerSpec } = definition.TaskTemplate
  const why = whyNoHold(view.nodes, nodeId, { purpose, service, constraints: Placement?.Constraints ?? [] })
  if (why !== undefined) throw CheckFailed(why)
  const body = holdDefinition(definition, { ...hold, nodeId })
  await createService(host, target, {
    name: hold.name,
    body,
    ...(registry && { auth: pullAuth(registry, ContainerSpec.Image) }),
  })
}

type Target = {
  readonly view: SwarmView
  readonly service: SwarmService
  readonly definition: z.infer<typeof ServiceDefinition>
}

async function readTarget(host: Host, target: ExecTarget, { owner }: Pick<NewJob, 'owner'>): Promise<Target> {
  const view = await listSwarm(host, owner)
  const service = view.services.find(({ id }) => id === target.id)
  if (!service || !tasksOf(view, service).some(isRunning)) throw runsNoMore(host, target)
  const printed = await askDocker(host, inspectService(service.id))
  return { view, service, definition: ServiceDefinition.parse(JSON.parse(printed)) }
}

const runsNoMore = (host: Host, { service }: ExecTarget) =>
  CheckFailed(`${service} does not run any more on ${host.name}. Run it again when the deployment has finished`)

type NewService = { readonly name: string; readonly body: object; readonly auth?: Secret }

async function createService(host: Host, target: ExecTarget, { name, body, auth }: NewService): Promise<void> {
  const order = {
    command: dockerScript('create-service', name),
    input: `${auth?.reveal() ?? ''}\n${JSON.stringify(body)}`,
  }
  await runDocker(host, order, `A container like that of ${target.service} cannot be made on ${host.name}`)
}
