// A docker deployment with the real runner and real records, on a server that is not there: its ports and routes, and a take-over.
import { beforeEach, describe, expect, test } from 'vitest'
import { databases } from '../../test/databases.ts'
import { type Answers, buildDeployment, runIt, takeNext } from '../../test/deployments.ts'
import { followed } from '../../test/fake-host.ts'
import { stageApp } from '../../test/stage/stage-app.ts'
import type { Lease } from '../store/tasks/task-queue.ts'

describe.each(databases)('a docker deployment on $name', (source) => {
  const app = stageApp(source)
  let built: Awaited<ReturnType<typeof buildDeployment>>
  let lease: Lease
  /** What lies on the server, whichever process asks. */
  let files: Map<string, string>

  beforeEach(async () => {
    built = await buildDeployment(app.ctx)
    files = new Map()
    const recipe = { default_recipe: 'docker' } as const
    await app.ctx.db.updateTable('projects').set(recipe).where('id', '=', built.project.id).execute()
    lease = await takeNext(app.ctx)
  })

  const run = (answers: Answers['host'] = {}) => {
    const file = () => 'services:\n  web: { port: 3000 }\n'
    const model = { name: `shipway-test-${built.environment.id}`, services: { web: { image: 'web:1' } } }
    const host = {
      compose: { stdout: JSON.stringify(model) },
      'find-images': { stdout: 'sha256:web null\tnull\n' },
      ...answers,
    }
    return runIt(app.ctx, lease, { answers: { file, host, files } })
  }
  const taskOf = () =>
    app.ctx.db.selectFrom('tasks').where('id', '=', built.taskId).selectAll().executeTakeFirstOrThrow()
  const stepsOf = () =>
    app.ctx.db.selectFrom('steps').where('task_id', '=', built.taskId).orderBy('id').selectAll().execute()
  const routesOf = () =>
    app.ctx.db.selectFrom('routes').where('domain', 'like', `%${built.project.domain}`).selectAll().execute()

  test('gives its containers two ports in turn, and switches to that of the new one', async () => {
    const lines = await run()
    expect(await taskOf()).toMatchObject({ status: 'succeeded', recipe: 'docker' })
    const ports = app.ctx.db.selectFrom('ports').where('environment_id', '=', built.environment.id).orderBy('slot')
    const slots = await ports.select(['service', 'slot', 'port']).execute()
    expect(slots.map(({ service, slot }) => [service, slot])).toEqual([
      ['web', 'a'],
      ['web', 'b'],
    ])
    expect(await routesOf()).toEqual([
      { domain: built.environment.domain, port: slots[0]?.port, task_id: built.taskId, sticky: 0 },
    ])
    const folder = `/home/shipway/.shipway/test/environments/${built.environment.id}/tasks/${built.taskId}`
    expect(lines.filter((line) => line.startsWith('start '))).toEqual(
      [2, 3, 4].map((step) => `start ${folder}/${step}`),
    )
  })

  test('that fails leaves what serves, and the reason with its step', async () => {
    await run({
      follow: { stdout: followed('manifest unknown\n', 1) },
      tail: { stdout: 'Pulling web:1\nmanifest unknown\n' },
    })
    expect(await taskOf()).toMatchObject({ status: 'failed' })
    expect((await stepsOf()).at(-1)).toMatchObject({
      name: 'Pull images',
      status: 'failed',
      exit_code: 1,
      message: 'web:1 is missing and could not be pulled: manifest unknown',
    })
    expect(await routesOf()).toEqual([
      { domain: built.environment.domain, port: 4000, task_id: built.liveId, sticky: 0 },
    ])
  })

  test('is taken over where it was left, by the model that was checked before', async () => {
    const lose = async () => {
      await app.ctx.db.updateTable('tasks').set({ lease_until: 0 }).where('id', '=', built.taskId).execute()
      lease = await takeNext(app.ctx)
      return { stdout: 'sha256:web null\n' }
    }
    await run({ 'find-images': lose })
    expect((await stepsOf()).at(-1)).toMatchObject({ name: 'Plan services', status: 'running' })
    const lines = await run()
    expect(lines[0]).toMatch(/^cat -- .*judged\.json$/)
    expect(lines.some((line) => line.startsWith('compose '))).toBe(false)
    expect(await taskOf()).toMatchObject({ status: 'succeeded', epoch: 2 })
  })
})
