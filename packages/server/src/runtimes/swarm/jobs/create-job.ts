// Makes the service of an action or of a one-off command, which runs nothing yet. May be repeated.
import type { Command } from '../../../commands/command.ts'
import { dockerScript } from '../../../commands/docker/script.ts'
import { inspectService } from '../../../commands/docker/services.ts'
import type { ContainerOwner } from '../../../domain/compose/project-name.ts'
import { isRunning, tasksOf } from '../../../domain/swarm/swarm-view.ts'
import { CheckFailed } from '../../../domain/tasks/step-fault.ts'
import { askDocker, tellDocker } from '../../../remote/ask-docker.ts'
import type { Host } from '../../../remote/host.ts'
import type { ExecTarget } from '../../runtime.ts'
import { listSwarm } from '../view/list-swarm.ts'
import { jobDefinition, ServiceDefinition } from './job-definition.ts'

type NewJob = {
  readonly owner: ContainerOwner
  readonly taskId: number | null
  readonly name: string
  readonly words: Command
}

export async function createJob(host: Host, target: ExecTarget, job: NewJob): Promise<void> {
  const view = await listSwarm(host, job.owner)
  const service = view.services.find(({ id }) => id === target.id)
  const task = service && tasksOf(view, service).find(isRunning)
  if (!service || !task)
    throw CheckFailed(
      `${target.service} does not run any more on ${host.name}. Run it again when the deployment has finished`,
    )
  const printed = await askDocker(host, inspectService(service.id))
  const definition = jobDefinition(ServiceDefinition.parse(JSON.parse(printed)), { ...job, nodeId: task.nodeId })
  const order = { command: dockerScript('create-service', job.name), input: JSON.stringify(definition) }
  await tellDocker(host, order, `A container like that of ${target.service} cannot be made on ${host.name}`)
}
