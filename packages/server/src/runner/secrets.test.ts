// Secrets of a task: nothing that the task leaves contains them, and without them the task does not start.
import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { databases } from '../../test/databases.ts'
import { runIt } from '../../test/deployments.ts'
import { followed } from '../../test/fake-host.ts'
import { stageApp } from '../../test/stage/stage-app.ts'
import { stageDeployment } from '../../test/stage/stage-deployment.ts'
import { environmentPasswordContext, projectContext, serverRegistryContext } from '../domain/encryption-context.ts'
import { PLATFORM } from '../domain/people/actor.ts'
import { createBox } from '../secrets/box.ts'
import { Secret } from '../secrets/secret.ts'
import { SourceError } from '../source/source-error.ts'
import { insertOrUpdateVariables, type VariableOwner, variableContext } from '../store/environments/variables.ts'

describe.each(databases)('the secrets of a task on $name', (source) => {
  const app = stageApp(source)
  const { built, lease } = stageDeployment(app)

  const set = (owner: VariableOwner, key: string, value: string, box = app.ctx.box) =>
    app.ctx.change(PLATFORM, (tx) =>
      insertOrUpdateVariables(tx, owner, {
        variables: [{ key, valueSealed: box.seal(value, variableContext(owner, key)) }],
        at: 1,
        by: built.project.owner_id,
      }),
    )
  const ofEnvironment = (): VariableOwner => ({ kind: 'environment', id: built.environment.id })
  const ofProject = (): VariableOwner => ({ kind: 'project', id: built.project.id })
  const stepsOf = () =>
    app.ctx.db
      .selectFrom('steps')
      .where('task_id', '=', lease.taskId)
      .orderBy('position')
      .select(['phase', 'name', 'status', 'kind', 'message'])
      .execute()
  const outputOf = async () => {
    const rows = await app.ctx.db
      .selectFrom('outputs')
      .where('task_id', '=', lease.taskId)
      .orderBy('output_from')
      .select('bytes')
      .execute()
    return Buffer.concat(rows.map(({ bytes }) => bytes)).toString()
  }
  const statusOf = async () =>
    (await app.ctx.db.selectFrom('tasks').where('id', '=', lease.taskId).select('status').executeTakeFirstOrThrow())
      .status

  test('are hidden in what its commands print, in every form, and the rest stays', async () => {
    const { ctx } = app
    await set(ofEnvironment(), 'TOKEN', 'canary-of-environment')
    await set(ofProject(), 'SHARED', 'canary-of-project')
    await set(ofEnvironment(), 'SHORT', 'on')
    const password = ctx.box.seal('canary-of-basic-auth', environmentPasswordContext(built.environment.id))
    await ctx.db
      .updateTable('environments')
      .set({ basic_auth_username: 'u', basic_auth_password_sealed: password })
      .where('id', '=', built.environment.id)
      .execute()
    const webhook = ctx.box.seal('canary-of-webhook', projectContext(built.project.hook_id, 'webhook_secret_sealed'))
    await ctx.db
      .updateTable('projects')
      .set({ webhook_secret_sealed: webhook })
      .where('id', '=', built.project.id)
      .execute()
    const { server_id: serverId } = built.environment
    const registry = ctx.box.seal('canary-of-registry', serverRegistryContext(serverId))
    await ctx.db.updateTable('servers').set({ registry_password_sealed: registry }).where('id', '=', serverId).execute()
    const printed = ['environment', 'project', 'basic-auth', 'webhook', 'registry']
      .map((name) => `canary-of-${name}`)
      .flatMap((value) => [value, Buffer.from(`user:${value}`).toString('base64'), JSON.stringify(value), 'on'])
    await runIt(ctx, lease, { answers: { host: { follow: { stdout: followed(`${printed.join('\n')}\n`) } } } })
    const output = await outputOf()
    expect(await statusOf()).toBe('succeeded')
    expect(output).not.toMatch(/canary|Y2FuYXJ5/)
    expect(output).toContain('[hidden]\ndXNlcjp[hidden]\n"[hidden]"\non\n')
    expect(output.match(/^on$/gm)).toHaveLength(10)
  })

  test('are hidden in the sentence of a step and in the name of one', async () => {
    await set(ofEnvironment(), 'TOKEN', 'canary-of-environment')
    const fetch = () => {
      throw new SourceError('failed', 'The git host said canary-of-environment')
    }
    await runIt(app.ctx, lease, { answers: { fetch } })
    expect((await stepsOf()).at(-1)).toMatchObject({ status: 'failed', message: 'The git host said [hidden]' })
    expect(await outputOf()).toContain('The git host said [hidden]\n')
  })

  test.each([10, 990, 1000, 1990, 16_380])(
    'are hidden in the reason of a failure, after %i other characters',
    async (length) => {
      await set(ofEnvironment(), 'TOKEN', 'canary-of-environment')
      const stderr = `${'x'.repeat(length)}canary-of-environment${'x'.repeat(40_000)}\n`
      await runIt(app.ctx, lease, { answers: { host: { 'hand-over': { exitCode: 1, stderr } } } })
      const message = (await stepsOf()).at(-1)?.message ?? ''
      expect(message).toContain('xxx')
      expect(`${message}${await outputOf()}`).not.toContain('cana')
      expect(message.length).toBeLessThan(3000)
    },
  )

  test('are hidden in the log when the platform itself fails', async () => {
    await set(ofEnvironment(), 'TOKEN', 'canary-of-environment')
    const push = () => {
      throw new Error('unexpected canary-of-environment', { cause: new Error('canary-of-environment') })
    }
    await runIt(app.ctx, lease, { answers: { push } })
    expect(await statusOf()).toBe('failed')
    const lines = app.logLines.join('')
    expect(lines).toContain('unexpected [hidden]')
    expect(lines).not.toContain('canary-of-environment')
  })

  test.each([
    ['was sealed with another master key', 'sealed with another master key'],
    ['is no sealed value', 'not a sealed value'],
    ['belongs to another key', 'belongs to another place'],
  ])('one that %s fails the task in a step that names it, and nothing is begun', async (what, sentence) => {
    const owner = ofEnvironment()
    await set(owner, 'GOOD', 'good value')
    await set(owner, 'LOST_KEY', 'lost value', createBox(new Secret<Uint8Array>(randomBytes(32))))
    if (what === 'is no sealed value') await replace('nonsense')
    if (what === 'belongs to another key') await replace(app.ctx.box.seal('value', variableContext(owner, 'OTHER')))
    const asked = await runIt(app.ctx, lease)
    expect(asked).toEqual([])
    expect(await statusOf()).toBe('failed')
    const steps = await stepsOf()
    expect(steps).toMatchObject([{ phase: 'Prepare', name: 'Read secrets', status: 'failed', kind: 'check' }])
    expect(steps[0]?.message).toContain(`LOST_KEY cannot be read: `)
    expect(steps[0]?.message).toContain(sentence)
    expect(await outputOf()).not.toMatch(/GOOD|good value|lost value/)
  })

  test('a repository key that cannot be opened fails the task in a step that says so, and nothing is begun', async () => {
    await app.ctx.db
      .updateTable('projects')
      .set({ repository_private_key_sealed: 'nonsense' })
      .where('id', '=', built.project.id)
      .execute()
    expect(await runIt(app.ctx, lease)).toEqual([])
    expect(await statusOf()).toBe('failed')
    expect(await stepsOf()).toMatchObject([
      {
        phase: 'Prepare',
        name: 'Read secrets',
        status: 'failed',
        kind: 'check',
        message: 'The repository key cannot be read: what is stored is not a sealed value. To go on, make a new one',
      },
    ])
  })

  const replace = (text: string) =>
    app.ctx.db
      .updateTable('variables')
      .set({ value_sealed: text })
      .where('environment_id', '=', built.environment.id)
      .where('key', '=', 'LOST_KEY')
      .execute()

  test('of the project are not needed where the environment has its own of that key', async () => {
    await set(ofProject(), 'TOKEN', 'lost value', createBox(new Secret<Uint8Array>(randomBytes(32))))
    await set(ofEnvironment(), 'TOKEN', 'own value')
    await runIt(app.ctx, lease, { answers: { host: { follow: { stdout: followed('done\n') } } } })
    expect(await statusOf()).toBe('succeeded')
  })
})
