// Requests per second through HAProxy as the edge against the application's own port, in turns.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import autocannon from 'autocannon'
import { domainTo, openHaproxyEdge } from '../packages/server/test/haproxy-edge.ts'
import { freePort } from '../tools/free-port.ts'
import { startProcess, stopProcess } from '../tools/platform.ts'
import { median, type Verdict } from './verdict.ts'

const ROUNDS = 5
const SECONDS = 3

/** No database takes part in it. */
export async function benchEdge(): Promise<Verdict[]> {
  const edge = await openHaproxyEdge()
  const file = join(edge.folder, 'answer.json')
  await writeFile(file, JSON.stringify({ text: 'x'.repeat(2_000) }))
  const port = await freePort()
  const application = await startProcess(['bench/bare-fastify.ts', file, String(port)], {})
  await edge.lead(domainTo(port))
  const ratios: number[] = []
  const figures: string[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const direct = await load(port)
    const through = await load(edge.port)
    ratios.push(through / direct)
    figures.push(`${Math.round(through)}/${Math.round(direct)}`)
  }
  await stopProcess(application)
  await edge.close()
  return [
    {
      what: "requests/s through HAProxy against the application's own port",
      figure: median(ratios),
      atLeast: 0.7,
      detail: figures.join(' '),
    },
  ]
}

async function load(port: number): Promise<number> {
  const target = { url: `http://127.0.0.1:${port}/`, headers: { host: 'app.test' } }
  const result = await autocannon({ ...target, connections: 20, duration: SECONDS })
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${target.url}: ${result.non2xx} refused, ${result.errors} failed`)
  return result.requests.average
}
