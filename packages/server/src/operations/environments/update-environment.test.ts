// A change of an environment updates the edges if their state depends on it.
import { describe, expect, test } from 'vitest'
import { databases } from '../../../test/databases.ts'
import { buildEnvironment, buildOrganization, buildProject, buildServer, buildUser } from '../../../test/factories.ts'
import { stageApp } from '../../../test/stage/stage-app.ts'
import type { ChangeEvent } from '../../domain/change-event.ts'

describe.each(databases)('a change of an environment on $name', (source) => {
  const app = stageApp(source)

  test('updates the edges at once if they depend on it, and otherwise not', async () => {
    const owner = await buildUser(app.ctx)
    const organization = await buildOrganization(app.ctx, [{ user: owner, role: 'owner' }])
    const project = await buildProject(app.ctx, { organizationId: organization.id, ownerId: owner.id })
    const another = await buildServer(app.ctx, organization.id)
    await app.ctx.db
      .insertInto('project_servers')
      .values({ project_id: project.id, server_id: another.id, position: 1 })
      .execute()
    const environment = await buildEnvironment(app.ctx, project)
    const heardOf = async (body: Record<string, unknown>) => {
      const heard: ChangeEvent[] = []
      const end = app.ctx.bus.listen((event) => heard.push(event))
      const answer = await app.call('PATCH', `/api/environments/${environment.id}`, { as: owner, body })
      end()
      expect(answer.status, answer.text).toBe(200)
      return heard.map(({ about }) => about)
    }
    const routes = expect.arrayContaining(['environment', 'routes'])
    expect(await heardOf({ basic_auth: { username: 'ada', password: 'a long password' } })).toEqual(routes)
    expect(await heardOf({ basic_auth: null })).toEqual(routes)
    expect(await heardOf({ domain: `other.${project.domain}` })).toEqual(routes)
    expect(await heardOf({ server_id: another.id })).toEqual(routes)
    expect(await heardOf({ server_id: another.id, title: 'New' })).toEqual(['environment'])
  })
})
