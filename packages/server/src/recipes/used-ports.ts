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
  const said = stdout.subarray(0, MOST_BYTES).toString()
  const sockets = new Map<number, string[]>()
  for (const [, hexadecimal = '', socket = ''] of said.matchAll(/^listens ([0-9A-F]{4}) (\d+)$/gm)) {
    const port = Number.parseInt(hexadecimal, 16)
    const known = sockets.get(port)
    if (known) known.push(socket)
    else sockets.set(port, [socket])
  }
  const published = readPublished(said)
  const own = published.filter(({ place }) => place === `${installationId}/${environmentId}`)
  return {
    sockets,
    own: new Set(own.map(({ port }) => port)),
    inUse: new Set([...sockets.keys(), ...published.map(({ port }) => port)]),
  }
}

type Published = { readonly place: string; readonly port: number }

/** As docker writes them: `127.0.0.1:20000->3000/tcp, :::8000-8001->80-81/tcp`. */
function readPublished(said: string): readonly Published[] {
  const published: Published[] = []
  for (const [, place = '', ports = ''] of said.matchAll(/^publishes (\S+) (.*)$/gm)) {
    if (published.length > MOST_PORTS) break
    for (const port of publishedPorts(ports)) published.push({ place, port })
  }
  return published
}

/** Of one container. */
export function publishedPorts(ports: string): number[] {
  const published: number[] = []
  for (const [, first, last = first] of ports.matchAll(/:(\d{1,5})(?:-(\d{1,5}))?->/g)) {
    for (let port = Number(first); port <= Number(last) && published.length < MOST_PORTS; port++) published.push(port)
  }
  return published
}

/** The server says how much there is. */
const MOST_BYTES = 1024 * 1024
const MOST_PORTS = 100_000

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
