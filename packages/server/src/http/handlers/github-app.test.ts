// The way to a GitHub App: a manifest, a code, an installation. Each step works once, for the caller who began it.
import { describe, expect, test } from 'vitest'
import { stageGitHubApp } from '../../../test/connections/stage-github-app.ts'
import { databases } from '../../../test/databases.ts'
import { buildSession, buildUser, type TestUser } from '../../../test/factories.ts'
import { buildHookedProject } from '../../../test/git-host-events.ts'
import { json } from '../../../test/github/answer.ts'
import { installApp, registerApp } from '../../../test/github/visitor.ts'
import { ALLOW_LOOPBACK } from '../../../test/hooks/stage-hooks.ts'
import { stageApp } from '../../../test/stage/stage-app.ts'

describe.each(databases)('a GitHub App on $name', (source) => {
  const app = stageApp(source, ALLOW_LOOPBACK)
  const apps = stageGitHubApp(app)

  test('is created from a manifest, installed, and then active', async () => {
    const id = await apps.create()
    expect(await apps.connectionOf(id)).toMatchObject({ status: 'pending', app: null })
    const { step, url, manifest } = await apps.start(id)
    expect([step, url]).toEqual(['create', expect.stringContaining('/organizations/acme/settings/apps/new?state=')])
    expect(JSON.parse(manifest)).toMatchObject({
      public: false,
      redirect_url: `https://ship.example.com/connections/${id}/github-app`,
      default_permissions: {
        contents: 'read',
        metadata: 'read',
        pull_requests: 'write',
        checks: 'write',
        statuses: 'write',
        deployments: 'write',
      },
    })
    expect(Object.keys(JSON.parse(manifest).default_permissions).length).toBe(6)
    const { code, state } = await registerApp(url, manifest)
    const created = await apps.call('POST', `connections/${id}/github-app/code`, { code, state })
    expect(created.body).toMatchObject({ step: 'install', manifest: null })
    expect(await apps.connectionOf(id)).toMatchObject({ status: 'pending', app: { installation_id: null } })
    const back = await installApp(created.body.url)
    const body = { installation_id: Number(back.installation_id), state: back.state }
    const installed = await apps.call('POST', `connections/${id}/github-app/installation`, body)
    expect([installed.status, installed.body]).toEqual([
      200,
      expect.objectContaining({ status: 'active', account: 'acme', status_reason: null }),
    ])
  })

  test('no answer, audit entry, log line or column holds a secret of the App', async () => {
    const from = app.logLines.length
    // The state of a step that is still to come is kept, too.
    await apps.start(await createNamed('Begun'))
    const { id, atGitHub } = await apps.connect()
    await apps.call('GET', `connections/${id}/repositories`)
    const texts = [
      JSON.stringify(await apps.connectionOf(id)),
      (await apps.call('GET', `organizations/${apps.organizationId}/connections`)).text,
      (await apps.call('GET', `organizations/${apps.organizationId}/audit`)).text,
      JSON.stringify(await app.ctx.db.selectFrom('connections').selectAll().execute()),
      JSON.stringify(await app.ctx.db.selectFrom('app_setups').selectAll().execute()),
      ...app.logLines.slice(from),
    ].join('\n')
    const [, line = ''] = atGitHub.pem.split('\n')
    const { bearers, states, records } = apps.github
    const jwts = [...bearers].filter((bearer) => bearer.startsWith('eyJ'))
    const kinds = [[...records.tokens.keys()], jwts, [...states], [...records.codes.keys()]]
    for (const known of kinds) expect(known.length).toBeGreaterThan(0)
    for (const secret of [line, atGitHub.clientSecret, atGitHub.webhookSecret ?? '-', ...kinds.flat()])
      expect(texts).not.toContain(secret)
  })

  test('a state works once', async () => {
    const id = await apps.create()
    const { url, manifest } = await apps.start(id)
    const { code, state } = await registerApp(url, manifest)
    const redeem = () => apps.call('POST', `connections/${id}/github-app/code`, { code, state })
    expect((await redeem()).status).toBe(200)
    expect(await redeem()).toMatchObject({ status: 410, body: { code: 'link_expired' } })
  })

  test('a state that was used with a wrong code is spent', async () => {
    const id = await apps.create()
    const { url, manifest } = await apps.start(id)
    const { code, state } = await registerApp(url, manifest)
    const redeem = (given: unknown) => apps.call('POST', `connections/${id}/github-app/code`, { code: given, state })
    expect(await redeem('0'.repeat(40))).toMatchObject({ status: 502, body: { code: 'git_host_failed' } })
    expect((await redeem(code)).status).toBe(410)
  })

  test('a code that was used already is refused, with what to do', async () => {
    const [first, second] = [await apps.create(), await createNamed('Second')]
    const { url, manifest } = await apps.start(first)
    const { code, state } = await registerApp(url, manifest)
    expect((await apps.call('POST', `connections/${first}/github-app/code`, { code, state })).status).toBe(200)
    const other = new URL((await apps.start(second)).url).searchParams.get('state')
    const answer = await apps.call('POST', `connections/${second}/github-app/code`, { code, state: other })
    expect(answer).toMatchObject({ status: 502, body: { detail: expect.stringContaining('create the App again') } })
    expect(await apps.connectionOf(second)).toMatchObject({ app: null, status: 'pending' })
  })

  test('swapped states are refused: of another connection, of another step, of another session', async () => {
    const [one, two] = [await apps.create(), await createNamed('Two')]
    const first = await apps.start(one)
    const second = await apps.start(two)
    const { code, state } = await registerApp(first.url, first.manifest)
    const swapped = new URL(second.url).searchParams.get('state')
    expect((await apps.call('POST', `connections/${one}/github-app/code`, { code, state: swapped })).status).toBe(410)
    const body = { installation_id: 1, state }
    expect((await apps.call('POST', `connections/${one}/github-app/installation`, body)).status).toBe(410)
    const session = await buildSession(app.ctx, apps.owner.id)
    const headers = { ...session, origin: 'https://ship.example.com' }
    const elsewhere = await apps.call('POST', `connections/${one}/github-app/code`, { code, state }, { headers })
    expect(elsewhere.status).toBe(410)
    expect((await apps.call('POST', `connections/${one}/github-app/code`, { code, state })).status).toBe(200)
  })

  test('a state ends after an hour', async () => {
    const id = await apps.create()
    const { url, manifest } = await apps.start(id)
    const { code, state } = await registerApp(url, manifest)
    app.moveClock(3_600_001)
    expect((await apps.call('POST', `connections/${id}/github-app/code`, { code, state })).status).toBe(410)
  })

  test('an installation of another App is refused', async () => {
    const id = await apps.create()
    const { url } = await apps.createApp(id)
    const state = new URL(url).searchParams.get('state')
    const stranger = apps.github.addApp({ manifest: { url: 'https://else.example.com' }, owner: 'else', name: 'else' })
    const body = { installation_id: apps.github.addInstallation(stranger).id, state }
    const answer = await apps.call('POST', `connections/${id}/github-app/installation`, body)
    expect(answer).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/installation_id', code: 'not_of_this_app' }] },
    })
    expect(await apps.connectionOf(id)).toMatchObject({ status: 'pending', app: { installation_id: null } })
  })

  test('an App that was installed from the pages of GitHub is found', async () => {
    const id = await apps.create()
    await apps.createApp(id)
    const { app: made } = await apps.connectionOf(id)
    const atGitHub = apps.github.records.apps.get(made.id)
    if (!atGitHub) throw new Error('GitHub does not know the App')
    apps.github.addInstallation(atGitHub)
    expect(await apps.start(id)).toMatchObject({ step: 'done', url: null })
    expect(await apps.connectionOf(id)).toMatchObject({ status: 'active', account: 'acme' })
  })

  test('members who do not administer the organization cannot begin', async () => {
    const id = await apps.create()
    const stranger = await buildUser(app.ctx)
    const member = await buildUser(app.ctx)
    await app.ctx.db
      .insertInto('memberships')
      .values({ organization_id: apps.organizationId, user_id: member.id, role: 'member', created_at: 0 })
      .execute()
    const steps = [
      ['', {}],
      ['/code', { code: 'code', state: 'state' }],
      ['/installation', { installation_id: 1, state: 'state' }],
    ] as const
    for (const [step, body] of steps) {
      const as = (user: TestUser) => apps.call('POST', `connections/${id}/github-app${step}`, body, { as: user })
      expect([(await as(stranger)).status, (await as(member)).status]).toEqual([404, 403])
    }
  })

  test('a new App takes the place of one that was deleted at GitHub, and the projects stay', async () => {
    const { id, atGitHub } = await apps.connect()
    const project = await buildHookedProject(app.ctx, { connection_id: id, repository_external_id: '7' })
    await insertAccessOf(project.id)
    apps.github.records.apps.delete(atGitHub.id)
    expect((await apps.call('POST', `connections/${id}/check`)).body).toMatchObject({
      status: 'removed',
      status_reason: expect.stringContaining('The App was deleted at GitHub'),
    })
    expect((await apps.call('DELETE', `connections/${id}`)).status).toBe(409)
    const { url } = await apps.createApp(id)
    expect(await apps.connectionOf(id)).toMatchObject({ status: 'pending', app: { installation_id: null } })
    const { installation_id, state } = await installApp(url)
    const body = { installation_id: Number(installation_id), state }
    const installed = await apps.call('POST', `connections/${id}/github-app/installation`, body)
    expect(installed.body).toMatchObject({ status: 'active', status_reason: null, project_count: 1 })
    expect(installed.body.app.id).not.toBe(atGitHub.id)
    expect(await accessOf(project.id)).toMatchObject({ next_at: 0 })
    const made = apps.github.records.apps.get(installed.body.app.id)
    const row = await app.ctx.db.selectFrom('connections').where('id', '=', id).selectAll().executeTakeFirstOrThrow()
    if (!made) throw new Error('GitHub does not know the App')
    const signed = apps.github.sign(made, 'ping', {})
    const ping = await app.call('POST', `/api/webhooks/${row.hook_id}`, { body: signed.body, headers: signed.headers })
    expect(ping.status).toBe(200)
  })

  // GitHub answers either way for an App that does not exist.
  test.each(['as a key that it does not know', 'in an event, then as a key that it does not know'])(
    'a new App takes the place of one that GitHub treats %s',
    async (way) => {
      const own = await apps.connect()
      const { id, atGitHub } = own
      const project = await buildHookedProject(app.ctx, { connection_id: id, repository_external_id: '7' })
      await insertAccessOf(project.id)
      if (way.startsWith('in an event')) {
        const installation = { id: own.installation.id, account: { login: 'acme' } }
        await apps.deliver(own, 'installation', { action: 'deleted', installation })
      }
      const old = atGitHub.pem
      apps.github.rotateKey(atGitHub)
      const lost = { status: 'failing', status_reason: expect.stringContaining('If the App was deleted there') }
      expect((await apps.call('POST', `connections/${id}/check`)).body).toMatchObject(lost)
      const refused = await apps.call('PATCH', `connections/${id}`, { private_key: old })
      expect(refused.body.errors).toMatchObject([{ code: 'key_refused', detail: expect.stringContaining('new one') }])
      const { url } = await apps.createApp(id)
      expect(await apps.connectionOf(id)).toMatchObject({ status: 'pending', status_reason: null })
      const { installation_id, state } = await installApp(url)
      const body = { installation_id: Number(installation_id), state }
      const installed = await apps.call('POST', `connections/${id}/github-app/installation`, body)
      expect(installed.body).toMatchObject({ status: 'active', status_reason: null, project_count: 1 })
      expect(await accessOf(project.id)).toMatchObject({ next_at: 0 })
      const made = apps.github.records.apps.get(installed.body.app.id)
      if (!made) throw new Error('GitHub does not know the App')
      expect((await apps.deliver({ ...own, atGitHub: made }, 'ping', {})).status).toBe(200)
      // The old one may still be there, and says nothing more.
      expect((await apps.deliver(own, 'ping', {})).status).toBe(401)
    },
  )

  test('a key that GitHub knows again needs no new App', async () => {
    const { id, atGitHub } = await apps.connect()
    const old = atGitHub.publicKeys[0]
    apps.github.rotateKey(atGitHub)
    expect(await apps.start(id)).toMatchObject({ step: 'create' })
    expect(await apps.connectionOf(id)).toMatchObject({ status: 'failing' })
    if (old) atGitHub.publicKeys.push(old)
    expect(await apps.start(id)).toMatchObject({ step: 'done' })
    expect(await apps.connectionOf(id)).toMatchObject({ status: 'active', status_reason: null })
  })

  test('an App that is not installed is not said to work after its key was replaced', async () => {
    const id = await apps.create()
    await apps.createApp(id)
    const atGitHub = apps.github.records.apps.get((await apps.connectionOf(id)).app.id)
    if (!atGitHub) throw new Error('GitHub does not know the App')
    const renewed = apps.github.rotateKey(atGitHub)
    expect((await apps.call('POST', `connections/${id}/check`)).body).toMatchObject({ status: 'failing' })
    const replaced = await apps.call('PATCH', `connections/${id}`, { private_key: renewed })
    expect(replaced.body).toMatchObject({ status: 'pending', status_reason: null })
  })

  test.each([
    ['limits requests', json(429, { message: 'limited' }, { 'retry-after': '60' })],
    ['limits requests in its text alone', json(403, { message: 'You have exceeded a secondary rate limit' })],
    ['does not answer as it should', json(500, { message: 'Server Error' })],
  ])('a connection whose GitHub %s stays as it was', async (_, answer) => {
    const { id } = await apps.connect()
    apps.github.before = ({ isApi }) => (isApi ? answer : undefined)
    for (const path of ['check', 'github-app'])
      expect(await apps.call('POST', `connections/${id}/${path}`, {})).toMatchObject({
        status: 502,
        body: { code: 'git_host_failed' },
      })
    expect(await apps.connectionOf(id)).toMatchObject({ status: 'active', status_reason: null })
  })

  test('a code cannot replace an App that GitHub still knows', async () => {
    const id = await apps.create()
    const first = await apps.start(id)
    const { code, state } = await registerApp(first.url, first.manifest)
    expect((await apps.call('POST', `connections/${id}/github-app/code`, { code, state })).status).toBe(200)
    const { app: made } = await apps.connectionOf(id)
    const known = apps.github.records.apps.get(made.id)
    if (!known) throw new Error('GitHub does not know the App')
    apps.github.records.apps.delete(made.id)
    const again = await apps.start(id)
    expect(again.step).toBe('create')
    const second = await registerApp(again.url, again.manifest)
    apps.github.records.apps.set(made.id, known)
    const body = { code: second.code, state: second.state }
    const answer = await apps.call('POST', `connections/${id}/github-app/code`, body)
    expect([answer.status, answer.body.code]).toEqual([409, 'in_use'])
    expect((await apps.connectionOf(id)).app.id).toBe(made.id)
  })

  const insertAccessOf = (projectId: number) =>
    app.ctx.db
      .insertInto('repository_access')
      .values({ project_id: projectId, repository: 'acme/shop', next_at: 9_000_000_000_000, last_error: 'No' })
      .execute()
  const accessOf = (projectId: number) =>
    app.ctx.db.selectFrom('repository_access').where('project_id', '=', projectId).selectAll().executeTakeFirst()

  test('a rotated key is replaced, once GitHub knows the new one', async () => {
    const { id, atGitHub } = await apps.connect()
    const old = atGitHub.pem
    const renewed = apps.github.rotateKey(atGitHub)
    const replace = (private_key: string) => apps.call('PATCH', `connections/${id}`, { private_key })
    // Whether only the key was deleted or the whole App, GitHub does not say.
    expect(await apps.start(id)).toMatchObject({ step: 'create' })
    expect(await apps.connectionOf(id)).toMatchObject({
      status: 'failing',
      status_reason: expect.stringContaining('GitHub refuses the key of the App'),
    })
    expect((await replace('no key')).body.errors).toMatchObject([{ pointer: '/private_key', code: 'invalid_key' }])
    expect((await replace(old)).body.errors).toMatchObject([{ pointer: '/private_key', code: 'key_refused' }])
    const project = await buildHookedProject(app.ctx, { connection_id: id })
    await insertAccessOf(project.id)
    const replaced = await replace(renewed)
    // Projects that failed with the old key are checked at once.
    expect(await accessOf(project.id)).toMatchObject({ next_at: 0 })
    expect([replaced.status, replaced.text.includes('PRIVATE')]).toEqual([200, false])
    expect(await apps.start(id)).toMatchObject({ step: 'done' })
  })

  test('a rate limit is passed on, and GitHub is left alone until it ends', async () => {
    const { id } = await apps.connect()
    apps.github.before = () => json(403, { message: 'secondary rate limit' }, { 'retry-after': '60' })
    const ask = () => apps.call('POST', `connections/${id}/github-app`, {})
    expect((await ask()).body.detail).toContain('Try again in 60 seconds')
    apps.github.before = undefined
    const before = apps.github.requests.length
    expect([(await ask()).status, apps.github.requests.length]).toEqual([502, before])
    app.moveClock(60_000)
    expect((await ask()).body).toMatchObject({ step: 'done' })
  })

  test('every step waits its turn among what the organization asks of git hosts', async () => {
    const { id, atGitHub } = await apps.connect()
    const second = await createNamed('Second')
    const { installation_id, state } = await installApp((await apps.createApp(second)).url)
    const turns = Promise.withResolvers<void>()
    // As many as run and wait at once.
    const others = Array.from({ length: 24 }, () =>
      app.ctx.connectedHosts.waitTurn(apps.organizationId, () => turns.promise),
    )
    const before = apps.github.requests.length
    const answers = await Promise.all([
      apps.call('POST', `connections/${id}/github-app`, {}),
      apps.call('PATCH', `connections/${id}`, { private_key: atGitHub.pem }),
      apps.call('POST', `connections/${second}/github-app/installation`, {
        installation_id: Number(installation_id),
        state,
      }),
    ])
    expect(answers.map(({ status }) => status)).toEqual([503, 503, 503])
    expect(apps.github.requests.length).toBe(before)
    turns.resolve()
    await Promise.all(others)
  })

  async function createNamed(name: string): Promise<number> {
    const body = { type: 'github_app', name, base_url: apps.github.plainBase }
    return (await apps.call('POST', `organizations/${apps.organizationId}/connections`, body)).body.id
  }
})
