// The long form of the fault matrix: `npm run faults -- 1000 [seed]` deploys so many times, and tells what it came to.
// Interrupted once, it ends the rounds that it has begun and tells what they came to.
import { cpus } from 'node:os'
import { mayDropPackets } from '../e2e/faults/drop-packets.ts'
import type { FaultName } from '../e2e/faults/faults.ts'
import { type Figures, sumUp } from '../e2e/faults/figures.ts'
import { killPlan, quickPlan, removalPlan, slowPlan } from '../e2e/faults/plans.ts'
import { runCalmRound, runRemoval } from '../e2e/faults/removal.ts'
import { type RoundResult, runRound, type Strike } from '../e2e/faults/round.ts'
import { beginWorld } from '../e2e/faults/world.ts'

const TASKS = 12
/** A world's server fills up, and so does its list of tasks: after these rounds there is a new one. */
const ROUNDS_IN_A_WORLD = 6

const [runs = 1000, firstSeed = Math.floor(Math.random() * 1_000_000)] = process.argv.slice(2).map(Number)
const twoPlatforms: readonly FaultName[] = [
  'kill -9 of one of two platforms',
  'SIGSTOP of one of two platforms past its lease',
]

/** Packets are dropped where this machine lets us; else the server's processes fall silent, which is nearly as good. */
const silences: readonly FaultName[] = mayDropPackets
  ? ['silence of the connections', 'loss of every packet']
  : ['silence of the connections']

type Lane = { readonly platforms: number; plan(seed: number): readonly Strike[] }

/** The slow ones mostly wait, so they run beside the quick ones. */
const lanes: readonly Lane[] = [
  { platforms: 1, plan: (seed) => (seed % 2 === 0 ? killPlan(seed, TASKS) : quickPlan(seed, TASKS)) },
  {
    platforms: 1,
    plan: (seed) => slowPlan(silences[seed % silences.length] ?? 'silence of the connections', seed, TASKS),
  },
  { platforms: 2, plan: (seed) => slowPlan(twoPlatforms[seed % 2] ?? 'kill -9 of one of two platforms', seed, TASKS) },
]

const results: RoundResult[] = []
let begun = 0
let rounds = 0
process.once('SIGINT', () => {
  begun = Number.POSITIVE_INFINITY
})
await Promise.all(lanes.map(runLane))
report(sumUp(results))

async function runLane(lane: Lane, number: number): Promise<void> {
  while (begun < runs) {
    const world = await beginWorld(lane.platforms, TASKS)
    try {
      for (let here = 0; here < ROUNDS_IN_A_WORLD && begun < runs; here++) {
        await run(`lane ${number + 1}`, (seed) => runRound(world, lane.plan(seed)))
      }
      await run(`lane ${number + 1}, in peace`, () => runCalmRound(world))
      await run(`lane ${number + 1}, removal`, (seed) =>
        runRemoval(world, lane.platforms === 1 ? removalPlan(seed, TASKS) : []),
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
