// p99 of the list endpoints on an installation of years against an empty one, asked in turns in the same run.
import { Agent, get, type RequestOptions } from 'node:http'
import { type DatabaseName, type Platform, startPlatform } from '../tools/platform.ts'
import { fill } from './fill.ts'
import { median, type Verdict } from './verdict.ts'

const YEARS = { projects: 1000, environments: 20_000, tasks: 1_000_000 }
/** One project and one environment, or there would be nothing to list environments and tasks of. */
const EMPTY = { projects: 1, environments: 1, tasks: 0 }
const WARM_UP_ROUNDS = 4
const ROUNDS = 9
const REQUESTS = 2000

export async function benchLists(name: DatabaseName): Promise<Verdict[]> {
  const years = await startPlatform(name, (database) => fill(database, YEARS))
  const empty = await startPlatform(name, (database) => fill(database, EMPTY))
  const paths = ['/api/projects', '/api/servers', '/api/projects/1/environments', '/api/environments/1/tasks']
  const verdicts: Verdict[] = []
  for (const path of paths) {
    const rounds: { years: number; empty: number }[] = []
    // Until the code of both is compiled as far as it will be.
    for (let round = 0; round < WARM_UP_ROUNDS; round++) {
      await p99(empty, path)
      await p99(years, path)
    }
    for (let round = 0; round < ROUNDS; round++)
      rounds.push({ empty: await p99(empty, path), years: await p99(years, path) })
    const figure = median(rounds.map((round) => round.years)) / median(rounds.map((round) => round.empty))
    const detail = rounds.map((round) => `${round.years.toFixed(2)}/${round.empty.toFixed(2)}`).join(' ')
    verdicts.push({
      what: `p99 of ${path}, 1,000,000 tasks against none (${name})`,
      figure,
      atMost: 2,
      detail: `${detail} ms`,
    })
  }
  await years.stop()
  await empty.stop()
  return verdicts
}

/** One request after the other: the time of each, not the queue before it. A plain client, so that its own work stays small. */
async function p99({ url, filled }: Platform & { filled: { token: string } }, path: string): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const options = { agent, headers: { authorization: `Bearer ${filled.token}` } }
  const times: number[] = []
  for (let count = 0; count < REQUESTS; count++) times.push(await timeOf(url + path, options))
  agent.destroy()
  return times.sort((a, b) => a - b)[Math.floor(REQUESTS * 0.99)] ?? Number.NaN
}

function timeOf(url: string, options: RequestOptions): Promise<number> {
  const start = performance.now()
  return new Promise((resolve, reject) => {
    const request = get(url, options, (answer) => {
      if (answer.statusCode !== 200) reject(new Error(`${url} answered ${answer.statusCode}`))
      answer.resume().on('end', () => resolve(performance.now() - start))
    })
    request.on('error', reject)
  })
}
