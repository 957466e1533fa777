// Finds the ports of a server that are in use, also by programs that the records do not know.
import { z } from 'zod'
import { dockerScript } from '../../../commands/docker/script.ts'
import { type Host, TooMuchOutput } from '../../../remote/host.ts'
import type { UsedPorts } from '../../runtime.ts'
import { EngineJson } from '../engine-json.ts'

type Ids = { readonly installationId: string; readonly environmentId: number }

/** May miss ports. Then Docker or the application reports that the port is taken. */
export async function findUsedPorts(host: Host, { installationId, environmentId }: Ids): Promise<UsedPorts> {
  const { said, published } = (await listPorts(host, 'engine')) ?? (await listPorts(host, 'docker')) ?? NOTHING
  const sockets = new Map<number, string[]>()
  for (const [, hexadecimal = '', socket = ''] of said.matchAll(/^listens ([0-9A-F]{4}) (\d+)$/gm)) {
    const port = Number.parseInt(hexadecimal, 16)
    const known = sockets.get(port)
    if (known) known.push(socket)
    else sockets.set(port, [socket])
  }
  const own = published.filter(({ owner }) => owner === `${installationId}/${environmentId}`)
  return {
    sockets,
    own: new Set(own.map(({ port }) => port)),
    inUse: new Set([...sockets.keys(), ...published.map(({ port }) => port)]),
  }
}

type PortReport = { readonly said: string; readonly published: readonly Published[] }

const NOTHING: PortReport = { said: '', published: [] }

/** Undefined where the output is too long or malformed: labels can have any length. The docker command leaves them out. */
async function listPorts(host: Host, source: 'engine' | 'docker'): Promise<PortReport | undefined> {
  const printed = await host.run(dockerScript('used-ports', source)).catch((error: unknown) => {
    if (source === 'docker' || !(error instanceof TooMuchOutput)) throw error
  })
  if (!printed) return undefined
  const said = printed.stdout.subarray(0, MOST_BYTES).toString()
  const json = /^\[.*$/m.exec(said)?.[0]
  const published = json === undefined ? readPublished(said) : Listed.safeParse(json).data?.flat()
  return published && { said, published }
}

type Published = { readonly owner: string; readonly port: number }

/** As the Engine lists them. */
const Listed = EngineJson.pipe(
  z.array(
    z
      .object({
        Labels: z.record(z.string(), z.string()).nullish(),
        Ports: z.array(z.object({ PublicPort: z.number().nullish() })).nullish(),
      })
      .transform(({ Labels, Ports }): readonly Published[] => {
        const owner = `${Labels?.['shipway.installation'] ?? ''}/${Labels?.['shipway.environment'] ?? ''}`
        return (Ports ?? []).flatMap(({ PublicPort }) => (PublicPort ? [{ owner, port: PublicPort }] : []))
      }),
  ),
)

/** As docker writes them: `127.0.0.1:20000->3000/tcp, :::8000-8001->80-81/tcp`. */
function readPublished(said: string): readonly Published[] {
  const published: Published[] = []
  for (const [, owner = '', ports = ''] of said.matchAll(/^publishes (\S+) (.*)$/gm)) {
    if (published.length > MOST_PORTS) break
    for (const port of publishedPorts(ports)) published.push({ owner, port })
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

/** The server decides how much it prints. */
const MOST_BYTES = 1024 * 1024
const MOST_PORTS = 100_000
