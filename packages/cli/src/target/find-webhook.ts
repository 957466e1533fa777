// Webhooks that a project sends: by id or address.
import type { Client, Hook } from '@shipway/api'
import type { Context } from '../context.ts'
import { findByName, readId } from './find-by-name.ts'
import { findProject, type ProjectFlags } from './find-project.ts'
import { undefinedIfNotFound } from './not-found.ts'

export const listWebhooks = async (client: Client, projectId: number): Promise<readonly Hook[]> =>
  client.listHooks({ params: { id: projectId } })

/** With an id, no project is needed. */
export async function findWebhook(ctx: Context, flags: ProjectFlags, wanted: string): Promise<Hook> {
  const client = await ctx.client()
  const id = readId(wanted)
  const byId = id === undefined ? undefined : await client.getHook({ params: { id } }).catch(undefinedIfNotFound)
  if (byId) return byId
  const hooks = await listWebhooks(client, (await findProject(ctx, flags)).id)
  const named = hooks.map((hook) => ({ ...hook, name: hook.url }))
  return findByName('webhook', wanted, named)
}
