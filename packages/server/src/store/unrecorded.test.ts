import { describe, expect, test } from 'vitest'
import { databases } from '../../test/databases.ts'
import { buildEnvironment, buildRunningTask } from '../../test/factories.ts'
import { stageApp } from '../../test/stage/stage-app.ts'
import { stageProject } from '../../test/stage/stage-members.ts'
import { appendOutput, beginStep, endTask } from '../progress/progress.ts'

describe.each(databases)('the version of the records on $name', (source) => {
  const app = stageApp(source)
  const { project } = stageProject(app, { viewer: 'viewer' })

  test('stays as it is while a task prints, and changes when the task ends', async () => {
    const { ctx } = app
    const lease = await buildRunningTask(ctx, (await buildEnvironment(ctx, project)).id)
    await beginStep(ctx, lease, { position: 1, phase: 'Build', name: 'Print', key: 'print' })
    let readBytes = 0
    const staysWhilePrinting = async (): Promise<boolean> => {
      const version = await ctx.recordsVersion()
      for (let line = 1; line <= 3; line++) {
        readBytes += 7
        await appendOutput(ctx, lease, { position: 1, bytes: Buffer.from(`line ${line}\n`), readBytes })
      }
      return version === (await ctx.recordsVersion())
    }
    // Tests beside this one write to other databases of the same PostgreSQL, which numbers all transactions together.
    await expect.poll(staysWhilePrinting, { interval: 10 }).toBe(true)
    const version = await ctx.recordsVersion()
    await endTask(ctx, lease, { status: 'succeeded' })
    expect(await ctx.recordsVersion()).not.toBe(version)
  })
})
