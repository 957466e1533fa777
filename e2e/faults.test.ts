// Kills, cuts and silences while environments deploy: each task ends once, truly, and nothing ran or was printed twice.
// The long form is `npm run faults -- 1000`.
import { afterAll, describe, expect, test } from 'vitest'
import { hasSshd } from '../packages/server/test/sshd.ts'
import { killPlan, quickPlan, slowPlan } from './faults/plans.ts'
import { type RoundResult, runRound, type Strike } from './faults/round.ts'
import { beginWorld } from './faults/world.ts'

const TASKS = 9
const results: RoundResult[] = []

describe.skipIf(!hasSshd).concurrent('deployments of many environments at once', { timeout: 240_000 }, () => {
  afterAll(() => {
    const runs = results.reduce((sum, result) => sum + result.runs, 0)
    expect(runs).toBeGreaterThanOrEqual(40)
  })

  test('end truly although the platform is killed, its server restarted and the connections are cut', async () => {
    const kills = killPlan(1, TASKS).filter((_, index) => index % 3 === 0)
    await expectNoViolation(1, [kills, quickPlan(1, TASKS), quickPlan(2, TASKS)])
  })

  test('end truly although the connections fall silent', async () => {
    await expectNoViolation(1, [slowPlan('silence of the connections', 11, TASKS)])
  })

  test('end truly although one of two platforms is killed, or sleeps past its lease', async () => {
    const sleep = slowPlan('SIGSTOP of one of two platforms past its lease', 5, TASKS)
    const kill = slowPlan('kill -9 of one of two platforms', 2, TASKS)
    await expectNoViolation(2, [sleep, kill])
  })
})

async function expectNoViolation(platforms: number, plans: readonly (readonly Strike[])[]): Promise<void> {
  const world = await beginWorld(platforms, TASKS)
  try {
    for (const plan of plans) {
      const result = await runRound(world, plan)
      results.push(result)
      expect(result.violations).toEqual([])
      expect(result.struck).not.toEqual([])
    }
  } finally {
    await world.stop()
  }
}
