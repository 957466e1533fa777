// What can happen while others look on: something is changed, a connection is cut, a platform dies.
import { createClient } from '@shipway/api'
import type { Platforms } from '../faults/platforms.ts'
import { ledFetch, type ModelReader, readAlong, retryWhileDown } from './reader.ts'

export type Scene = {
  readonly nodes: Platforms['nodes']
  readonly token: string
  readonly projectId: number
  /** Between 0 and 1, without 1; the same ones for the same seed. */
  readonly chance: () => number
}

const READERS = 4

export async function openScene({ nodes, token, projectId: id, chance }: Scene) {
  const pick = <One>(list: readonly One[]): One => {
    const one = list[Math.floor(chance() * list.length)]
    if (one === undefined) throw new Error('There is nothing to pick from')
    return one
  }
  const address = (): string => pick(nodes).url
  const client = createClient({ baseUrl: address(), token: () => token, fetch: ledFetch(address) })
  const [organizationId = 0] = (await client.listOrganizations({})).map((one) => one.id)
  const [serverId = 0] = (await client.listServers({})).map((one) => one.id)
  const environments: number[] = []
  const tasks: number[] = []
  const make = async (name: string): Promise<void> => {
    environments.push((await client.createEnvironment({ params: { id }, body: { name, branch: 'main' } })).id)
  }
  for (const name of ['one', 'two', 'three']) await make(name)
  const topics = [`organization:${organizationId}`, `project:${id}`]
  const readers = Array.from({ length: READERS }, () => readAlong({ token, address, topics }))
  // A first connection is given up after a while, and on a busy machine a platform that was killed takes longer to come back.
  await Promise.all(readers.map(({ online }) => online))
  const watch = (reader: ModelReader, taskId: number): void => {
    for (const topic of [`task:${taskId}`, `task:${taskId}:log`]) reader.watch(topic)
  }
  let restarting: Promise<void> = Promise.resolve()

  const moments: readonly { readonly weight: number; readonly happens: () => Promise<unknown> }[] = [
    {
      weight: 1,
      happens: () => client.updateOrganization({ params: { id: organizationId }, body: { name: `Us ${chance()}` } }),
    },
    {
      weight: 1,
      happens: () => client.updateServer({ params: { id: serverId }, body: { name: `Server ${chance()}` } }),
    },
    { weight: 1, happens: () => client.updateProject({ params: { id }, body: { name: `Project ${chance()}` } }) },
    { weight: 1, happens: () => client.updateMe({ body: { name: `Somebody ${chance()}` } }) },
    {
      weight: 4,
      happens: () =>
        client.updateEnvironment({ params: { id: pick(environments) }, body: { title: `Title ${chance()}` } }),
    },
    {
      weight: 1,
      happens: () =>
        client.changeVariables({ params: { id: pick(environments) }, body: { set: { KEY: `${chance()}` } } }),
    },
    { weight: 2, happens: () => make(`made-${environments.length}-${Math.floor(chance() * 1e6)}`) },
    {
      weight: 1,
      happens: async () => {
        const removed = pick(environments.slice(3))
        await client.deleteEnvironment({ params: { id: removed } })
        environments.splice(environments.indexOf(removed), 1)
      },
    },
    {
      weight: 6,
      happens: async () => {
        const task = await client.startDeployment({ params: { id: pick(environments) } })
        tasks.push(task.id)
        for (const reader of readers) if (chance() < 0.7) watch(reader, task.id)
      },
    },
    { weight: 2, happens: async () => (tasks.length > 0 ? watch(pick(readers), pick(tasks)) : undefined) },
    { weight: 4, happens: async () => pick(readers).cut() },
    {
      weight: 3,
      happens: async () => {
        await restarting
        const node = pick(nodes)
        restarting = node.end(chance() < 0.7 ? 'SIGKILL' : 'SIGTERM').then(() => node.restart())
        // With one platform nothing else can happen meanwhile.
        if (nodes.length === 1) await restarting
      },
    },
  ]
  const all = moments.flatMap(({ weight, happens }) => Array.from({ length: weight }, () => happens))
  return {
    client,
    readers,
    tasks,
    organizationId,
    /** One thing happens; what cannot be just now does not. */
    next: () => {
      const happens = pick(all)
      return retryWhileDown(() => unlessRefused(happens))
    },
    settled: () => restarting,
  }
}

/** A deployment is under way, an environment is being removed, or there is none to remove. */
async function unlessRefused(happens: () => Promise<unknown>): Promise<void> {
  try {
    await happens()
  } catch (error) {
    const isRefusal = error instanceof Error && 'status' in error && [404, 409].includes(Number(error.status))
    if (!isRefusal && !String(error).includes('nothing to pick from')) throw error
  }
}
