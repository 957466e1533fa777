// Git hosts on names that say nothing: recognised by the first delivery that is genuine, and never by one that is not.
import { beforeEach, describe, expect, test } from 'vitest'
import { databases } from '../../../test/databases.ts'
import { deliverAs, dialects, type TestDialect } from '../../../test/git-host-dialects.ts'
import { buildHookedProject, type HookedProject, hmac, SECRET, stateOf } from '../../../test/git-host-events.ts'
import { stageApp } from '../../../test/stage/stage-app.ts'
import { PLATFORM } from '../../domain/people/actor.ts'
import { applyDelivery } from '../../operations/repository-events/apply-delivery.ts'
import { NO_FACTS } from '../../operations/repository-events/gather-facts.ts'
import { Secret } from '../../secrets/secret.ts'
import { recogniseHost } from './recognise-host.ts'

test.each([
  [{ 'x-github-event': 'push' }, 'github'],
  [{ 'x-github-event': 'push', 'x-gitea-event': 'push', 'x-gogs-event': 'push' }, 'gitea'],
  [{ 'x-github-event': 'push', 'x-forgejo-event': 'push' }, 'gitea'],
  [{ 'x-github-event': 'push', 'x-gogs-event': 'push' }, 'gitea'],
  [{ 'x-gitlab-event': 'Push Hook' }, 'gitlab'],
  [{ 'x-event-key': 'repo:push', 'user-agent': 'Bitbucket-Webhooks/2.0' }, 'bitbucket'],
  [{ 'x-gitea-event': '' }, undefined],
  [{}, undefined],
])('%j is of %s', (headers, host) => {
  expect(recogniseHost(headers)).toBe(host)
})

const dialectOf = (name: string): TestDialect => {
  const found = dialects.find((dialect) => dialect.name === name)
  if (!found) throw new Error(`There is no dialect ${name}`)
  return found
}

describe.each(databases)('a git host on a neutral name on $name', (source) => {
  const app = stageApp(source, { webhookSecret: new Secret('shared by all') })
  let project: HookedProject

  beforeEach(async () => {
    project = await buildHookedProject(app.ctx, { repo_url: 'git@git.example.com:acme/app.git', is_host_guessed: 1 })
  })

  const hostOf = async () =>
    (await app.call('GET', `/api/projects/${project.id}`, { as: project.owner })).body.repository_host
  const deliveries = async () => {
    await app.finished()
    return (await app.call('GET', `/api/projects/${project.id}/deliveries`, { as: project.owner })).body
  }
  const audited = async () => {
    const url = `/api/organizations/${project.organizationId}/audit?limit=100`
    const { body } = await app.call('GET', url, { as: project.owner })
    return body.filter(({ action }: { action: string }) => action === 'project.updated')
  }
  const open = (dialect: TestDialect, sent: Parameters<typeof deliverAs>[3] = {}) =>
    deliverAs(dialect, { app, hookId: project.hook_id }, dialect.pullRequest({}), sent)

  test.each(dialects)('$name is recognised by its first genuine delivery', async (dialect) => {
    const answer = await open(dialect)
    expect([answer.status, answer.body]).toEqual([200, { verdict: 'accepted', reason: null }])
    expect(await hostOf()).toBe(dialect.repository_host)
    const isOther = dialect.repository_host !== 'github'
    expect(await audited()).toMatchObject(isOther ? [{ fields: ['repository_host'] }] : [])
    const [kept] = await deliveries()
    if (isOther)
      expect(kept.hint).toMatch(/^It came from (GitLab|Gitea|Bitbucket); since then repository_host says so$/)
    else expect(kept.hint).toBeNull()
  })

  test.each(dialects)('a delivery that only looks like $name changes nothing', async (dialect) => {
    const body = JSON.stringify(dialect.pullRequest({}).payload)
    for (const signature of [dialect.signatureOf(body, 'wrong'), '', null, hmac(body, 'wrong')]) {
      expect((await open(dialect, { signature })).status).toBe(401)
    }
    expect(await hostOf()).toBe('github')
    expect((await stateOf(app.ctx, project.id)).environments).toEqual([])
    const [kept] = await deliveries()
    expect(kept).toMatchObject({ verdict: 'refused', reason: 'signature_invalid', pull_request: null, branch: null })
  })

  test('what is recognised once stays, and others are distinguished in the list', async () => {
    await open(dialectOf('Gitea'))
    expect((await open(dialectOf('GitLab'))).status).toBe(401)
    expect(await hostOf()).toBe('gitea')
    const [kept] = await deliveries()
    expect(kept).toMatchObject({
      verdict: 'refused',
      hint:
        'It looks like a delivery of GitLab, and the project says Gitea. ' +
        'If the repository is on GitLab, change repository_host to gitlab; if not, another sender sent it',
    })
  })

  test('a host that a user has chosen stays, and the list says what to change', async () => {
    const body = { repository_host: 'github' }
    await app.call('PATCH', `/api/projects/${project.id}`, { as: project.owner, body })
    expect((await open(dialectOf('GitLab'))).status).toBe(401)
    expect(await hostOf()).toBe('github')
    expect((await deliveries())[0].hint).toContain('change repository_host to gitlab')
    await app.call('PATCH', `/api/projects/${project.id}`, { as: project.owner, body: { repository_host: 'gitlab' } })
    expect((await open(dialectOf('GitLab'))).status).toBe(200)
    expect((await deliveries())[0].hint).toBeNull()
  })

  test('a secret that other projects share does not say which git host it is', async () => {
    project = await buildHookedProject(app.ctx, { is_host_guessed: 1, shares_webhook_secret: 1 })
    const gitlab = dialectOf('GitLab')
    for (const signature of ['shared by all', SECRET]) expect((await open(gitlab, { signature })).status).toBe(401)
    expect(await hostOf()).toBe('github')
  })

  test('a delivery that takes effect after the project has moved says nothing of where it is now', async () => {
    const told = 'event_not_used' as const
    const origin = { address: '127.0.0.1', requestId: 'one' }
    const content = { deliveryKey: 'one', told, host: 'gitlab' as const, showsHostOf: project.repo_url, origin }
    const take = () =>
      app.ctx.change(PLATFORM, async (tx) => {
        const stored = {
          id: 1,
          deliveryId: 'one',
          event: 'x',
          content: JSON.stringify(content),
          attempts: 1,
          isDue: true,
        }
        return applyDelivery(app.ctx, tx, { projectId: project.id, stored, facts: NO_FACTS })
      })
    const body = { repo_url: 'git@git.example.org:acme/app.git' }
    await app.call('PATCH', `/api/projects/${project.id}`, { as: project.owner, body })
    await take()
    expect(await hostOf()).toBe('github')
    await app.call('PATCH', `/api/projects/${project.id}`, { as: project.owner, body: { repo_url: project.repo_url } })
    await take()
    expect(await hostOf()).toBe('gitlab')
  })

  test('a signature without a header that names the git host shows none', async () => {
    const body = JSON.stringify({})
    const headers = { 'x-hub-signature-256': `sha256=${hmac(body)}` }
    expect((await app.call('POST', `/api/webhooks/${project.hook_id}`, { body, headers })).status).toBe(200)
    expect((await open(dialectOf('Gitea'))).status).toBe(200)
    expect(await hostOf()).toBe('gitea')
  })

  test('the headers of another git host are refused where the host is known', async () => {
    await open(dialectOf('GitHub'))
    const { event, payload } = dialectOf('GitHub').push({ branch: 'main', sha: 'a'.repeat(40) })
    const body = JSON.stringify(payload)
    const headers = { 'x-github-event': event, 'x-gitlab-event': 'Push Hook', 'x-gitlab-token': SECRET }
    const answer = await app.call('POST', `/api/webhooks/${project.hook_id}`, { body, headers })
    expect(answer.status).toBe(401)
  })

  test('a project without a chosen host is open to be recognised, also after it has moved', async () => {
    const guessed = async () =>
      (await app.ctx.db.selectFrom('projects').where('id', '=', project.id).selectAll().executeTakeFirstOrThrow())
        .is_host_guessed
    const patch = (body: object) => app.call('PATCH', `/api/projects/${project.id}`, { as: project.owner, body })
    await patch({ name: 'Another name' })
    expect(await guessed()).toBe(1)
    await patch({ repository_host: 'gitea' })
    expect(await guessed()).toBe(0)
    await patch({ repo_url: 'git@git.example.org:acme/app.git' })
    expect(await guessed()).toBe(1)
    await patch({ repo_url: 'git@git.example.net:acme/app.git', repository_host: 'bitbucket' })
    expect(await guessed()).toBe(0)
    const create = (more: object) =>
      app.call('POST', '/api/projects', {
        as: project.owner,
        body: {
          name: 'P',
          repo_url: 'git@git.example.com:a/b.git',
          domain: `n${Math.random()}.example.net`,
          server_ids: [project.serverId],
          ...more,
        },
      })
    for (const [more, expected] of [
      [{}, 1],
      [{ repository_host: 'github' }, 0],
    ] as const) {
      const { body } = await create(more)
      const row = app.ctx.db.selectFrom('projects').where('id', '=', body.id).select('is_host_guessed')
      expect((await row.executeTakeFirst())?.is_host_guessed).toBe(expected)
    }
  })

  test('a delivery says which pull request, branch and environment it was about', async () => {
    const github = dialectOf('GitHub')
    await open(github)
    await deliverAs(github, { app, hookId: project.hook_id }, github.push({ branch: 'feature', sha: 'b'.repeat(40) }))
    await deliverAs(github, { app, hookId: project.hook_id }, github.push({ branch: 'other', sha: 'b'.repeat(40) }))
    const { rows } = await stateOf(app.ctx, project.id)
    const environment = { id: rows.environments[0]?.id, name: 'pr-7' }
    expect(await deliveries()).toMatchObject([
      { reason: 'no_environment', pull_request: null, branch: 'other', environment: null },
      { verdict: 'accepted', pull_request: null, branch: 'feature', environment },
      { verdict: 'accepted', pull_request: 7, branch: 'feature', environment },
    ])
  })

  test.each(['GitHub', 'Bitbucket Data Center'])('the ping of %s is a success', async (name) => {
    const dialect = dialectOf(name)
    const event = name === 'GitHub' ? 'ping' : 'diagnostics:ping'
    const answer = await deliverAs(dialect, { app, hookId: project.hook_id }, { event, payload: { zen: 'x' } })
    expect(answer.body).toEqual({ verdict: 'accepted', reason: null })
    expect(await deliveries()).toMatchObject([{ event, verdict: 'accepted', reason: null }])
    expect(await hostOf()).toBe(dialect.repository_host)
  })
})
