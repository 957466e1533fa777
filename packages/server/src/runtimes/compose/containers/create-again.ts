// Recreates a container from its definition through the Engine API: no docker command takes a definition.
import { z } from 'zod'
import type { Command } from '../../../commands/command.ts'
import { aliasWord } from '../../../commands/docker/networks.ts'
import { dockerScript } from '../../../commands/docker/script.ts'
import { runDocker } from '../../../remote/ask-docker.ts'
import type { Host } from '../../../remote/host.ts'
import type { Definition } from './definition.ts'

/** Its name until it takes over that of the container before it. */
export const nameOf = ({ Name }: Definition): string => `${Name}.back`

/** Does nothing if an interrupted attempt has made it already. Does not start it, and connects only the first of its networks. */
export async function createAgain(host: Host, definition: Definition, service: string): Promise<void> {
  const { Config, HostConfig, NetworkSettings, Image } = definition
  const [first] = Object.entries(NetworkSettings.Networks ?? {})
  const body = {
    ...Config,
    Image,
    HostConfig: { ...HostConfig, Binds: [...bindsOf(HostConfig.Binds), ...unnamedVolumes(definition)] },
    // Older engines accept only one network here.
    NetworkingConfig: { EndpointsConfig: first ? Object.fromEntries([first]) : {} },
  }
  const order = { command: dockerScript('create-container', nameOf(definition)), input: JSON.stringify(body) }
  await runDocker(host, order, `${service} cannot be made again on ${host.name}`)
}

/** Connects the remaining networks. */
export function connectCommand(container: string, { NetworkSettings }: Definition): Command {
  const networks = Object.entries(NetworkSettings.Networks ?? {}).flatMap(([network, { Aliases }]) => {
    const aliases = (Array.isArray(Aliases) ? Aliases : []).map((alias) => aliasWord(String(alias)))
    return [network, String(aliases.length), ...aliases]
  })
  return dockerScript('connect-container', container, ...networks)
}

const bindsOf = (binds: unknown): string[] => (Array.isArray(binds) ? binds.map(String) : [])

/** Anonymous volumes. One that was taken over before is in the definition by its name. */
function unnamedVolumes({ Mounts, HostConfig }: Definition): string[] {
  const named = bindsOf(HostConfig.Binds).map((bind) => bind.split(':')[1])
  const mounted = z
    .array(z.object({ Target: z.string() }))
    .catch([])
    .parse(HostConfig.Mounts)
  const taken = new Set([...named, ...mounted.map(({ Target }) => Target)])
  return Mounts.flatMap(({ Type, Name = '', Destination }) =>
    Type === 'volume' && UNNAMED.test(Name) && !taken.has(Destination) ? [`${Name}:${Destination}`] : [],
  )
}

const UNNAMED = /^[0-9a-f]{64}$/
