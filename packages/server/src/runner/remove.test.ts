// Removing an environment: what it undoes, by what was deployed and how far that came, and what keeps it from going.
import { beforeEach, describe, expect, test } from 'vitest'
import { databases } from '../../test/databases.ts'
import {
  type Answers,
  buildDeployment,
  endAllTasks,
  fakeParts,
  runIt,
  serviceFile,
  takeNext,
} from '../../test/deployments.ts'
import { buildStep, buildTask } from '../../test/factories.ts'
import { followed } from '../../test/fake-host.ts'
import { stageApp } from '../../test/stage/stage-app.ts'
import { PLATFORM } from '../domain/people/actor.ts'
import { SourceError } from '../source/source-error.ts'
import { insertOrUpdateVariables, variableContext } from '../store/environments/variables.ts'
import { runTask } from './run-task.ts'

const withDestroy = `${serviceFile}  destroy: [{ name: Stop, run: ./stop }, { name: Stop more, run: ./more }]\n`
const file = { 'head -c': { stdout: withDestroy } }
const { signal } = new AbortController()
const noRelease = { 'test -d': { exitCode: 1 } }

describe.each(databases)('a removal on $name', (source) => {
  const app = stageApp(source)
  let built: Awaited<ReturnType<typeof buildDeployment>>

  beforeEach(async () => {
    await endAllTasks(app.ctx)
    built = await buildDeployment(app.ctx)
    await app.ctx.db.deleteFrom('tasks').where('id', '=', built.taskId).execute()
  })

  const change = (values: object) =>
    app.ctx.db.updateTable('tasks').set(values).where('id', '=', built.liveId).execute()
  const remove = async (answers: Answers = {}) => {
    const { id } = await buildTask(app.ctx, built.environment.id, { kind: 'remove' })
    const lines = await runIt(app.ctx, await takeNext(app.ctx), {
      answers: { ...answers, host: { ...file, ...answers.host } },
    })
    const task = await app.ctx.db.selectFrom('tasks').where('id', '=', id).selectAll().executeTakeFirstOrThrow()
    const steps = await app.ctx.db.selectFrom('steps').where('task_id', '=', id).orderBy('id').selectAll().execute()
    const outputs = await app.ctx.db
      .selectFrom('outputs')
      .where('task_id', '=', id)
      .orderBy('output_from')
      .selectAll()
      .execute()
    const output = Buffer.concat(outputs.map(({ bytes }) => bytes)).toString()
    return { id, lines, status: task.status, steps: steps.map(({ name }) => name), output }
  }
  const releaseOf = (taskId: number) =>
    `/home/shipway/.shipway/test/environments/${built.environment.id}/releases/${taskId}`
  const engineOf = (lines: readonly string[]) =>
    lines
      .find((line) => line.startsWith('remove-everything'))
      ?.split(' ')
      .at(-1)
  const destroyed = ['Stop', 'Stop more']
  const rest = ['Remove routes', 'Remove containers', 'Remove files']
  const found = ['Connect to the server', 'Find the release', 'Read .service.yml']

  test('runs the destroy tasks of what is live, in its release, and asks no git host', async () => {
    const { lines, status, steps } = await remove()
    expect([status, steps]).toEqual(['succeeded', [...found, 'Find ports', ...destroyed, ...rest]])
    expect(lines).toContain(`test -d ${releaseOf(built.liveId)}`)
    expect(lines).toContain(`head -c 262144 -- ${releaseOf(built.liveId)}/.service.yml`)
    expect(lines.filter((line) => /^(fetch|push|check out|read)/.test(line))).toEqual([])
  })

  test('runs them also where nothing ever came to serve, in a release that is laid out again', async () => {
    await change({ status: 'failed' })
    const { id, lines, status, steps } = await remove({ host: noRelease })
    expect([status, steps]).toEqual(['succeeded', [...found, 'Find ports', ...destroyed, ...rest]])
    expect(lines).toContain(`check out ${releaseOf(id)}`)
    expect(lines).toContain(`head -c 262144 -- ${releaseOf(id)}/.service.yml`)
  })

  test('goes by how it was deployed, whatever its recipe is now', async () => {
    await change({ recipe: 'manual' })
    await app.ctx.db
      .updateTable('environments')
      .set({ recipe: 'docker' })
      .where('id', '=', built.environment.id)
      .execute()
    const { lines, steps } = await remove()
    expect(steps).toEqual([...found, 'Find ports', ...destroyed, ...rest])
    expect(engineOf(lines)).toBe('optional')
  })

  test('has nothing to destroy of what docker deployed, or where nothing was tried', async () => {
    await change({ recipe: 'docker' })
    const { lines, steps } = await remove()
    expect(steps).toEqual(['Connect to the server', ...rest])
    expect(engineOf(lines)).toBe('required')

    built = await buildDeployment(app.ctx)
    await app.ctx.db.deleteFrom('tasks').where('environment_id', '=', built.environment.id).execute()
    expect((await remove()).steps).toEqual(['Connect to the server', ...rest])
  })

  test('of what a reset took away works by what the reset tried', async () => {
    const reset = {
      kind: 'reset',
      status: 'failed',
      commit_sha: 'c'.repeat(40),
      started_at: 1,
      finished_at: 2,
    } as const
    const early = await buildTask(app.ctx, built.environment.id, reset)
    const url = `/api/environments/${built.environment.id}`
    const live = async () => (await app.call('GET', url, { as: built.owner })).body.live
    // One that failed before anything was taken away.
    await buildStep(app.ctx, early.id, { name: 'Connect to the server', status: 'failed' })
    expect(await live()).toMatchObject({ task_id: built.liveId })
    const late = await buildTask(app.ctx, built.environment.id, reset)
    await app.ctx.db.updateTable('tasks').set({ unrouted_at: 2 }).where('id', '=', late.id).execute()
    await buildStep(app.ctx, late.id, { name: 'Restart', phase: 'Start', status: 'failed' })
    expect(await live()).toBeNull()
    const { id, lines, status } = await remove({ host: noRelease })
    expect(status).toBe('succeeded')
    expect(lines).toContain(`test -d ${releaseOf(late.id)}`)
    expect(lines).toContain(`check out ${releaseOf(id)}`)
  })

  test('of what a reset took away undoes nothing where the reset had started nothing', async () => {
    const reset = {
      kind: 'reset',
      status: 'failed',
      commit_sha: 'c'.repeat(40),
      started_at: 1,
      finished_at: 2,
    } as const
    const { id } = await buildTask(app.ctx, built.environment.id, reset)
    await buildStep(app.ctx, id, { name: 'Remove routes' })
    await app.ctx.db.updateTable('tasks').set({ unrouted_at: 2 }).where('id', '=', id).execute()
    const { lines, status, steps } = await remove({ host: noRelease })
    expect([status, steps]).toEqual(['succeeded', ['Connect to the server', ...rest]])
    expect(lines.filter((line) => /^(fetch|push|check out|read|test)/.test(line))).toEqual([])
  })

  test.each(['reset', 'remove'] as const)(
    'that fails after a %s took the routes away leaves nothing live',
    async (kind) => {
      // The mask alters what its steps are called.
      const owner = { kind: 'environment', id: built.environment.id } as const
      const valueSealed = app.ctx.box.seal('routes', variableContext(owner, 'WORD'))
      const variables = [{ key: 'WORD', valueSealed }]
      await app.ctx.change(PLATFORM, (tx) =>
        insertOrUpdateVariables(tx, owner, { variables, at: 1, by: built.owner.id }),
      )
      const { id } = await buildTask(app.ctx, built.environment.id, { kind })
      const host = { ...file, 'remove-everything': { exitCode: 1, stderr: 'no docker' } }
      await runIt(app.ctx, await takeNext(app.ctx), { answers: { host } })
      const steps = app.ctx.db.selectFrom('steps').where('task_id', '=', id).select(['name', 'key', 'status'])
      const named = (await steps.execute()).find(({ key }) => key === 'Remove routes')
      expect(named).toMatchObject({ status: 'succeeded', name: expect.not.stringContaining('routes') })
      const { body } = await app.call('GET', `/api/environments/${built.environment.id}`, { as: built.owner })
      expect([body.live, body.status]).toEqual([null, 'failed'])
    },
  )

  test('that cannot change the edge leaves what serves, and what it says', async () => {
    await buildTask(app.ctx, built.environment.id, { kind: 'remove' })
    const parts = fakeParts({ host: file }, [])
    const apply = () => Promise.reject(new Error('the edge is away'))
    await runTask(app.ctx, { ...parts, edges: { ...parts.edges, apply } }, await takeNext(app.ctx), signal)
    const { body } = await app.call('GET', `/api/environments/${built.environment.id}`, { as: built.owner })
    expect([body.live?.task_id, body.status]).toEqual([built.liveId, 'running'])
  })

  test('stops at a destroy task that fails, removes nothing, and says what to do', async () => {
    const { lines, status, steps, output } = await remove({ host: { follow: { stdout: followed('no\n', 4) } } })
    expect([status, steps.at(-1)]).toEqual(['failed', 'Stop'])
    expect(output).toContain('The environment stays until its destroy tasks end with 0.')
    expect(engineOf(lines)).toBeUndefined()
  })

  test.each(['repository_not_found', 'commit_not_found'] as const)(
    'goes on without destroy tasks that are no longer available: %s',
    async (code) => {
      const gone = () => Promise.reject(new SourceError(code, 'It is not there'))
      const { status, steps, output } = await remove({ host: noRelease, fetch: gone })
      expect([status, steps]).toEqual(['succeeded', ['Connect to the server', 'Find the release', ...rest]])
      expect(output).toContain(
        'Its destroy tasks cannot be run, because they are no longer available: It is not there\n',
      )
    },
  )

  test('waits where the git host cannot be asked for them at the moment', async () => {
    const silent = () => Promise.reject(new SourceError('unreachable', 'It does not answer'))
    const { status, steps } = await remove({ host: noRelease, fetch: silent })
    expect([status, steps.at(-1)]).toEqual(['failed', 'Find the release'])
  })

  test('is not held up by a file that failed its deployment, but by one that served', async () => {
    const broken = { host: { 'head -c': { stdout: 'manual: 7\n' } } }
    expect(await remove(broken)).toMatchObject({ status: 'failed', steps: found })
    await change({ status: 'failed' })
    expect(await remove(broken)).toMatchObject({ status: 'succeeded', steps: [...found, ...rest] })
  })
})
