// Which repository a delivery speaks of: a hook of an organization sends the deliveries of all its repositories.
import { beforeEach, describe, expect, test } from 'vitest'
import { databases } from '../../../test/databases.ts'
import { buildHookedProject, deliver, type HookedProject, pullRequest, stateOf } from '../../../test/git-host-events.ts'
import { stageApp } from '../../../test/stage/stage-app.ts'

describe.each(databases)('repositories of deliveries on $name', (source) => {
  const app = stageApp(source)
  let project: HookedProject

  beforeEach(async () => {
    project = await buildHookedProject(app.ctx, { repo_url: 'git@github.com:acme/app.git' })
  })

  let number = 0
  const deliverFrom = async (repository: unknown) => {
    number += 1
    const payload = pullRequest('opened', { number, more: { repository } })
    return (await deliver(app, project, 'pull_request', payload)).body
  }
  const at = (id: number, name: string) => ({
    id,
    clone_url: `https://github.com/${name}.git`,
    ssh_url: `git@github.com:${name}.git`,
    html_url: `https://github.com/${name}`,
  })
  const accepted = { verdict: 'accepted', reason: null }
  const other = { verdict: 'ignored', reason: 'other_repository' }

  test('another repository of the organization makes nothing, also before the own one was heard', async () => {
    expect(await deliverFrom(at(2, 'acme/other'))).toEqual(other)
    expect((await stateOf(app.ctx, project.id)).environments).toEqual([])
    const { body } = await app.call('GET', `/api/projects/${project.id}/deliveries`, { as: project.owner })
    expect(body).toMatchObject([other])
    expect(await deliverFrom(at(1, 'Acme/App'))).toEqual(accepted)
    expect(await deliverFrom(at(2, 'acme/other'))).toEqual(other)
    expect(await deliverFrom(at(1, 'acme/renamed'))).toEqual(accepted)
  })

  test('one that was made anew at the same address takes the place of the first, which is written down', async () => {
    expect(await deliverFrom(at(1, 'acme/app'))).toEqual(accepted)
    expect(await deliverFrom({ ...at(3, 'acme/app'), html_url: 'https://github.com/acme/other' })).toEqual(other)
    expect(await deliverFrom(at(3, 'acme/app'))).toEqual(accepted)
    expect(await deliverFrom(at(1, 'acme/moved-away'))).toEqual(other)
    expect(await deliverFrom(at(3, 'acme/app'))).toEqual(accepted)
    const { body } = await app.call('GET', `/api/organizations/${project.organizationId}/audit`, { as: project.owner })
    const replaced = body.filter(({ action }: { action: string }) => action === 'project.repository_replaced')
    expect(replaced).toMatchObject([{ target: { kind: 'project', id: project.id }, actor: null }])
  })

  test('an alias of the host is the host while the path is the same, and a payload without addresses is believed', async () => {
    expect(await deliverFrom({ id: 1, clone_url: 'http://git.inner:3000/acme/app.git' })).toEqual(accepted)
    expect(await deliverFrom({ id: 2, clone_url: 'http://git.inner:3000/acme/other.git' })).toEqual(other)
    expect(await deliverFrom({ id: 9 })).toEqual(accepted)
  })
})
