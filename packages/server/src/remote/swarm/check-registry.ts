// Signs in to a registry from a manager of a Swarm, before the platform keeps its password.
import { loadScript, shell } from '../../commands/script.ts'
import { dockerHub, registryOf } from '../../domain/compose/registries.ts'
import { RegistryRefused } from '../../domain/errors.ts'
import type { Secret } from '../../secrets/secret.ts'
import { ask } from '../ask.ts'
import type { Host } from '../host.ts'
import { lastLine } from '../last-line.ts'

export type RegistryLogin = { readonly address: string; readonly username: string; readonly password: Secret }

/** Throws RegistryRefused, with what Docker says. */
export async function checkRegistry(
  host: Host,
  { address, username, password }: RegistryLogin,
  signal: AbortSignal,
): Promise<void> {
  const name = registryOf(`${address}/any`) ?? dockerHub
  const command = shell(script, 'shipway-check-registry', name, username)
  await ask(host, { command, input: password.reveal(), signal }, ({ stderr }) =>
    RegistryRefused(host.name, address, lastLine(stderr).replaceAll(password.reveal(), '[hidden]')),
  )
}

const script = loadScript(import.meta.url, 'check-registry')
