// Removes whatever a Swarm has of an environment, or all but its volumes.
import { readableLine } from '../../../commands/command.ts'
import { dockerScript } from '../../../commands/docker/script.ts'
import { removeVolumes } from '../../../commands/docker/swarm.ts'
import type { ContainerOwner } from '../../../domain/compose/project-name.ts'
import { volumeLabels } from '../../../domain/swarm/place-volumes.ts'
import { CheckFailed } from '../../../domain/tasks/step-fault.ts'
import { ask } from '../../../remote/ask.ts'
import type { Host } from '../../../remote/host.ts'
import { lastLine } from '../../../remote/last-line.ts'
import { removeEverything } from '../../compose/containers/remove.ts'
import { removeMoved as removeMovedOfCompose } from '../../compose/orphans/clean-up-moved.ts'
import type { MovedEnvironment, RemovalOptions } from '../../runtime.ts'
import { removeRepository } from '../registry/clean-registry.ts'
import { removeUnusedParts } from './remove-version.ts'

/** Services, networks, secrets, configs and images; volumes of the manager. Returns a sentence for each thing that stays. */
export async function removeEnvironment(
  host: Host,
  owner: ContainerOwner,
  options: RemovalOptions,
): Promise<readonly string[]> {
  const { stayed, volumes } = await removeFromSwarm(host, owner, options)
  await removeEverything(host, owner, options)
  await removeRepository(host, owner)
  return [...stayed, ...volumes, ...(await forgetVolumes(host, owner))]
}

export async function removeMoved(
  host: Host,
  moved: MovedEnvironment,
  data: 'keep data' | RemovalOptions,
): Promise<readonly string[]> {
  const { stayed, volumes } = await removeFromSwarm(
    host,
    moved.ids,
    data === 'keep data' ? { mayLackEngine: true } : data,
  )
  await removeRepository(host, moved.ids)
  const more = await removeMovedOfCompose(host, moved, data)
  return [...stayed, ...more, ...(data === 'keep data' ? [] : [...volumes, ...(await forgetVolumes(host, moved.ids))])]
}

/** Nodes lose the labels that say which volumes they have. Returns a sentence for each node that still has some. */
async function forgetVolumes(host: Host, owner: ContainerOwner): Promise<readonly string[]> {
  const command = dockerScript('forget-volumes', volumeLabels(owner))
  const printed = await ask(
    host,
    { command, timeoutMs: REMOVE_MS },
    `Labels of nodes cannot be removed on ${host.name}`,
  )
  return printed
    .split('\n')
    .filter(Boolean)
    .map((line) => {
      const [node, ...volumes] = line.split(' ')
      return `Data of the environment stay on ${node}, where no manager can delete them. Run there: ${removalOf(volumes)}`
    })
}

/** People paste it as root. */
const removalOf = (volumes: readonly string[]): string => readableLine(removeVolumes(volumes))

const REMOVE_MS = 8 * 60_000
/** Longer than any container may take to stop. */
const STOP_SECONDS = 330

/** A sentence for each thing that stays. */
type Remains = { readonly stayed: readonly string[]; readonly volumes: readonly string[] }

async function removeFromSwarm(host: Host, owner: ContainerOwner, { mayLackEngine }: RemovalOptions): Promise<Remains> {
  const engine = mayLackEngine ? 'optional' : 'required'
  const words = [owner.installationId, String(owner.environmentId), engine, String(STOP_SECONDS)]
  const command = dockerScript('remove-from-swarm', ...words)
  const printed = await ask(host, { command, timeoutMs: REMOVE_MS }, ({ stderr }) =>
    CheckFailed(`Docker on ${host.name} could not remove the environment: ${lastLine(stderr)}`),
  )
  const lines = printed.split('\n')
  const away = linesOf(lines, 'away').map((task) => `A container ends when its node is back: ${task}`)
  const parts = await removeUnusedParts(host, owner, { engine, keptTaskIds: [] })
  const shared = linesOf(lines, 'volume')
  const entries =
    `Volumes on file servers stay listed on each node that ran their containers, and their data stay there. ` +
    `Run on those nodes: ${removalOf(shared)}`
  return { stayed: [...away, ...parts], volumes: shared.length > 0 ? [entries] : [] }
}

const linesOf = (lines: readonly string[], kind: 'away' | 'volume'): readonly string[] =>
  lines.flatMap((line) => (line.startsWith(`${kind} `) ? [line.slice(kind.length + 1)] : []))
