// Which ports of a server are in use, and by whom: what the records do not know of may listen there too.
import type { Host } from '../remote/host.ts'
import { dockerScript } from './docker/script.ts'

type Ids = { readonly installationId: string; readonly environmentId: number }

export type UsedPorts = {
  /** The sockets that listen on a port, whatever their address. */
  readonly sockets: ReadonlyMap<number, readonly string[]>
  /** Published by containers of this environment that run. */
  readonly own: ReadonlySet<number>
  readonly inUse: ReadonlySet<number>
}

/** What cannot be seen is not there: then Docker or the application says that the port is taken. */
export async function findUsedPorts(host: Host, { installationId, environmentId }: Ids): Promise<UsedPorts> {
  const { stdout } = await host.run(dockerScript('used-ports'))
  const lines = stdout.toString().split('\n')
  const sockets = new Map<number, string[]>()
  for (const [, port = '', socket = ''] of lines.flatMap((line) => [
    /^listens ([0-9A-F]{4}) (\d+)$/.exec(line) ?? [],
  ])) {
    if (port !== '') sockets.set(Number.parseInt(port, 16), [...(sockets.get(Number.parseInt(port, 16)) ?? []), socket])
  }
  const published = lines.flatMap((line) => readPublished(line))
  const isOwn = ({ place }: { place: string }): boolean => place === `${installationId}/${environmentId}`
  return {
    sockets,
    own: new Set(published.filter(isOwn).map(({ port }) => port)),
    inUse: new Set([...sockets.keys(), ...published.map(({ port }) => port)]),
  }
}

/** As docker writes them: `127.0.0.1:20000->3000/tcp, :::8000-8001->80-81/tcp`. */
function readPublished(line: string): { place: string; port: number }[] {
  const [, place = '', ports = ''] = /^publishes (\S+) (.*)$/.exec(line) ?? []
  return [...ports.matchAll(/:(\d{1,5})(?:-(\d{1,5}))?->/g)].flatMap(([, first, last = first]) => {
    const count = Math.max(0, Number(last) - Number(first)) + 1
    return Array.from({ length: Math.min(count, MOST_PORTS) }, (_, index) => ({ place, port: Number(first) + index }))
  })
}

const MOST_PORTS = 65_536

type Owner = 'own' | 'other' | 'unknown'

/** Whose the sockets are. `folder` is the environment's on the server. */
export async function findOwners(
  host: Host,
  { folder, domain }: { readonly folder: string; readonly domain: string },
  sockets: readonly string[],
): Promise<ReadonlyMap<string, Owner>> {
  if (sockets.length === 0) return new Map()
  const { stdout } = await host.run(dockerScript('socket-owners', folder, domain, ...sockets))
  const found = stdout
    .toString()
    .split('\n')
    .flatMap((line) => {
      const [, socket = '', owner = ''] = /^(\d+) (own|other|unknown)$/.exec(line) ?? []
      return owner === 'own' || owner === 'other' ? [[socket, owner] as const] : []
    })
  return new Map(found)
}
