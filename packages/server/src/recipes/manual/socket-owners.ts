// Finds out whose processes listen on sockets of a server.
import { loadScript, shell } from '../../commands/script.ts'
import type { Host } from '../../remote/host.ts'

type Owner = 'own' | 'other' | 'unknown'

/** `folder` is the environment's on the server. Leaves out the sockets whose owner is unknown. */
export async function findOwners(
  host: Host,
  { folder, domain }: { readonly folder: string; readonly domain: string },
  sockets: readonly string[],
): Promise<ReadonlyMap<string, Owner>> {
  if (sockets.length === 0) return new Map()
  const { stdout } = await host.run(shell(ownersScript, 'shipway-socket-owners', folder, domain, ...sockets))
  const found = stdout
    .toString()
    .split('\n')
    .flatMap((line) => {
      const [, socket = '', owner = ''] = /^(\d+) (own|other|unknown)$/.exec(line) ?? []
      return owner === 'own' || owner === 'other' ? [[socket, owner] as const] : []
    })
  return new Map(found)
}

const ownersScript = loadScript(import.meta.url, 'socket-owners')
