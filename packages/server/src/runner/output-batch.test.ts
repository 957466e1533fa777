// Output is gathered into chunks: in order, every byte, and with how far the server was read.
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { databases } from '../../test/databases.ts'
import { buildEnvironment, buildRunningTask } from '../../test/factories.ts'
import { buildOwnedProject } from '../../test/owned-project.ts'
import { stageApp } from '../../test/stage/stage-app.ts'
import type { Context } from '../context.ts'
import { beginStep, LostLease } from '../progress/progress.ts'
import type { Lease } from '../store/tasks/task-queue.ts'
import { OutputBatch } from './output-batch.ts'

describe.each(databases)('a batch of output on $name', (source) => {
  const app = stageApp(source)
  let environmentOf: () => Promise<number>

  beforeAll(async () => {
    const project = await buildOwnedProject(app.ctx)
    environmentOf = async () => (await buildEnvironment(app.ctx, project)).id
  })

  const begin = async (): Promise<Lease> => {
    const lease = await buildRunningTask(app.ctx, await environmentOf())
    await beginStep(app.ctx, lease, { position: 1, phase: 'Start', key: 'Deploy task 1', name: 'Print' })
    return lease
  }
  const heading = '==> Start: Print\n'
  const chunksOf = ({ taskId }: Lease) =>
    app.ctx.db.selectFrom('outputs').where('task_id', '=', taskId).orderBy('output_from').selectAll().execute()

  test('pieces of any size come out in order, none twice, none missing', async () => {
    const sizes = fc.array(fc.oneof(fc.nat(20), fc.nat(100_000)), { maxLength: 12 })
    const property = fc.asyncProperty(sizes, async (lengths) => {
      const lease = await begin()
      const batch = new OutputBatch(app.ctx, lease, 1)
      const pieces = lengths.map((length, index) => Buffer.alloc(length, 97 + index))
      let read = 0
      for (const piece of pieces) {
        read += piece.length
        batch.put(piece, read)
      }
      await batch.flush()
      const rows = await chunksOf(lease)
      expect(
        Buffer.concat(rows.map(({ bytes }) => bytes)).equals(Buffer.concat([Buffer.from(heading), ...pieces])),
      ).toBe(true)
      expect(Math.max(...rows.map(({ bytes }) => bytes.length))).toBeLessThanOrEqual(256 * 1024)
      const step = await app.ctx.db
        .selectFrom('steps')
        .where('task_id', '=', lease.taskId)
        .select('read_bytes')
        .executeTakeFirst()
      expect(step?.read_bytes).toBe(read)
    })
    await fc.assert(property, { numRuns: 15 })
  })

  test('small pieces share a chunk', async () => {
    const lease = await begin()
    const batch = new OutputBatch(app.ctx, lease, 1)
    for (let count = 0; count < 1_000; count++) batch.put(Buffer.from('x'), count + 1)
    await batch.flush()
    expect(await chunksOf(lease)).toHaveLength(2)
  })

  test('who lost the task hears of it where the output was printed', async () => {
    const lease = await begin()
    const batch = new OutputBatch(app.ctx, { ...lease, epoch: lease.epoch - 1 }, 1)
    batch.put(Buffer.alloc(100_000), 100_000)
    await expect(batch.flush()).rejects.toBeInstanceOf(LostLease)
    expect(await chunksOf(lease)).toHaveLength(1)
  })

  test('nothing is written after a failed write: the next worker reads again from there', async () => {
    const lease = await begin()
    let isBroken = true
    const change: Context['change'] = (...words) => {
      if (!isBroken) return app.ctx.change(...words)
      isBroken = false
      return Promise.reject(new Error('The connection broke'))
    }
    const batch = new OutputBatch({ ...app.ctx, change }, lease, 1)
    batch.put(Buffer.alloc(200_000, 'a'), 200_000)
    batch.put(Buffer.from('b'), 200_001)
    await expect(batch.flush()).rejects.toThrow('The connection broke')
    expect(isBroken).toBe(false)
    expect(await chunksOf(lease)).toHaveLength(1)
  })

  test('what was dropped is not written', async () => {
    const lease = await begin()
    const batch = new OutputBatch(app.ctx, lease, 1)
    batch.put(Buffer.from('read again by the next one'), 26)
    batch.drop()
    await batch.flush()
    expect(await chunksOf(lease)).toHaveLength(1)
  })
})
