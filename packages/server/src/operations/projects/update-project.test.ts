// A change of a project updates the edges if their state depends on it.
import { describe, expect, test } from 'vitest'
import { databases } from '../../../test/databases.ts'
import { stageApp } from '../../../test/stage/stage-app.ts'
import { stageProject } from '../../../test/stage/stage-members.ts'
import type { ChangeEvent } from '../../domain/change-event.ts'

describe.each(databases)('a change of a project on $name', (source) => {
  const app = stageApp(source)
  const { owner, project } = stageProject(app, { owner: 'owner' })

  const heardOf = async (body: Record<string, unknown>, status: number) => {
    const heard: ChangeEvent[] = []
    const end = app.ctx.bus.listen((event) => heard.push(event))
    const answer = await app.call('PATCH', `/api/projects/${project.id}`, { as: owner, body })
    end()
    expect(answer.status, answer.text).toBe(status)
    return heard.map(({ about }) => about).toSorted()
  }

  test.each([
    { tls: 'automatic' },
    { basic_auth: { username: 'ada', password: 'a long password' } },
    { basic_auth: null },
    { custom_domains: ['x.test'] },
    { domain: 'other.example.com' },
  ])('updates the edges at once if they depend on it: %j', async (body) => {
    expect(await heardOf(body, 200)).toEqual(['project', 'routes'])
  })

  test('updates no edge if they do not, or if nothing changed', async () => {
    expect(await heardOf({ name: 'New', default_branch: 'next' }, 200)).toEqual(['project'])
    expect(await heardOf({ tls: 'off', environment_limit: 3 }, 403)).toEqual([])
  })
})
