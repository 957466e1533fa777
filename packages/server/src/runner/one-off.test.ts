// One-off commands in the records, on a server that is not there.
import { beforeEach, describe, expect, test } from 'vitest'
import { databases } from '../../test/databases.ts'
import { endAllTasks, runIt, serviceFile, takeNext } from '../../test/deployments.ts'
import { buildTask } from '../../test/factories.ts'
import { stageApp } from '../../test/stage/stage-app.ts'
import { stageDeployment } from '../../test/stage/stage-deployment.ts'
import { runCommandContext } from '../domain/encryption-context.ts'
import { PLATFORM } from '../domain/people/actor.ts'
import { Secret } from '../secrets/secret.ts'
import { insertOrUpdateVariables, type VariableOwner, variableContext } from '../store/environments/variables.ts'

describe.each(databases)('one-off commands on $name', (source) => {
  const app = stageApp(source)
  beforeEach(() => endAllTasks(app.ctx))
  const { built, lease } = stageDeployment(app)

  const set = (key: string, value: string) => {
    const owner: VariableOwner = { kind: 'environment', id: built.environment.id }
    const variables = [{ key, valueSealed: app.ctx.box.seal(value, variableContext(owner, key)) }]
    return app.ctx.change(PLATFORM, (tx) =>
      insertOrUpdateVariables(tx, owner, { variables, at: 1, by: built.project.owner_id }),
    )
  }
  const run = async (words: readonly string[]) => {
    const sealed = app.ctx.box.seal(new Secret(JSON.stringify(words)), runCommandContext(built.environment.id))
    const { id } = await buildTask(app.ctx, built.environment.id, { kind: 'run', command_sealed: sealed })
    await runIt(app.ctx, await takeNext(app.ctx), { answers: { host: { 'head -c': { stdout: serviceFile } } } })
    return app.ctx.db.selectFrom('steps').where('task_id', '=', id).orderBy('id').selectAll().execute()
  }

  test('hide the value of a variable in the name of their step, also where the name ends within it', async () => {
    await set('TOKEN', 'canary-of-environment')
    await runIt(app.ctx, lease)
    const before = `echo ${'x'.repeat(200)}`
    for (const length of [10, 190]) {
      const text = `${before.slice(0, length)} canary-of-environment`
      const step = (await run(['sh', '-c', text])).at(-1)
      expect(step).toMatchObject({ phase: 'Run', status: 'succeeded' })
      expect(step?.name).toBe(`${before.slice(0, length)} [hidden]`)
    }
  })
})
