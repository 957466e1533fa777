// What the runner gets of a task: which commits need not be searched in the branches of the repository.
import { beforeAll, describe, expect, test } from 'vitest'
import { databases } from '../../../test/databases.ts'
import { buildEnvironment, buildOrganization, buildProject, buildTask, buildUser } from '../../../test/factories.ts'
import { stageApp } from '../../../test/stage/stage-app.ts'
import { PLATFORM } from '../../domain/people/actor.ts'
import { insertApproval } from '../environments/approvals.ts'
import { findTaskToRun } from './tasks-to-run.ts'

const sha = 'a'.repeat(40)
const ended = { started_at: 1, finished_at: 2 }

describe.each(databases)('the commit of a task on $name is admitted', (source) => {
  const app = stageApp(source)
  let userId: number
  let newEnvironment: (isFork?: boolean) => Promise<number>

  beforeAll(async () => {
    const user = await buildUser(app.ctx)
    userId = user.id
    const { id: organizationId } = await buildOrganization(app.ctx, [{ user, role: 'owner' }])
    const project = await buildProject(app.ctx, { organizationId, ownerId: user.id })
    newEnvironment = async (isFork = false) =>
      (await buildEnvironment(app.ctx, project, { is_fork: isFork ? 1 : 0 })).id
  })

  const isAdmitted = async (environmentId: number, commit: string | null = sha) => {
    const { id } = await buildTask(app.ctx, environmentId, { commit_sha: commit })
    return (await findTaskToRun(app.ctx.db, id))?.isCommitAdmitted
  }

  test('where the environment has deployed it before, whatever came in between', async () => {
    const id = await newEnvironment()
    await buildTask(app.ctx, id, { status: 'succeeded', commit_sha: sha, ...ended })
    await buildTask(app.ctx, id, { status: 'succeeded', commit_sha: 'b'.repeat(40), ...ended })
    expect(await isAdmitted(id)).toBe(true)
  })

  test('not by a deployment that failed, by another environment, or by a removal', async () => {
    const id = await newEnvironment()
    await buildTask(app.ctx, id, { status: 'failed', commit_sha: sha, ...ended })
    await buildTask(app.ctx, id, { kind: 'remove', status: 'succeeded', commit_sha: sha, ...ended })
    await buildTask(app.ctx, await newEnvironment(), { status: 'succeeded', commit_sha: sha, ...ended })
    expect(await isAdmitted(id)).toBe(false)
    expect(await isAdmitted(await newEnvironment(), null)).toBe(false)
  })

  test('of a fork only by an approval of that very commit', async () => {
    const id = await newEnvironment(true)
    await buildTask(app.ctx, id, { status: 'succeeded', commit_sha: sha, ...ended })
    const approve = (environmentId: number, commit: string) =>
      app.ctx.change(PLATFORM, (tx) =>
        insertApproval(tx, { environment_id: environmentId, commit_sha: commit, approved_by: userId, approved_at: 1 }),
      )
    await approve(id, 'b'.repeat(40))
    await approve(await newEnvironment(true), sha)
    expect(await isAdmitted(id)).toBe(false)
    await app.ctx.db.deleteFrom('tasks').where('environment_id', '=', id).execute()
    await approve(id, sha)
    expect(await isAdmitted(id)).toBe(true)
  })
})
