// Many deliveries at once to two platforms on one database: a third are sent twice, and their effects are counted in the records.
import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { createClient } from '@shipway/api'
import { type Platforms, startPlatforms } from '../faults/platforms.ts'
import { until } from '../journey.ts'
import { type Answered, openHook, pullRequestWas, pushTo, type SentDelivery } from './deliveries.ts'

const BRANCHES = 20
const CONNECTIONS = 4

export type LoadResult = {
  readonly sent: number
  readonly milliseconds: readonly number[]
  /** Every deviation, as a sentence. */
  readonly faults: readonly string[]
}

type Load = { readonly deliveries: number; readonly seconds: number }

export async function loadWebhooks({ deliveries, seconds }: Load): Promise<LoadResult> {
  const gitHost = await startSilentHost()
  // One task at a time, which waits for a git host that never answers: only the deliveries are measured.
  const platforms = await startPlatforms(2, { SHIPWAY_MOST_TASKS: '1' })
  try {
    const { projectId, secret, path } = await createProject(platforms, gitHost.port)
    const all = makeDeliveries(deliveries)
    const hooks = Array.from({ length: CONNECTIONS }, (_, index) => {
      const node = platforms.nodes[index % platforms.nodes.length]
      return openHook(`${node?.url}${path}`, secret)
    })
    const answers = await sendAll(hooks, all, seconds)
    for (const hook of hooks) hook.close()
    const faults = await findFaults(platforms, { projectId, all, answers })
    return { sent: answers.length, milliseconds: answers.map(({ ms }) => ms), faults }
  } finally {
    await platforms.stop()
    await gitHost.stop()
  }
}

type AnsweredDelivery = Answered & { readonly id: string }
type Planned = SentDelivery & {
  readonly id: string
  readonly number?: number
  readonly branch?: string
  readonly sha: string
}

/** Every third delivery repeats the one before it. Pull requests and pushes alternate. */
function makeDeliveries(count: number): readonly Planned[] {
  const heads = new Map<string, string>()
  const planned: Planned[] = []
  for (let index = 0; planned.length < count; index++) {
    const id = randomUUID()
    const sha = createHash('sha1').update(id).digest('hex')
    const delivery = index % 2 === 0 ? opened(index + 1, sha, id) : pushed(index, { sha, id, heads })
    planned.push(delivery)
    if (index % 2 === 1 && planned.length < count) planned.push(delivery)
  }
  return planned
}

const opened = (number: number, sha: string, id: string): Planned => ({
  id,
  sha,
  number,
  event: 'pull_request',
  payload: pullRequestWas('opened', { number, branch: `feature-${number}`, sha }),
})

function pushed(
  index: number,
  { sha, id, heads }: { readonly sha: string; readonly id: string; readonly heads: Map<string, string> },
): Planned {
  const branch = `branch-${index % BRANCHES}`
  const before = heads.get(branch)
  heads.set(branch, sha)
  return { id, sha, branch, event: 'push', payload: pushTo(branch, { ...(before && { before }), after: sha }) }
}

/** Each at its time, on a free connection; a repeated one uses two connections. */
async function sendAll(
  hooks: readonly ReturnType<typeof openHook>[],
  all: readonly Planned[],
  seconds: number,
): Promise<readonly AnsweredDelivery[]> {
  const begun = performance.now()
  const answers: AnsweredDelivery[] = []
  await Promise.all(
    hooks.map(async (hook, lane) => {
      for (let index = lane; index < all.length; index += hooks.length) {
        const delivery = all[index]
        const due = begun + (index * seconds * 1000) / all.length
        if (due > performance.now()) await new Promise((resolve) => setTimeout(resolve, due - performance.now()))
        if (delivery) answers.push({ ...(await hook.send(delivery)), id: delivery.id })
      }
    }),
  )
  return answers
}

type Sending = {
  readonly projectId: number
  readonly all: readonly Planned[]
  readonly answers: readonly AnsweredDelivery[]
}

async function findFaults({ db }: Platforms, { projectId, all, answers }: Sending): Promise<string[]> {
  await until(async () => ((await isAnyStored(db)) ? undefined : true), 'all deliveries took effect')
  const faults = answers
    .filter(({ status }) => status !== 200 && status !== 202)
    .map(({ status }) => `answered with ${status}`)
  const unique = new Map(all.map((delivery) => [delivery.id, delivery]))
  for (const [id, same] of Map.groupBy(answers, (answer) => answer.id)) {
    const accepted = same.filter(({ verdict }) => verdict === 'accepted').length
    if (accepted > 1) faults.push(`${id} was accepted ${accepted} times`)
  }
  const rows = await db
    .selectFrom('tasks as t')
    .innerJoin('environments as e', 'e.id', 't.environment_id')
    .where('e.project_id', '=', projectId)
    .orderBy('t.id')
    .select(['e.name', 'e.branch', 't.commit_sha', 't.status'])
    .execute()
  const byEnvironment = Map.groupBy(rows, ({ name }) => name)
  for (const { number, sha } of unique.values()) {
    const tasks = number === undefined ? [] : (byEnvironment.get(`pr-${number}`) ?? [])
    const isRight = tasks.length === 1 && tasks[0]?.commit_sha === sha
    if (number !== undefined && !isRight) faults.push(`pr-${number} has ${tasks.length} tasks`)
  }
  const last = new Map([...unique.values()].flatMap(({ branch, sha }) => (branch ? [[branch, sha] as const] : [])))
  for (const [branch, sha] of last) {
    const tasks = byEnvironment.get(branch) ?? []
    // Pushes that arrived in the wrong order have none: the task uses the branch's commit when it runs.
    const shas = tasks.flatMap(({ commit_sha: taken }) => taken ?? [])
    if (new Set(shas).size !== shas.length) faults.push(`${branch} has two tasks of one commit`)
    if ((tasks.at(-1)?.commit_sha ?? sha) !== sha) faults.push(`${branch} does not end with its last commit`)
    if (tasks.filter(({ status }) => status === 'queued').length > 1) faults.push(`${branch} has two queued tasks`)
  }
  return faults
}

const isAnyStored = async (db: Platforms['db']): Promise<boolean> =>
  (await db.selectFrom('deliveries').where('verdict', '=', 'stored').select('id').executeTakeFirst()) !== undefined

async function createProject(platforms: Platforms, port: number) {
  const client = createClient({ baseUrl: platforms.nodes[0]?.url ?? '', token: () => platforms.token })
  const server = await client.createServer({ body: { name: 'Server', hostname: '127.0.0.1', connection: 'ssh' } })
  const project = await client.createProject({
    body: {
      name: 'Load',
      repo_url: `ssh://git@127.0.0.1:${port}/app.git`,
      domain: 'load.localhost',
      server_ids: [server.id],
      default_recipe: 'manual',
    },
  })
  await client.updateProject({ params: { id: project.id }, body: { environment_limit: 1000 } })
  for (let index = 0; index < BRANCHES; index++) {
    const name = `branch-${index}`
    await client.createEnvironment({ params: { id: project.id }, body: { name, branch: name } })
  }
  const { secret, url } = project.webhook
  return { projectId: project.id, secret, path: new URL(url).pathname }
}

/** Accepts connections and sends nothing. */
async function startSilentHost(): Promise<{ port: number; stop(): Promise<void> }> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => socket.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    port,
    stop: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
