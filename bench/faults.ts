// The long form of the fault matrix: `npm run faults -- 1000 [seed]` deploys so many times, and tells what it came to; `npm run faults -- docker
// 500 [seed]` does so with the docker recipe on a real Engine.
// Interrupted once, it ends the rounds that it has begun and tells what they came to.
import { cpus } from 'node:os'
import { beginDockerWorld } from '../e2e/faults/docker-world.ts'
import { mayDropPackets } from '../e2e/faults/drop-packets.ts'
import type { FaultName } from '../e2e/faults/faults.ts'
import { type Figures, sumUp } from '../e2e/faults/figures.ts'
import { killPlan, quickPlan, removalPlan, slowPlan } from '../e2e/faults/plans.ts'
import type { WorldPoints } from '../e2e/faults/points.ts'
import { runCalmRound, runRemoval } from '../e2e/faults/removal.ts'
import { type RoundResult, runRound, type Strike } from '../e2e/faults/round.ts'
import { beginWorld } from '../e2e/faults/world.ts'
import { startEngine } from '../packages/server/test/docker/docker-engine.ts'

const isDocker = process.argv[2] === 'docker'
const engine = isDocker ? await startEngine() : undefined
/** Of a round. Containers are built and started for each. */
const TASKS = isDocker ? 4 : 12
/** A world's server fills up, and so does its list of tasks: after these rounds there is a new one. */
const ROUNDS_IN_A_WORLD = 6

const [runs = 1000, firstSeed = Math.floor(Math.random() * 1_000_000)] = process.argv
  .slice(isDocker ? 3 : 2)
  .map(Number)
const twoPlatforms: readonly FaultName[] = [
  'kill -9 of one of two platforms',
  'SIGSTOP of one of two platforms past its lease',
]

/** Packets are dropped where this machine lets us; else the server's processes fall silent, which is nearly as good. */
const silences: readonly FaultName[] = mayDropPackets
  ? ['silence of the connections', 'loss of every packet']
  : ['silence of the connections']

type Lane = { readonly platforms: number; plan(points: WorldPoints, seed: number): readonly Strike[] }

/** The slow ones mostly wait, so they run beside the quick ones. */
const lanes: readonly Lane[] = [
  {
    platforms: 1,
    plan: (points, seed) => (seed % 2 === 0 ? killPlan(points, seed, TASKS) : quickPlan(points, seed, TASKS)),
  },
  {
    platforms: 1,
    plan: (points, seed) =>
      slowPlan(points, silences[seed % silences.length] ?? 'silence of the connections', { seed, tasks: TASKS }),
  },
  {
    platforms: 2,
    plan: (points, seed) =>
      slowPlan(points, twoPlatforms[seed % 2] ?? 'kill -9 of one of two platforms', { seed, tasks: TASKS }),
  },
]

const results: RoundResult[] = []
let begun = 0
let rounds = 0
process.once('SIGINT', () => {
  begun = Number.POSITIVE_INFINITY
})
await Promise.all(lanes.map(runLane)).finally(() => engine?.stop())
report(sumUp(results))

async function runLane(lane: Lane, number: number): Promise<void> {
  while (begun < runs) {
    const world = await (engine ? beginDockerWorld(engine, lane.platforms, TASKS) : beginWorld(lane.platforms, TASKS))
    try {
      for (let here = 0; here < ROUNDS_IN_A_WORLD && begun < runs; here++) {
        await run(`lane ${number + 1}`, (seed) => runRound(world, lane.plan(world.points, seed)))
      }
      await run(`lane ${number + 1}, in peace`, () => runCalmRound(world))
      await run(`lane ${number + 1}, removal`, (seed) =>
        runRemoval(world, lane.platforms === 1 ? removalPlan(world.points, seed, TASKS) : []),
      )
    } finally {
      await world.stop()
    }
  }
}

async function run(name: string, round: (seed: number) => Promise<RoundResult>): Promise<void> {
  begun += TASKS
  const seed = firstSeed + rounds++
  const result = await round(seed)
  results.push(result)
  printRound(`${name}, seed ${seed}`, result)
}

function printRound(name: string, { runs, struck, recoveryMs, violations }: RoundResult): void {
  const longest = (Math.max(0, ...recoveryMs) / 1000).toFixed(1)
  console.log(`${name}: ${runs} runs, ${struck.length} faults, longest recovery ${longest} s`)
  for (const violation of violations) console.log(`  VIOLATED ${violation}`)
}

function report(figures: Figures): void {
  console.log(`
${cpus().length} cores (${cpus()[0]?.model}), Node ${process.version}, first seed ${firstSeed}
task runs                          ${figures.runs} in ${figures.rounds} rounds
faults made                        ${figures.strikes} of ${figures.faults} kinds, at ${figures.points} different points
lost, doubled, stuck or untrue     ${figures.violations.length}
from the last recovery to the end  p50 ${figures.recoveryP50Ms} ms, p99 ${figures.recoveryP99Ms} ms (at most 90,000)`)
  if (figures.violations.length > 0) process.exitCode = 1
}
