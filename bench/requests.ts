// Requests per second of GET /api/projects against a bare Fastify that sends the same bytes from memory, in turns.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import autocannon from 'autocannon'
import { freePort } from '../tools/free-port.ts'
import { type DatabaseName, startPlatform, startProcess, stopProcess } from '../tools/platform.ts'
import { fill } from './fill.ts'
import { median, type Verdict } from './verdict.ts'

const ROUNDS = 5
const SECONDS = 3

export async function benchRequests(name: DatabaseName): Promise<Verdict> {
  const platform = await startPlatform(name, (database) =>
    fill(database, { projects: 50, environments: 500, tasks: 5000 }),
  )
  const headers = { authorization: `Bearer ${platform.filled.token}` }
  const folder = await mkdtemp(join(tmpdir(), 'shipway-bench-'))
  const file = join(folder, 'projects.json')
  await writeFile(file, await (await fetch(`${platform.url}/api/projects`, { headers })).text())
  const port = await freePort()
  const bare = await startProcess(['bench/bare-fastify.ts', file, String(port)], {})
  const ratios: number[] = []
  const figures: string[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const baseline = await load({ url: `http://127.0.0.1:${port}/` })
    const ours = await load({ url: `${platform.url}/api/projects`, headers })
    ratios.push(ours / baseline)
    figures.push(`${Math.round(ours)}/${Math.round(baseline)}`)
  }
  await stopProcess(bare)
  await platform.stop()
  await rm(folder, { recursive: true })
  return {
    what: `GET /api/projects of 50, requests/s against bare Fastify (${name})`,
    figure: median(ratios),
    atLeast: 0.35,
    detail: figures.join(' '),
  }
}

async function load(target: { url: string; headers?: Record<string, string> }): Promise<number> {
  const result = await autocannon({ ...target, connections: 10, duration: SECONDS })
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${target.url}: ${result.non2xx} refused, ${result.errors} failed`)
  return result.requests.average
}
