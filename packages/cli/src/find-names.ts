// Names of the platform that a shell can complete. The completion scripts call the client for them.
import type { Context } from './context.ts'
import { openClient } from './http/open-client.ts'
import { listEnvironments } from './target/find-environment.ts'
import { findProject, listProjects, type ProjectFlags } from './target/find-project.ts'
import { listServers } from './target/find-server.ts'

export const NAME_KINDS = ['projects', 'environments', 'servers'] as const
export type NameKind = (typeof NAME_KINDS)[number]

/** The shell waits for the names at its prompt. */
const TIMEOUT_MS = 3_000

export async function findNames(ctx: Context, kind: NameKind, flags: ProjectFlags): Promise<string[]> {
  const { config, flags: globals, folder } = ctx
  const signal = AbortSignal.any([ctx.signal, AbortSignal.timeout(TIMEOUT_MS)])
  const client = await openClient({ config, flags: globals, folder, signal })
  const list = {
    projects: () => listProjects(client),
    servers: () => listServers(client),
    environments: async () => {
      const { id } = await findProject({ config, flags: globals, folder, client: async () => client }, flags)
      return listEnvironments(client, id)
    },
  }
  return (await list[kind]()).map(({ name }) => name)
}
