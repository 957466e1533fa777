// Finds the container in which an action runs, or which a one-off command gets one like.
import type { StepIo } from '../../../deployment/run.ts'
import { ONE_OFF } from '../../../domain/compose/orphaned-containers.ts'
import { CheckFailed } from '../../../domain/tasks/step-fault.ts'
import type { ExecTarget, TargetSearch } from '../../runtime.ts'
import { type Container, listContainers } from '../containers/list-containers.ts'

export async function findContainer(
  { host, say }: Pick<StepIo, 'host' | 'say'>,
  { owner, service: named, servingTaskId, purpose }: TargetSearch,
): Promise<ExecTarget> {
  const running = (await listContainers(host, owner)).filter(
    ({ status, mode }) => status === 'running' && mode !== ONE_OFF,
  )
  const service = named ?? onlyService(running)
  const own = running.filter((container) => container.service === service).toSorted((a, b) => b.task - a.task)
  // A deployment under way may have started a container beside it, which serves no requests yet, or have replaced the only one.
  const container = own.find(({ task }) => task <= servingTaskId) ?? own[0]
  if (!container || service === undefined) throw CheckFailed(noContainer(service, running, purpose))
  say(`${purpose === 'action' ? 'In' : 'Like'} the container ${container.id.slice(0, 12)} of ${service}`)
  return { id: container.id, service }
}

function onlyService(containers: readonly Container[]): string | undefined {
  const [only, ...others] = new Set(containers.map(({ service }) => service))
  return others.length === 0 ? only : undefined
}

function noContainer(
  service: string | undefined,
  running: readonly Container[],
  purpose: TargetSearch['purpose'],
): string {
  const names = [...new Set(running.map((container) => container.service))].sort()
  if (names.length === 0) return `No container of this environment runs. Deploy it, and run the ${purpose} again`
  const choice = `These run: ${names.join(', ')}`
  return service === undefined
    ? `The ${purpose} does not say in which service it runs. ${NAME_ONE[purpose]}. ${choice}`
    : `No container of the service ${service} runs. ${choice}`
}

const NAME_ONE = {
  action: 'Name one with service in .service.yml',
  command: 'Name one with service, in the client with -s',
} as const
