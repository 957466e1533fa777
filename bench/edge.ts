// Requests per second through our HAProxy against a bare HAProxy with one backend, in turns. Against the application's own port the figure
// says more about the machine (three programs share its cores), so it is information without a bound. A Swarm's edge is measured against the
// same bare HAProxy: its routes lead to balance groups.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startHaproxy } from '../packages/server/test/haproxy.ts'
import { domainTo, openHaproxyEdge } from '../packages/server/test/haproxy-edge.ts'
import { freePort } from '../tools/free-port.ts'
import { startProcess, stopProcess } from '../tools/platform.ts'
import { loadWith } from './http-load.ts'
import { median, type Verdict } from './verdict.ts'

const ROUNDS = 9
const GROUP = 20_000
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
  const bare = await startBareHaproxy(port)
  const balanced = await openHaproxyEdge({ isBalanced: true })
  await balanced.balance([{ port: GROUP, upstreams: [{ name: 'one', address: '127.0.0.1', port }] }], [GROUP])
  await balanced.lead(domainTo(GROUP))
  const [toBare, toDirect, groupToBare]: [number[], number[], number[]] = [[], [], []]
  const figures: string[] = []
  const taken: number[] = []
  await load(port)
  for (let round = 0; round < ROUNDS; round++) {
    const direct = await load(port)
    const throughBare = await load(bare.port)
    const before = await processorMs(pid)
    const through = await load(edge.port)
    taken.push(((await processorMs(pid)) - before) / (through * SECONDS))
    const throughGroup = await load(balanced.port)
    toBare.push(through / throughBare)
    groupToBare.push(throughGroup / throughBare)
    toDirect.push(through / direct)
    figures.push(`${Math.round(through)}/${Math.round(throughGroup)}/${Math.round(throughBare)}/${Math.round(direct)}`)
  }
  await balanced.close()
  await bare.close()
  await stopProcess(application)
  await edge.close()
  const took = `${Math.round(median(taken) * 1000)} µs of HAProxy's own time for a request`
  return [
    {
      what: 'requests/s through our HAProxy against a bare HAProxy with one backend',
      figure: median(toBare),
      atLeast: 0.95,
      detail: `${figures.join(' ')} · ${took}`,
    },
    {
      what: 'requests/s through a balance group of one upstream against a bare HAProxy with one backend',
      figure: median(groupToBare),
      atLeast: 0.95,
      detail: 'in the same run',
    },
    {
      what: "requests/s through our HAProxy against the application's own port, for information",
      figure: median(toDirect),
      detail: 'three programs share the cores of the machine',
    },
  ]
}

/** The shortest configuration that forwards requests. */
async function startBareHaproxy(backend: number) {
  const folder = await mkdtemp(join(tmpdir(), 'shipway-bare-haproxy-'))
  const port = await freePort()
  const config = `global
  stats socket ${folder}/haproxy.sock
defaults
  mode http
  timeout connect 5s
  timeout client 60s
  timeout server 60s
frontend in
  bind 127.0.0.1:${port}
  default_backend out
backend out
  server one 127.0.0.1:${backend}
`
  const running = await startHaproxy({ folder, config })
  const close = async () => {
    await running.stop()
    await rm(folder, { recursive: true })
  }
  return { port, close }
}

/** What a process has taken of the processors so far. The kernel counts in hundredths of a second, for itself and for the program. */
async function processorMs(pid: string): Promise<number> {
  const [, afterName = ''] = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')
  const fields = afterName.split(' ')
  return 10 * (Number(fields[11]) + Number(fields[12]))
}
