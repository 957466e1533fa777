// The cost of a thousand idle servers, half of them silent: request times while the platform checks them after a start, the number of
// processes, and how fast the platform stops. `npm run bench -- servers`.
import { once } from 'node:events'
import { createClient } from '@shipway/api'
import { buildOwner } from '../e2e/journey.ts'
import { countChildren } from '../packages/server/test/process-list.ts'
import { listenSilently } from '../packages/server/test/silent-listener.ts'
import { startSshd } from '../packages/server/test/sshd.ts'
import { type DatabaseName, type Platform, startPlatform } from '../tools/platform.ts'
import { openAsker, percentile } from './request-times.ts'
import { median, type Verdict } from './verdict.ts'

/** Every second one is silent. */
const SERVERS = 1000
const ROUNDS = 5
const SECONDS = 15

type Round = { readonly reads: number; readonly writes: number; readonly exitMs: number; readonly processes: number }

export async function benchSilentServers(name: DatabaseName): Promise<readonly Verdict[]> {
  const without = await startPlatform(name, buildOwner)
  const among = await startPlatform(name, buildOwner)
  const servers = await addServers(among)
  const rounds: { without: Round; among: Round }[] = []
  // Never both at once, because they would compete for the machine.
  for (const platform of [without, among]) await end(platform)
  for (let round = 0; round < ROUNDS; round++)
    rounds.push({ without: await measure(without), among: await measure(among) })
  await without.stop()
  await among.stop()
  await servers.stop()
  const times = (what: 'reads' | 'writes'): string =>
    rounds.map((round) => `${round.among[what].toFixed(1)}/${round.without[what].toFixed(1)}`).join(' ')
  const ratio = (what: 'reads' | 'writes'): number =>
    median(rounds.map((round) => round.among[what])) / median(rounds.map((round) => round.without[what]))
  const most = (what: 'exitMs' | 'processes'): number => Math.max(...rounds.map((round) => round.among[what]))
  const comparison = `1,000 servers, half silent, against none (${name})`
  return [
    { what: `p99 of reads, ${comparison}`, figure: ratio('reads'), atMost: 2, detail: `${times('reads')} ms` },
    { what: `p99 of writes, ${comparison}`, figure: ratio('writes'), atMost: 2, detail: `${times('writes')} ms` },
    {
      what: `from SIGTERM to the end among them (${name})`,
      figure: most('exitMs') / 1000,
      unit: 's',
      atMost: 2,
      detail: `most processes of ssh at once: ${most('processes')}`,
    },
  ]
}

type Filled = Platform & { readonly filled: { readonly token: string } }

/** Measured from a start, when the platform checks all servers. */
async function measure(platform: Filled): Promise<Round> {
  await platform.restart()
  const { ask, close } = openAsker(platform.url, platform.filled.token)
  const [reads, writes]: [number[], number[]] = [[], []]
  let processes = 0
  const until = performance.now() + SECONDS * 1000
  while (performance.now() < until) {
    for (const path of ['/healthz', '/api/me', '/api/projects']) reads.push(await ask({ method: 'GET', path }))
    const body = { name: `Acme ${writes.length}` }
    writes.push(await ask({ method: 'PATCH', path: '/api/organizations/1', body }))
    if (writes.length % 20 === 0) processes = Math.max(processes, countChildren(platform.process.pid, 'ssh'))
  }
  close()
  const p99 = (times: readonly number[]): number => percentile(times, 0.99)
  return { reads: p99(reads), writes: p99(writes), processes, exitMs: await end(platform) }
}

async function end({ process: child }: Platform): Promise<number> {
  const start = performance.now()
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  await exited
  return performance.now() - start
}

/** Silent ones accept every connection and say nothing. The others are one sshd, without an edge that runs. */
async function addServers({ url, filled }: Filled): Promise<{ stop(): Promise<void> }> {
  const client = createClient({ baseUrl: url, token: () => filled.token })
  const silent = await listenSilently()
  const body = (index: number) =>
    ({ name: `Server ${index}`, hostname: '127.0.0.1', connection: 'ssh', edge: 'haproxy' }) as const
  const { authority_key: authorityKey } = await client.createServer({ body: { ...body(0), port: silent.port } })
  const sshd = await startSshd({ authorityKey })
  const { port, unixUser: user } = sshd.address()
  const principals: string[] = []
  for (let index = 1; index < SERVERS; index++) {
    const place = index % 2 === 0 ? { port: silent.port } : { port, user }
    const { principal } = await client.createServer({ body: { ...body(index), ...place } })
    if (principal !== null) principals.push(principal)
  }
  sshd.letIn(...principals)
  const stop = async (): Promise<void> => {
    await sshd.stop()
    await silent.stop()
  }
  return { stop }
}
