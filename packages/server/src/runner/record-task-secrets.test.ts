// Values that were replaced or removed after a task received them: what runs may still print them, and output hides them.
import { beforeEach, describe, expect, test } from 'vitest'
import { buildAction } from '../../test/action-records.ts'
import { databases } from '../../test/databases.ts'
import { endAllTasks, runIt, serviceFile, takeNext } from '../../test/deployments.ts'
import { buildTask } from '../../test/factories.ts'
import { followed } from '../../test/fake-host.ts'
import { stageApp } from '../../test/stage/stage-app.ts'
import { stageDeployment } from '../../test/stage/stage-deployment.ts'
import { PLATFORM } from '../domain/people/actor.ts'
import {
  deleteVariables,
  insertOrUpdateVariables,
  type VariableOwner,
  variableContext,
} from '../store/environments/variables.ts'

describe.each(databases)('values that were replaced on $name', (source) => {
  const app = stageApp(source)
  beforeEach(() => endAllTasks(app.ctx))
  const { built, lease } = stageDeployment(app)

  const ofEnvironment = (): VariableOwner => ({ kind: 'environment', id: built.environment.id })
  const ofProject = (): VariableOwner => ({ kind: 'project', id: built.project.id })
  const set = (owner: VariableOwner, values: Readonly<Record<string, string>>) =>
    app.ctx.change(PLATFORM, (tx) =>
      insertOrUpdateVariables(tx, owner, {
        variables: Object.entries(values).map(([key, value]) => ({
          key,
          valueSealed: app.ctx.box.seal(value, variableContext(owner, key)),
        })),
        at: 1,
        by: built.project.owner_id,
      }),
    )
  const unset = (owner: VariableOwner, key: string) =>
    app.ctx.change(PLATFORM, (tx) => deleteVariables(tx, owner, [key]))

  const statusOf = async (id: number) =>
    (await app.ctx.db.selectFrom('tasks').where('id', '=', id).select('status').executeTakeFirstOrThrow()).status
  const outputOf = async (id: number) => {
    const rows = app.ctx.db.selectFrom('outputs').where('task_id', '=', id).orderBy('output_from').select('bytes')
    return Buffer.concat((await rows.execute()).map(({ bytes }) => bytes)).toString()
  }
  const keptKeys = async () => {
    const kept = app.ctx.db.selectFrom('handed_values').where('environment_id', '=', built.environment.id)
    return (await kept.orderBy('id').select('key').execute()).map(({ key }) => key)
  }
  /** Runs what waits on a server whose commands print this. */
  const runNext = async (text: string, exitCode = 0) =>
    runIt(app.ctx, await takeNext(app.ctx), {
      answers: { host: { follow: { stdout: followed(`${text}\n`, exitCode) }, 'head -c': { stdout: serviceFile } } },
    })
  const deploy = async (exitCode = 0) => {
    const { id } = await buildTask(app.ctx, built.environment.id)
    await runNext('done', exitCode)
    expect(await statusOf(id)).toBe(exitCode === 0 ? 'succeeded' : 'failed')
    return id
  }
  /** An action of what serves that prints the text; gives what people can read of it. */
  const print = async (text: string) => {
    await app.ctx.db.deleteFrom('environment_actions').where('environment_id', '=', built.environment.id).execute()
    await buildAction(app.ctx, built.environment.id, {
      name: 'env',
      task_id: built.liveId,
      artifact_paths: '[]',
    })
    const { id } = await buildTask(app.ctx, built.environment.id, { kind: 'action', action: 'env' })
    await runNext(text)
    expect(await statusOf(id)).toBe('succeeded')
    return outputOf(id)
  }

  test('are hidden in what an action prints of what still runs with them', async () => {
    await set(ofEnvironment(), { TOKEN: 'canary-replaced', OLD: 'canary-removed' })
    await set(ofProject(), { SHARED: 'canary-of-project', GONE: 'canary-gone' })
    await runIt(app.ctx, lease)
    await set(ofEnvironment(), { TOKEN: 'canary-of-now' })
    await set(ofProject(), { SHARED: 'other' })
    await unset(ofEnvironment(), 'OLD')
    await unset(ofProject(), 'GONE')
    const printed = await print('canary-replaced canary-removed canary-of-project canary-gone canary-of-now end')
    expect(printed).toContain('[hidden] [hidden] [hidden] [hidden] [hidden] end\n')
    expect(printed).not.toContain('canary')
  })

  /** As long as service logs are kept. */
  const letLogsExpire = () =>
    app.ctx.db.updateTable('tasks').set({ finished_at: 1 }).where('finished_at', 'is not', null).execute()

  test('are hidden while the logs of containers that had them are kept, and forgotten after that', async () => {
    await set(ofEnvironment(), { TOKEN: 'canary-first', SAME: 'the same value' })
    await runIt(app.ctx, lease)
    await set(ofEnvironment(), { TOKEN: 'canary-second' })
    await deploy(1)
    expect(await print('canary-first canary-second')).toContain('[hidden] [hidden]\n')
    await deploy()
    expect(await print('canary-first canary-second')).toContain('[hidden] [hidden]\n')
    await letLogsExpire()
    await deploy()
    expect((await keptKeys()).sort()).toEqual(['SAME', 'TOKEN'])
    expect(await print('canary-first canary-second')).toContain('canary-first [hidden]\n')
  })

  test('are kept while an action runs that was begun before that deployment', async () => {
    await set(ofEnvironment(), { TOKEN: 'canary-first' })
    await runIt(app.ctx, lease)
    await set(ofEnvironment(), { TOKEN: 'canary-second' })
    const { id } = await buildTask(app.ctx, built.environment.id, {
      kind: 'action',
      action: 'long',
      status: 'running',
      started_at: 1,
      lease_until: 2 ** 50,
    })
    await deploy()
    expect(await print('canary-first canary-second')).toContain('[hidden] [hidden]\n')
    await letLogsExpire()
    await deploy()
    expect(await keptKeys()).toEqual(['TOKEN', 'TOKEN'])
    await app.ctx.db.updateTable('tasks').set({ status: 'succeeded', finished_at: 1 }).where('id', '=', id).execute()
    await deploy()
    expect(await keptKeys()).toEqual(['TOKEN'])
  })

  test('are hidden where they were replaced while they were being deployed', async () => {
    await set(ofEnvironment(), { TOKEN: 'canary-first' })
    await runIt(app.ctx, lease, { answers: { push: () => set(ofEnvironment(), { TOKEN: 'canary-second' }) } })
    expect(await statusOf(lease.taskId)).toBe('succeeded')
    expect(await print('canary-first canary-second')).toContain('[hidden] [hidden]\n')
  })

  test('are hidden where the next process goes on with a deployment that has sent them', async () => {
    await set(ofEnvironment(), { TOKEN: 'canary-first' })
    await runIt(app.ctx, lease)
    const stopper = new AbortController()
    const stop = () => {
      stopper.abort('stopping')
      throw stopper.signal.reason
    }
    await buildTask(app.ctx, built.environment.id)
    const begun = await takeNext(app.ctx)
    await runIt(app.ctx, begun, { answers: { host: { follow: stop } }, stopper })
    await set(ofEnvironment(), { TOKEN: 'canary-second' })
    await runNext('canary-first')
    expect(await statusOf(begun.taskId)).toBe('succeeded')
    expect(await outputOf(begun.taskId)).not.toContain('canary')
    expect(await print('canary-first canary-second')).toContain('[hidden] [hidden]\n')
  })

  test('are not kept if no task received them', async () => {
    await set(ofEnvironment(), { TOKEN: 'canary-first' })
    await runIt(app.ctx, lease)
    for (let at = 0; at < 20; at++) await set(ofEnvironment(), { TOKEN: `canary-${at}` })
    expect(await keptKeys()).toEqual(['TOKEN'])
    await deploy()
    expect(await keptKeys()).toEqual(['TOKEN', 'TOKEN'])
  })

  test('are bounded in number however often deploying them fails, and those that run stay', async () => {
    const many = (round: number) =>
      Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`KEY_${at}`, `canary-${round}-${at}-`]))
    await set(ofEnvironment(), many(0))
    await runIt(app.ctx, lease)
    for (let round = 1; round <= 5; round++) {
      await set(ofEnvironment(), many(round))
      await deploy(1)
    }
    // What serves, what was tried last, and as many as are kept of the others.
    expect(await keptKeys()).toHaveLength(200 + 200 + 500)
    expect(await print('canary-0-0- canary-0-199- canary-4-0- canary-5-199-')).toContain(
      '[hidden] [hidden] [hidden] [hidden]\n',
    )
  })

  test('go with the environment', async () => {
    await set(ofEnvironment(), { TOKEN: 'canary-first' })
    await runIt(app.ctx, lease)
    await set(ofEnvironment(), { TOKEN: 'canary-second' })
    const { id } = await buildTask(app.ctx, built.environment.id, { kind: 'remove' })
    await runNext('gone')
    expect(await statusOf(id)).toBe('succeeded')
    expect(await keptKeys()).toEqual([])
  })
})
