// Puts a container that served back into the place of one that did not come to serve, with the data of both.
//
// The failed one goes last: as long as it is there, whoever looks for leftovers does all of this again.
import type { Command } from '../../../commands/command.ts'
import { CheckFailed, StepFault } from '../../../domain/step-fault.ts'
import type { Host } from '../../../remote/host.ts'
import { replacedFolder } from '../../deployment.ts'
import { lastLine } from '../last-line.ts'
import { dockerScript } from '../script.ts'
import { type Definition, definitionFile, readDefinition } from './definition.ts'
import { type Container, listContainers, type Place } from './list-containers.ts'

type OfEnvironment = Place & { readonly folder: string }

/** Gives a sentence for each: that it is back, or why it stays as it is. */
export async function bringAllBack(
  host: Host,
  { folder, ...place }: OfEnvironment,
  replaced: readonly Container[],
): Promise<readonly string[]> {
  const told: string[] = []
  for (const failed of replaced) {
    const file = definitionFile(replacedFolder(folder), failed.service)
    try {
      await bringBack(host, place, { failed, file })
      told.push(`${failed.service} is back as it was before`)
    } catch (error) {
      if (!(error instanceof StepFault)) throw error
      told.push(error.message)
    }
  }
  return told
}

async function bringBack(
  host: Host,
  place: Place,
  { failed, file }: { readonly failed: Container; readonly file: string },
): Promise<void> {
  const definition = await readDefinition(host, file)
  if (!definition) throw CheckFailed(`How ${failed.service} was before is not known on ${host.name}: it stays as it is`)
  const draft = `${definition.Name}.back`
  const known = (await listContainers(host, place)).find(
    ({ service, task }) => service === failed.service && task === taskOf(definition),
  )
  const container = known?.id ?? (await create(host, { definition, name: draft, from: failed.id }))
  await run(host, ['docker', 'stop', '--', failed.id])
  await run(host, ['docker', 'start', '--', container])
  await run(host, dockerScript('take-name', container, failed.id, definition.Name))
  // Without its volumes, which are the other's now.
  await run(host, ['docker', 'rm', '--force', '--', failed.id])
}

const taskOf = ({ Config }: Definition): number => Number(Config.Labels['shipway.task'])

type Creation = { readonly definition: Definition; readonly name: string; readonly from: string }

/** By the Engine's own interface: no command of docker takes a definition. */
async function create(host: Host, { definition, name, from }: Creation): Promise<string> {
  const { Config, HostConfig, NetworkSettings } = definition
  const [first, ...others] = Object.entries(NetworkSettings.Networks ?? {})
  const body = {
    ...Config,
    // Volumes without a name went over to the failed one.
    HostConfig: { ...HostConfig, VolumesFrom: [from] },
    // Older engines take one network at once.
    NetworkingConfig: { EndpointsConfig: first ? Object.fromEntries([first]) : {} },
  }
  await run(host, dockerScript('create-container', name), JSON.stringify(body))
  for (const [network, { Aliases }] of others) {
    const aliases = (Array.isArray(Aliases) ? Aliases : []).flatMap((alias) => ['--alias', String(alias)])
    await run(host, ['docker', 'network', 'connect', ...aliases, '--', network, name])
  }
  return name
}

async function run(host: Host, command: Command, input?: string): Promise<void> {
  const { exitCode, stderr } = await host.run(command, input === undefined ? {} : { input })
  if (exitCode !== 0)
    throw CheckFailed(`The earlier container cannot be brought back on ${host.name}: ${lastLine(stderr)}`)
}
