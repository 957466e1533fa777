// Who gets the places of the runner where several organizations want them.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { databases } from '../../../test/databases.ts'
import { buildEnvironment, buildTask } from '../../../test/factories.ts'
import { buildOwnedProject } from '../../../test/owned-project.ts'
import { openTestApp, type TestApp } from '../../../test/test-app.ts'
import { PLATFORM } from '../../domain/people/actor.ts'
import { takeTask } from './task-queue.ts'
import { finishTask } from './task-states.ts'

describe.each(databases)('the places of the runner on $name', (source) => {
  let app: TestApp

  beforeEach(async () => {
    app = await openTestApp(source)
  })
  afterEach(() => app.close())

  /** Each project has a server of its own, so that no task waits for one. */
  const organization = async () => {
    const project = await buildOwnedProject(app.ctx)
    const queue = async (count: number) => {
      const ids: number[] = []
      for (let index = 0; index < count; index++)
        ids.push((await buildTask(app.ctx, (await buildEnvironment(app.ctx, project)).id)).id)
      return ids
    }
    return { queue }
  }
  const takeOne = async (mostInAll: number, worker = 'a') =>
    (await app.ctx.change(PLATFORM, (tx) => takeTask(tx, { worker, mostInAll, mostPerServer: 100 })))?.taskId
  const takeAll = async (mostInAll: number, worker?: string) => {
    const taken: number[] = []
    for (let id = await takeOne(mostInAll, worker); id !== undefined; id = await takeOne(mostInAll, worker))
      taken.push(id)
    return taken
  }

  test('are for the only organization that has projects, all but one', async () => {
    const ids = await (await organization()).queue(9)
    expect(await takeAll(8)).toEqual(ids.slice(0, 7))
    // An organization that is made now begins at once, although what runs takes long.
    const [first] = await (await organization()).queue(2)
    expect(await takeAll(8)).toEqual([first])
  })

  test.each([2, 3])('are one of %i for an organization that comes late', async (places) => {
    await (await organization()).queue(5)
    await takeAll(places)
    const [first] = await (await organization()).queue(2)
    expect(await takeAll(places)).toEqual([first])
  })

  test('are half left to others, who begin at once although what runs takes long', async () => {
    const [first, second] = [await organization(), await organization()]
    const early = await first.queue(20)
    expect(await takeAll(8)).toEqual(early.slice(0, 4))
    const late = await second.queue(20)
    // By whatever process.
    expect(await takeAll(8, 'b')).toEqual(late.slice(0, 2))
  })

  test('are at the end for those that have none, and never more than there are', async () => {
    const [first, second] = [await organization(), await organization()]
    await first.queue(20)
    await second.queue(20)
    expect(await takeAll(8)).toHaveLength(6)
    const others = [await (await organization()).queue(3), await (await organization()).queue(3)]
    await (await organization()).queue(3)
    expect(await takeAll(8)).toEqual(others.map(([id]) => id))
  })

  test('go to the organization that has the fewest, and there to the task that has waited longest', async () => {
    const [first, second] = [await organization(), await organization()]
    const [a1 = 0, a2 = 0, a3 = 0] = await first.queue(3)
    const [b1 = 0, b2 = 0] = await second.queue(2)
    expect([await takeOne(20), await takeOne(20), await takeOne(20), await takeOne(20)]).toEqual([a1, b1, a2, b2])
    await app.ctx.change(PLATFORM, (tx) => finishTask(tx, a1, { status: 'failed', at: 5 }))
    await app.ctx.change(PLATFORM, (tx) => finishTask(tx, a2, { status: 'failed', at: 5 }))
    const [b3] = await second.queue(1)
    expect([await takeOne(20), await takeOne(20)]).toEqual([a3, b3])
  })

  test('go round where there is but one', async () => {
    const [first, second] = [await organization(), await organization()]
    const [a1 = 0, a2 = 0, a3 = 0] = await first.queue(3)
    const [b1 = 0] = await second.queue(1)
    const turns: (number | undefined)[] = []
    for (let turn = 0; turn < 4; turn++) {
      const [id = 0, ...more] = await takeAll(1)
      turns.push(id, ...more)
      await app.ctx.change(PLATFORM, (tx) => finishTask(tx, id, { status: 'failed', at: 5 }))
    }
    expect(turns).toEqual([a1, b1, a2, a3])
  })
})
