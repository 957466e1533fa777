// Mirrors of deleted projects go, also where the platform died in between; those of all others stay.
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { databases } from '../../../test/databases.ts'
import { buildEnvironment, buildOrganization, buildProject, buildUser, type TestUser } from '../../../test/factories.ts'
import { stageApp } from '../../../test/stage/stage-app.ts'
import { until } from '../../../test/steps.ts'
import { PLATFORM } from '../../domain/people/actor.ts'
import { createGitHosts } from '../../source/git-hosts.ts'
import { createSource } from '../../source/source.ts'
import { deleteProjectIfDrained } from '../../store/projects/projects.ts'
import { createBackground } from '../background.ts'

const folder = mkdtempSync(join(tmpdir(), 'shipway-mirrors-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe.each(databases)('mirrors of projects on $name', (source) => {
  const mirrors = join(folder, source.name)
  const app = stageApp(source)
  let owner: TestUser
  let organizationId: number

  beforeAll(async () => {
    owner = await buildUser(app.ctx)
    organizationId = (await buildOrganization(app.ctx, [{ user: owner, role: 'owner' }])).id
  })

  const build = async () => {
    const project = await buildProject(app.ctx, { organizationId, ownerId: owner.id })
    mkdirSync(join(mirrors, `${project.id}.git`), { recursive: true })
    return project
  }
  const createPlatform = () =>
    createBackground(app.ctx, {
      source: createSource({ folder: mirrors, allowedNetworks: [] }),
      gitHosts: createGitHosts({ allowedNetworks: [] }),
    })
  /** Locks beside them go with them. */
  const left = () => readdirSync(mirrors).filter((name) => name !== 'connections')
  const come = (...projects: readonly { readonly id: number }[]) => {
    const wanted = projects.map(({ id }) => `${id}.git`).sort()
    return until(() => JSON.stringify(left().sort()) === JSON.stringify(wanted))
  }

  test('go at the start, and whenever a project has gone', async () => {
    const [stays, waits, gone] = [await build(), await build(), await build()]
    const environment = await buildEnvironment(app.ctx, waits)
    await app.ctx.db.updateTable('projects').set({ deleting_since: 1 }).where('id', '=', waits.id).execute()
    expect(await app.call('DELETE', `/api/projects/${gone.id}`, { as: owner })).toMatchObject({ status: 202 })
    const platform = createPlatform()
    platform.start()
    onTestFinished(() => platform.stop())
    // One that waits for its environments may still need it.
    await come(stays, waits)
    await app.ctx.db.updateTable('environments').set({ removed_at: 2 }).where('id', '=', environment.id).execute()
    await app.ctx.change(PLATFORM, (tx) => deleteProjectIfDrained(tx, waits.id))
    await come(stays)
    expect(app.logLines.filter((line) => line.includes('mirror'))).toEqual([])
  })
})
