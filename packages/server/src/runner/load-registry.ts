// The registry of an environment, with what opens it.
import { usesRegistry } from '@shipway/api/values/runtime-facts'
import type { Context } from '../context.ts'
import { type Registry, repositoryOf } from '../deployment/registry.ts'
import { serverRegistryContext } from '../domain/encryption-context.ts'
import type { ServerAddress } from '../domain/server-address.ts'
import { findRegistry } from '../store/servers/servers.ts'

type RegistryUser = { readonly environmentId: number; readonly server: ServerAddress }

/** Null where one machine runs everything. */
export async function loadRegistry(ctx: Context, { environmentId, server }: RegistryUser): Promise<Registry | null> {
  if (!usesRegistry[server.runtime]) return null
  const { installationId, registryKeys } = ctx
  const { image: imageToken } = ctx.environmentTokens(environmentId)
  const repository = repositoryOf({ installationId, environmentId, imageToken })
  const named = await findRegistry(ctx.db, server.id)
  if (named) {
    const { address, username, passwordSealed } = named
    const password = ctx.box.open(passwordSealed, serverRegistryContext(server.id))
    return { type: 'named', repository, address, username, password }
  }
  return {
    type: 'manager',
    repository,
    signToken: (access) => registryKeys.signToken({ serverId: server.id, repository, access, now: ctx.clock() }),
    certify: (address) => registryKeys.certify(server.id, address),
  }
}
