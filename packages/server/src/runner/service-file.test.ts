// The `.service.yml` of a project's settings: when a deployment uses it, and what uses the same one afterwards.
import { beforeEach, describe, expect, test } from 'vitest'
import { databases } from '../../test/databases.ts'
import {
  type Answers,
  buildDeployment,
  endAllTasks,
  runIt,
  serviceFile,
  sha,
  takeNext,
} from '../../test/deployments.ts'
import { buildTask } from '../../test/factories.ts'
import { followed } from '../../test/fake-host.ts'
import { stageApp } from '../../test/stage/stage-app.ts'
import { PLATFORM } from '../domain/people/actor.ts'
import { findServiceFileOfTask, replaceServiceFile, replaceServiceFileOfTask } from '../store/projects/service-files.ts'

const SAID = "This commit has no .service.yml: using the one from the project's settings"
const stored = serviceFile.replace('name: Build', 'name: Stored build')
const ran = { follow: { stdout: followed('done\n') } }

describe.each(databases)('a service file of the settings on $name', (source) => {
  const app = stageApp(source)
  let built: Awaited<ReturnType<typeof buildDeployment>>

  beforeEach(async () => {
    await endAllTasks(app.ctx)
    built = await buildDeployment(app.ctx)
  })

  const keep = (content: string | null) =>
    app.ctx.change(PLATFORM, (tx) => replaceServiceFile(tx, built.project.id, content))
  const used = (taskId: number, content: string) =>
    app.ctx.change(PLATFORM, (tx) => replaceServiceFileOfTask(tx, taskId, content))
  const runTask = async (answers: Answers) => {
    await app.ctx.db.deleteFrom('outputs').execute()
    const lines = await runIt(app.ctx, await takeNext(app.ctx), {
      answers: { ...answers, host: { ...ran, ...answers.host } },
    })
    const outputs = await app.ctx.db.selectFrom('outputs').orderBy('output_from').selectAll().execute()
    return { lines, output: Buffer.concat(outputs.map(({ bytes }) => bytes)).toString() }
  }
  const statusOf = async (id: number) =>
    (await app.ctx.db.selectFrom('tasks').where('id', '=', id).select('status').executeTakeFirstOrThrow()).status

  test('is used for a commit that has none, which the step says, and is kept with the deployment', async () => {
    await keep(stored)
    const { output } = await runTask({ file: () => undefined })
    expect(await statusOf(built.taskId)).toBe('succeeded')
    expect(output).toContain(`==> Prepare: Read .service.yml\n${SAID}\n`)
    expect(output).toContain('==> Start: Stored build\n')
    await keep(null)
    expect(await findServiceFileOfTask(app.ctx.db, built.taskId)).toBe(stored)
  })

  test('is not used for a commit that has one, whatever is in it', async () => {
    await keep(stored)
    const { output } = await runTask({ file: () => serviceFile })
    expect(await statusOf(built.taskId)).toBe('succeeded')
    expect(output).not.toContain(SAID)
    expect(await findServiceFileOfTask(app.ctx.db, built.taskId)).toBeNull()

    const empty = await buildTask(app.ctx, built.environment.id)
    await runTask({ file: () => '' })
    expect(await statusOf(empty.id)).toBe('failed')
  })

  test('is used again by a rollback as its deployment had it', async () => {
    await used(built.liveId, stored)
    await keep(serviceFile.replace('name: Build', 'name: Newer build'))
    const values = { source_task_id: built.liveId, cause: 'rollback', commit_sha: sha } as const
    await app.ctx.db.updateTable('tasks').set(values).where('id', '=', built.taskId).execute()
    const { output } = await runTask({ file: () => undefined })
    expect(await statusOf(built.taskId)).toBe('succeeded')
    expect(output).toContain(`${SAID}, as deployment #${built.liveId} used it\n`)
    expect(output).toContain('==> Start: Stored build\n')
    expect(await findServiceFileOfTask(app.ctx.db, built.taskId)).toBe(stored)
  })

  test('has the destroy tasks of the deployment that used it, whatever the settings have by now', async () => {
    const destroy = (moment: string) => `${stored}  destroy: [{ name: Stop as ${moment}, run: ./stop }]\n`
    await used(built.liveId, destroy('then'))
    await keep(destroy('now'))
    await app.ctx.db.deleteFrom('tasks').where('id', '=', built.taskId).execute()
    const { id } = await buildTask(app.ctx, built.environment.id, { kind: 'remove' })
    const { lines, output } = await runTask({})
    expect(await statusOf(id)).toBe('succeeded')
    expect(output).toContain(': Stop as then\n')
    expect(output).not.toContain('Stop as now')
    expect(lines.filter((line) => line.startsWith('head -c'))).toEqual([])
  })
})
