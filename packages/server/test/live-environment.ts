// An environment whose routes lead to ports of this machine, as a deployment that has succeeded leaves it.
import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import type { Context } from '../src/context.ts'
import { PLATFORM } from '../src/domain/people/actor.ts'
import { replaceRoutes } from '../src/store/environments/routes.ts'
import { buildEnvironment, buildTask } from './factories.ts'
import { buildPorts } from './machine-records.ts'
import { buildOwnedProject } from './owned-project.ts'

export async function buildLiveEnvironment(
  ctx: Context,
  {
    recipe,
    port,
    name = 'web',
  }: { readonly recipe: 'docker' | 'manual'; readonly port: number; readonly name?: string },
) {
  const { owner, ...project } = await buildOwnedProject(ctx, { default_recipe: recipe })
  await ctx.db.updateTable('servers').set({ connection: 'local' }).where('id', '=', project.serverId).execute()
  const environment = await buildEnvironment(ctx, project)
  const at = ctx.clock()
  const ended = { status: 'succeeded', recipe, commit_sha: 'b'.repeat(40), started_at: at, finished_at: at } as const
  const live = await buildTask(ctx, environment.id, ended)
  await buildPorts(ctx, project.serverId, [{ environment_id: environment.id, service: name, slot: 'a', port }])
  const routes = [{ service: '', domain: environment.domain, port, name, health: '/healthz' }]
  await ctx.change(PLATFORM, (tx) => replaceRoutes(tx, { environmentId: environment.id, taskId: live.id, routes, at }))
  return { owner, project, environment, liveId: live.id, serverId: project.serverId }
}

/** Takes connections and says nothing. */
export async function listenSilently(): Promise<{ readonly port: number; readonly server: Server }> {
  const server = createServer((socket) => socket.on('error', () => undefined).unref()).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('It has no port')
  return { port: address.port, server }
}
