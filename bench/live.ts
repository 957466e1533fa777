// The live channel: how soon subscribers get a line that a server prints, and what a thousand subscribers and a flood of output cost other
// users. `npm run bench -- live`.
import { type Client, createClient } from '@shipway/api'
import { beginProject, ended, type JourneyProject } from '../e2e/journey.ts'
import { type DatabaseName, type Platform, startPlatform } from '../tools/platform.ts'
import { buildCrowd, openReaders } from './live-crowd.ts'
import { p99OfReads } from './p99-of-reads.ts'
import { percentile } from './request-times.ts'
import { median, type Verdict } from './verdict.ts'

const READERS = 20
const DEPLOYMENTS = 5
const SOCKETS = 1000
const ROUNDS = 5
const SECONDS = 4

/** A line with the time ten times a second, and 10 MB/s. */
const LINES = `for line in $(seq 50); do echo "line $line printed at $(date +%s%3N)"; sleep 0.1; done`
const FLOOD = `for part in $(seq ${SECONDS * 10}); do yes 'a line of output, as builds print them' | head -c 1000000; sleep 0.1; done`

export async function benchLive(name: DatabaseName): Promise<readonly Verdict[]> {
  const platform = await startPlatform(name, buildCrowd)
  const { token, viewers } = platform.filled
  const project = await beginProject({ url: platform.url, token, connection: 'local' })
  try {
    return [
      await measureDelay(name, { platform, token, viewers, project }),
      await measureCost(name, { platform, token, viewers, project }),
      await measureChanges(name, { platform, token, viewers, project }),
    ]
  } finally {
    await platform.stop()
    await project.stop()
  }
}

type Scene = {
  readonly platform: Platform
  readonly token: string
  readonly viewers: readonly string[]
  readonly project: JourneyProject
}

async function measureDelay(name: DatabaseName, { platform, token, project }: Scene): Promise<Verdict> {
  const { client } = project
  project.commit(printing(LINES))
  const environments: number[] = []
  for (let count = 1; count <= DEPLOYMENTS; count++)
    environments.push(await project.createEnvironment(`delay-${count}`))
  const tasks: number[] = []
  for (const id of environments) tasks.push((await client.startDeployment({ params: { id } })).id)
  const topics = tasks.flatMap((id) => [`task:${id}`, `task:${id}:log`])
  const readers = await openReaders(
    platform,
    [token],
    Array.from({ length: READERS }, () => topics),
  )
  for (const id of tasks) await ended(client, id, 120)
  const { delays } = await readers.end()
  const expected = DEPLOYMENTS * 50 * READERS
  if (delays.length !== expected) throw new Error(`${delays.length} lines came, of ${expected}`)
  const [p50, p95, most] = [0.5, 0.95, 1 - 1 / delays.length].map((share) => Math.round(percentile(delays, share)))
  return {
    what: `from a line on the server to a reader, p95 of ${READERS} readers and ${DEPLOYMENTS} deployments (${name})`,
    figure: percentile(delays, 0.95) / 1000,
    unit: 's',
    atMost: 0.1,
    detail: `p50 ${p50} ms, p95 ${p95} ms, most ${most} ms`,
  }
}

async function measureCost(name: DatabaseName, { platform, token, viewers, project }: Scene): Promise<Verdict> {
  const { client } = project
  project.commit(printing(FLOOD))
  const id = await project.createEnvironment('flood')
  const crowded = Array.from({ length: SOCKETS - 2 }, () => [`project:${project.projectId}`, `environment:${id}`])
  const idle: number[] = []
  const busy: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    idle.push(await p99OfReads(platform, token, async () => new Promise((done) => setTimeout(done, SECONDS * 1000))))
    // To open a thousand takes as long as the flood lasts, so they are there before it.
    const crowd = await openReaders(platform, viewers, crowded)
    const task = await client.startDeployment({ params: { id } })
    const reader = await openReaders(platform, [token], [[`task:${task.id}`, `task:${task.id}:log`]])
    busy.push(await p99OfReads(platform, token, () => heardEnd(client, task.id)))
    await reader.end()
    await crowd.end()
  }
  return {
    what: `p99 of reads with ${SOCKETS} live connections and 10 MB/s of output, against none (${name})`,
    figure: median(busy) / median(idle),
    atMost: 2,
    detail: `${busy.map((ms, round) => `${ms.toFixed(1)}/${idle[round]?.toFixed(1)}`).join(' ')} ms`,
  }
}

/** Every change of a viewer's tokens causes a new permission check of all connections of that viewer. */
async function measureChanges(name: DatabaseName, { platform, token, viewers, project }: Scene): Promise<Verdict> {
  const crowded = Array.from({ length: SOCKETS - 10 }, () => [`project:${project.projectId}`])
  const alone: number[] = []
  const busy: number[] = []
  const measure = () => p99OfReads(platform, token, () => changeTokens(platform, viewers, SECONDS * 1000))
  for (let round = 0; round < ROUNDS; round++) {
    alone.push(await measure())
    const crowd = await openReaders(platform, viewers, crowded)
    busy.push(await measure())
    await crowd.end()
  }
  return {
    what: `p99 of reads while viewers change their tokens, with ${crowded.length} live connections of theirs against none (${name})`,
    figure: median(busy) / median(alone),
    atMost: 2,
    detail: `${busy.map((ms, round) => `${ms.toFixed(1)}/${alone[round]?.toFixed(1)}`).join(' ')} ms`,
  }
}

/** One change after the other, as a script of one user would. */
async function changeTokens(platform: Platform, viewers: readonly string[], ms: number): Promise<void> {
  const end = performance.now() + ms
  for (let turn = 0; performance.now() < end; turn++) {
    const client = createClient({ baseUrl: platform.url, token: () => viewers[turn % viewers.length] ?? '' })
    const { id } = await client.createToken({ body: { name: 'one more', scopes: ['read'], expires_in_days: 1 } })
    await client.deleteToken({ params: { id } })
  }
}

/** Waits by the channel itself: polling ten times a second would be part of the requests that are timed. */
async function heardEnd(client: Client, taskId: number): Promise<void> {
  for await (const update of client.live({ topics: [`task:${taskId}`], signal: AbortSignal.timeout(120_000) }))
    if (update.type === 'event' && update.event === 'task.updated' && update.data.finished_at !== null) return
}

const printing = (script: string) => ({
  '.service.yml': `services: { web: {} }\nmanual: { deploy: [{ name: Print, run: ${JSON.stringify(script)} }] }\n`,
})
