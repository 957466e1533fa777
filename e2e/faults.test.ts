// Kills, cuts, silences and cancels while environments deploy and are removed: each task ends once in its true state, nothing runs or
// prints twice, and no orphans are left. The long form is `npm run faults -- 1000`.
import { afterAll, describe, expect, test } from 'vitest'
import { hasSshd } from '../packages/server/test/sshd.ts'
import { mayDropPackets } from './faults/drop-packets.ts'
import { killPlan, quickPlan, removalPlan, slowPlan } from './faults/plans.ts'
import { MANUAL_POINTS } from './faults/points.ts'
import { runCalmRound, runRemoval } from './faults/removal.ts'
import { type RoundResult, runRound, type Strike } from './faults/round.ts'
import { beginWorld } from './faults/world.ts'

/** One of them fails by itself. */
const TASKS = 4
const results: RoundResult[] = []

describe.skipIf(!hasSshd).concurrent('deployments of many environments at once', { timeout: 360_000 }, () => {
  afterAll(() => {
    const runs = results.reduce((sum, result) => sum + result.runs, 0)
    expect(runs).toBeGreaterThanOrEqual(28)
  })

  test('end in their true state although the platform is killed, its server restarted and the connections are cut, and leave nothing behind that the next deployment or the removal does not clean up', async () => {
    const kills = killPlan(MANUAL_POINTS, 1, TASKS).filter((_, index) => index % 4 === 0)
    await expectNoViolation(1, [kills, quickPlan(MANUAL_POINTS, 2, TASKS)], removalPlan(MANUAL_POINTS, 1, TASKS))
  })

  test('end in their true state although the connections fall silent, and every packet is lost for a while', async () => {
    const silence = slowPlan(MANUAL_POINTS, 'silence of the connections', { seed: 11, tasks: TASKS })
    // Where the firewall cannot be changed, the silence covers it.
    const loss = mayDropPackets ? [slowPlan(MANUAL_POINTS, 'loss of every packet', { seed: 12, tasks: TASKS })] : []
    await expectNoViolation(1, [silence, ...loss])
  })

  test('end in their true state although one of two platforms is killed, or sleeps past its lease', async () => {
    const sleep = slowPlan(MANUAL_POINTS, 'SIGSTOP of one of two platforms past its lease', { seed: 5, tasks: TASKS })
    const kill = slowPlan(MANUAL_POINTS, 'kill -9 of one of two platforms', { seed: 2, tasks: TASKS })
    await expectNoViolation(2, [sleep, kill])
  })
})

/** With a plan, everything is deployed without faults at the end, and then removed. */
async function expectNoViolation(
  platforms: number,
  plans: readonly (readonly Strike[])[],
  removal?: readonly Strike[],
): Promise<void> {
  const world = await beginWorld(platforms, TASKS)
  const expectNone = (result: RoundResult): void => {
    results.push(result)
    expect(result.violations).toEqual([])
  }
  try {
    for (const plan of plans) {
      const result = await runRound(world, plan)
      expectNone(result)
      expect(result.struck).not.toEqual([])
    }
    if (!removal) return
    expectNone(await runCalmRound(world))
    expectNone(await runRemoval(world, removal))
  } finally {
    await world.stop()
  }
}
