// The cost of measuring 200 containers every 30 seconds: on the server, with what Docker does for it, and for those who use the API
// meanwhile. `npm run bench -- metrics embedded`.
import { readdirSync, readFileSync } from 'node:fs'
import { buildOwner } from '../e2e/journey.ts'
import type { Host } from '../packages/server/src/remote/host.ts'
import { readStats } from '../packages/server/src/runtimes/compose/stats/read-stats.ts'
import { openDatabase } from '../packages/server/src/store/database.ts'
import { findSetting } from '../packages/server/src/store/settings.ts'
import { type Engine, startEngine } from '../packages/server/test/docker/docker-engine.ts'
import { buildEnvironment, buildProject, buildTask } from '../packages/server/test/factories.ts'
import { createLocalHost } from '../packages/server/test/processes/local-host.ts'
import { type DatabaseName, type Platform, startPlatform } from '../tools/platform.ts'
import { openAsker, percentile } from './request-times.ts'
import { median, type Verdict } from './verdict.ts'

const CONTAINERS = Number(process.env.CONTAINERS ?? 200)
const ENVIRONMENTS = 50
const PASSES = 10
const SLOT_SECONDS = 30
const ROUNDS = 3
/** Has a pass at least. */
const ROUND_SECONDS = 30

export async function benchMetrics(name: DatabaseName): Promise<readonly Verdict[]> {
  const engine = await startEngine()
  let platform: Filled | undefined
  try {
    platform = await startPlatform(name, fill, { DOCKER_HOST: engine.host })
    await runContainers(engine, await installationOf(platform))
    return [await measureServer(engine, await installationOf(platform), name), await measureRequests(platform, name)]
  } finally {
    await platform?.stop()
    await engine.stop()
  }
}

type Filled = Platform & { readonly filled: { readonly token: string; readonly serverId: number } }

/** Live environments, as the records of deployments leave them. */
async function fill(database: Parameters<typeof buildOwner>[0]) {
  const records = { db: database.db, clock: Date.now }
  const owner = await buildOwner(database)
  const project = await buildProject(records, { organizationId: 1, ownerId: owner.id })
  await records.db.updateTable('servers').set({ connection: 'local' }).execute()
  for (let index = 0; index < ENVIRONMENTS; index++) {
    const environment = await buildEnvironment(records, project)
    const at = Date.now()
    const task = await buildTask(records, environment.id, {
      status: 'succeeded',
      recipe: 'docker',
      commit_sha: 'b'.repeat(40),
      started_at: at,
      finished_at: at,
    })
    const route = { domain: environment.domain, task_id: task.id, port: 1 }
    await records.db.insertInto('routes').values(route).execute()
  }
  return { token: owner.token, serverId: project.serverId }
}

async function installationOf({ address }: Platform): Promise<string> {
  const database = await openDatabase(address)
  const installation = await findSetting(database.db, 'installation_id')
  await database.close()
  return installation ?? ''
}

/** A network of the test's engine has 61 addresses. */
const PER_NETWORK = 50

async function runContainers(engine: Engine, installation: string): Promise<void> {
  for (let network = 0; network * PER_NETWORK < CONTAINERS; network++)
    await engine.docker('network', 'create', `bench-${network}`)
  const start = async (index: number): Promise<void> => {
    const labels = {
      installation,
      environment: (index % ENVIRONMENTS) + 1,
      service: `s${Math.floor(index / ENVIRONMENTS)}`,
      task: 1,
    }
    const words = Object.entries(labels).flatMap(([key, value]) => ['--label', `shipway.${key}=${value}`])
    const network = ['--network', `bench-${Math.floor(index / PER_NETWORK)}`]
    await engine.docker(
      'run',
      '--detach',
      '--memory',
      '64m',
      ...network,
      ...words,
      'shipway-test/busybox',
      'sleep',
      '9999',
    )
  }
  for (let from = 0; from < CONTAINERS; from += 4)
    await Promise.all([0, 1, 2, 3].map((add) => (from + add < CONTAINERS ? start(from + add) : undefined)))
}

/** Processor time of the script with its programs, and of the Engine, as a share of one core. */
async function measureServer(engine: Engine, installationId: string, name: DatabaseName): Promise<Verdict> {
  const local = createLocalHost('this machine', { DOCKER_HOST: engine.host })
  let scripts = 0
  const host: Host = {
    ...local,
    run: async (command, options) => {
      const finished = await local.run(['bash', '-c', '"$@"; times >&2', 'bash', ...command], options)
      scripts += secondsOf(finished.stderr.toString())
      return finished
    },
  }
  const read = () => readStats(host, { installationId, hasContainers: true, ports: [], countKillsSince: 1 })
  await read()
  scripts = 0
  const before = engineSeconds(engine)
  let measured = 0
  for (let pass = 0; pass < PASSES; pass++)
    measured = (await read()).services?.filter(({ memoryBytes }) => memoryBytes !== null).length ?? 0
  if (measured !== CONTAINERS) throw new Error(`${measured} of ${CONTAINERS} containers were measured`)
  const [script, docker] = [scripts / PASSES, (engineSeconds(engine) - before) / PASSES]
  return {
    what: `processor time of a pass over ${CONTAINERS} containers, as a share of one core (${name})`,
    figure: ((script + docker) / SLOT_SECONDS) * 100,
    unit: '%',
    atMost: 1,
    detail: `${(script * 1000).toFixed(0)} ms for the script and its programs, ${(docker * 1000).toFixed(0)} ms for the Engine`,
  }
}

/** Of both lines that `times` prints: the shell's own, and that of its children. */
const secondsOf = (printed: string): number =>
  [...printed.matchAll(/(\d+)m([\d.]+)s/g)].reduce(
    (sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds),
    0,
  )

const TICKS_PER_SECOND = 100

/** dockerd and containerd: processes whose words name the folder of this engine. The programs of containers are not among them. */
function engineSeconds(engine: Engine): number {
  const folder = engine.host.replace('unix://', '').replace(/\/docker\.sock$/, '')
  return readdirSync('/proc')
    .filter((pid) => /^\d+$/.test(pid))
    .reduce((sum, pid) => {
      const [words, stat] = [readOf(`/proc/${pid}/cmdline`), readOf(`/proc/${pid}/stat`)]
      if (!/^(\S*\/)?(dockerd|containerd)\0/.test(words) || !words.includes(folder)) return sum
      const [user, system] = stat.slice(stat.lastIndexOf(')')).split(' ').slice(12, 14).map(Number)
      return sum + ((user ?? 0) + (system ?? 0)) / TICKS_PER_SECOND
    }, 0)
}

/** Empty where the process has gone. */
function readOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** With and without passes in turn. A sample from the future keeps the platform from measuring: the slot seems taken. */
async function measureRequests(platform: Filled, name: DatabaseName): Promise<Verdict> {
  const rounds: { with: number; without: number }[] = []
  for (let round = 0; round < ROUNDS; round++) {
    await holdPasses(platform, true)
    const without = await askFor(platform)
    await holdPasses(platform, false)
    rounds.push({ without, with: await askFor(platform) })
  }
  const count = await countSamples(platform)
  if (count < (ROUNDS * CONTAINERS) / 2) throw new Error(`Only ${count} samples were stored`)
  const of = (which: 'with' | 'without') => median(rounds.map((round) => round[which]))
  return {
    what: `p99 of reads while ${CONTAINERS} containers are measured, against none measured (${name})`,
    figure: of('with') / of('without'),
    atMost: 1.1,
    detail: `${rounds.map((round) => `${round.with.toFixed(2)}/${round.without.toFixed(2)}`).join(' ')} ms`,
  }
}

async function askFor({ url, filled }: Filled): Promise<number> {
  const { ask, close } = openAsker(url, filled.token)
  const times: number[] = []
  const until = performance.now() + ROUND_SECONDS * 1000
  while (performance.now() < until)
    for (const path of ['/healthz', '/api/me', '/api/projects', '/api/servers'])
      times.push(await ask({ method: 'GET', path }))
  close()
  return percentile(times, 0.99)
}

const FUTURE = 4_000_000_000_000

async function holdPasses({ address, filled: { serverId } }: Filled, isHeld: boolean): Promise<void> {
  const { db, close } = await openDatabase(address)
  if (isHeld) await db.insertInto('server_samples').values({ server_id: serverId, step: 30, at: FUTURE }).execute()
  else await db.deleteFrom('server_samples').where('at', '=', FUTURE).execute()
  await close()
}

async function countSamples({ address }: Platform): Promise<number> {
  const { db, close } = await openDatabase(address)
  const rows = await db.selectFrom('service_samples').where('step', '=', 30).select('at').execute()
  await close()
  return rows.length
}
