// Requests per second through HAProxy as the edge against the application's own port, in turns; and what HAProxy itself takes for them.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { domainTo, openHaproxyEdge } from '../packages/server/test/haproxy-edge.ts'
import { freePort } from '../tools/free-port.ts'
import { startProcess, stopProcess } from '../tools/platform.ts'
import { loadWith } from './http-load.ts'
import { median, type Verdict } from './verdict.ts'

const ROUNDS = 9
const SECONDS = 2
const load = (port: number) => loadWith({ port, host: 'app.test', connections: 20, seconds: SECONDS })

/** No database takes part in it. */
export async function benchEdge(): Promise<Verdict[]> {
  const edge = await openHaproxyEdge()
  const pid = /^Pid: (\d+)$/m.exec(await edge.say('show info'))?.[1] ?? ''
  const file = join(edge.folder, 'answer.json')
  await writeFile(file, JSON.stringify({ text: 'x'.repeat(2_000) }))
  const port = await freePort()
  const application = await startProcess(['bench/bare-fastify.ts', file, String(port)], {})
  await edge.lead(domainTo(port))
  const ratios: number[] = []
  const figures: string[] = []
  const taken: number[] = []
  await load(port)
  for (let round = 0; round < ROUNDS; round++) {
    const direct = await load(port)
    const before = await processorMs(pid)
    const through = await load(edge.port)
    taken.push(((await processorMs(pid)) - before) / (through * SECONDS))
    ratios.push(through / direct)
    figures.push(`${Math.round(through)}/${Math.round(direct)}`)
  }
  await stopProcess(application)
  await edge.close()
  const took = `${Math.round(median(taken) * 1000)} µs of HAProxy's own time for a request`
  return [
    {
      what: "requests/s through HAProxy against the application's own port",
      figure: median(ratios),
      atLeast: 0.8,
      detail: `${figures.join(' ')} · ${took}`,
    },
  ]
}

/** What a process has taken of the processors so far. The kernel counts in hundredths of a second, for itself and for the program. */
async function processorMs(pid: string): Promise<number> {
  const [, afterName = ''] = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')
  const fields = afterName.split(' ')
  return 10 * (Number(fields[11]) + Number(fields[12]))
}
