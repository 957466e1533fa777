// The long form of the proofs on a Docker Swarm: `npm run swarm` has three managers and two workers, each a machine of its own, and shows that
// deployments, lost nodes and kills of the platform lose nothing. `npm run swarm -- row 20`, or worker, manager, kills: one of the parts.
// The number is that of its deployments.
import { cpus, loadavg } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { deployInARow } from '../e2e/load/deploy-in-a-row.ts'
import type { EndedTask } from '../e2e/load/world.ts'
import { beginSwarmLoad } from '../e2e/swarm/load-world.ts'
import { killPlatform, SWARM_STEPS } from '../e2e/swarm/platform-kills.ts'
import { beginSwarmWorld, type SwarmWorld } from '../e2e/swarm/world.ts'
import type { Machine } from '../packages/server/test/docker/machine-of-node.ts'
import { say } from './say.ts'
import { median } from './verdict.ts'

const PARTS = ['row', 'worker', 'manager', 'kills'] as const
const words = process.argv.slice(2)
const asked = PARTS.filter((part) => words.includes(part) || !PARTS.some((one) => words.includes(one)))
const given = words.find((word) => /^\d+$/.test(word))
const times = Number(given ?? 20)
/** While a node is lost and comes back. */
const timesThroughLoss = Number(given ?? 5)
const PER_SECOND = 200
const REPLICAS = 4
const AWAY_MS = 45_000

const world = await beginSwarmWorld({ managers: 3, workers: 2 })
say(
  `five nodes are set up; ${cpus().length} cores, load ${loadavg()
    .map((load) => load.toFixed(1))
    .join(' ')}`,
)
try {
  if (asked.includes('row')) await inARow(world)
  if (asked.includes('worker')) await throughLoss(world, { name: 'worker', lost: world.workers[0] })
  if (asked.includes('kills')) await throughKills(world)
  if (asked.includes('manager')) await throughLoss(world, { name: 'manager', lost: await leaderOf(world) })
} finally {
  await world.stop()
}

async function inARow(swarm: SwarmWorld): Promise<void> {
  const edge = swarm.managers[1]?.node.address ?? ''
  const load = await beginSwarmLoad(swarm, { name: 'row', replicas: REPLICAS, edge })
  const figures = await deployInARow(load, { deployments: times, perSecond: PER_SECOND, sockets: 0, onDeployed })
  report(`${times} deployments in a row, ${median(figures.seconds).toFixed(1)} s each (median)`, figures)
}

type Loss = { readonly name: string; readonly lost: Machine | undefined }

/** The node is killed while the second deployment goes on, and comes back some time later, whatever goes on then. */
async function throughLoss(swarm: SwarmWorld, { name, lost }: Loss): Promise<void> {
  if (lost === undefined) throw new Error('There is no such node')
  const edge = swarm.managers.find(({ node }) => node !== lost.node)?.node.address ?? ''
  const load = await beginSwarmLoad(swarm, {
    name,
    replicas: REPLICAS,
    edge,
    tries: 4,
    onTry: (task) => say(`task ${task.id}: ${task.status} ${task.failed_step?.message ?? ''}`),
  })
  let loss: Promise<void> | undefined
  const loseForSomeTime = async (): Promise<void> => {
    await pause(4000)
    say(`${lost.node.name} is killed`)
    await lost.kill()
    await pause(AWAY_MS)
    say(`${lost.node.name} comes back`)
    await lost.restart()
  }
  const figures = await deployInARow(load, {
    deployments: timesThroughLoss,
    perSecond: PER_SECOND,
    sockets: 0,
    onDeployed: (task) => {
      onDeployed(task)
      loss ??= loseForSomeTime()
    },
  })
  await loss
  report(`${timesThroughLoss} deployments while ${lost.node.name} is lost and comes back`, figures)
}

async function leaderOf({ managers }: SwarmWorld): Promise<Machine | undefined> {
  const leader = (await managers[0]?.node.docker('node', 'ls', '--format', '{{.Hostname}} {{.ManagerStatus}}')) ?? ''
  const [name] =
    leader
      .split('\n')
      .find((line) => line.endsWith('Leader'))
      ?.split(' ') ?? []
  return managers.find(({ node }) => node.name === name)
}

async function throughKills(swarm: SwarmWorld): Promise<void> {
  const edge = swarm.managers[1]?.node.address ?? ''
  const figures = await killPlatform(swarm, {
    steps: SWARM_STEPS,
    edge,
    perSecond: 50,
    onKilled: (step, state) => say(`killed at ${step}: ${state}`),
  })
  const lost = [...figures.requests.failed.map((failure) => `request ${failure}`), ...figures.wrong]
  report(`${figures.kills} kills of the platform`, { requests: figures.requests, lost })
}

function onDeployed({ id, duration_ms: duration }: EndedTask): void {
  say(`deployment ${id}: ${(duration ?? 0) / 1000} s`)
}

type Figures = Pick<Awaited<ReturnType<typeof deployInARow>>, 'requests' | 'lost'>

function report(title: string, { requests, lost }: Figures): void {
  for (const one of lost.slice(0, 50)) console.log(`  LOST ${one}`)
  console.log(`
${title}
requests                     ${requests.sent}, of which ${requests.slow} slow on purpose; ${requests.heldBack} held back; longest wait ${requests.longestMs} ms
failed, cut off or untrue    ${lost.length}
load                         ${loadavg()
    .map((load) => load.toFixed(1))
    .join(' ')}
`)
  if (lost.length > 0) process.exitCode = 1
}
