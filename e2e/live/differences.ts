// Where a reader believes something else than the API answers.
import type { Client } from '@shipway/api'
import type { Model } from './model.ts'

type Identified = { readonly id: number }

export async function differences(
  client: Client,
  model: Model,
  { organizationId, projectId }: { readonly organizationId: number; readonly projectId: number },
): Promise<readonly unknown[]> {
  const found: unknown[] = []
  const compare = (name: string, believed: unknown, actual: unknown): void => {
    if (JSON.stringify(believed) !== JSON.stringify(actual)) found.push({ name, ...firstDifference(believed, actual) })
  }
  const compareAll = (name: string, believed: ReadonlyMap<number, Identified>, actual: readonly Identified[]): void =>
    compare(name, byId([...believed.values()]), byId(actual))
  const everything = { limit: 200 }
  compareAll('organizations', model.organizations, [await client.getOrganization({ params: { id: organizationId } })])
  compareAll('projects', model.projects, await client.listProjects({ query: everything }))
  compareAll('servers', model.servers, await client.listServers({ query: everything }))
  const environments = await client.listEnvironments({ params: { id: projectId }, query: everything })
  compareAll('environments', model.environments, environments)
  for (const [id, believed] of model.tasks) compare(`task ${id}`, believed, await client.getTask({ params: { id } }))
  for (const [id, believed] of model.logs) compare(`log ${id}`, believed, await client.readTaskLog({ params: { id } }))
  return found
}

const byId = (list: readonly Identified[]): readonly Identified[] => list.toSorted((one, other) => one.id - other.id)

/** Enough to see what it is about. */
function firstDifference(believed: unknown, actual: unknown): { readonly believed: string; readonly actual: string } {
  const [one = '', other = ''] = [JSON.stringify(believed), JSON.stringify(actual)]
  let at = 0
  while (at < one.length && one[at] === other[at]) at++
  const around = (text: string): string => `${text.length}: ${text.slice(Math.max(0, at - 60), at + 60)}`
  return { believed: around(one), actual: around(other) }
}
