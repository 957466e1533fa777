// The `.service.yml` of a project's settings over HTTP: who sets and reads it, and what is refused.
import { createHash } from 'node:crypto'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { databases } from '../../../test/databases.ts'
import { buildOrganization, buildServer, buildUser, type TestUser } from '../../../test/factories.ts'
import { stageApp } from '../../../test/stage/stage-app.ts'

const FILE = 'services:\n  web: { port: 3000 }\n'
const digestOf = (text: string) => createHash('sha256').update(text).digest('hex')

describe.each(databases)('the service file of a project on $name', (source) => {
  const app = stageApp(source)
  let owner: TestUser
  let [admin, member, viewer, stranger]: TestUser[] = []
  let place: { readonly organization_id: number; readonly server_ids: readonly number[] }
  let id: number
  let count = 0

  beforeAll(async () => {
    owner = await buildUser(app.ctx)
    ;[admin, member, viewer, stranger] = await Promise.all([1, 2, 3, 4].map(() => buildUser(app.ctx)))
    const roles = [
      { user: owner, role: 'owner' },
      { user: admin ?? owner, role: 'admin' },
      { user: member ?? owner, role: 'member' },
      { user: viewer ?? owner, role: 'viewer' },
    ] as const
    const organization = await buildOrganization(app.ctx, [...roles])
    await buildOrganization(app.ctx, [{ user: stranger ?? owner, role: 'owner' }])
    place = { organization_id: organization.id, server_ids: [(await buildServer(app.ctx, organization.id)).id] }
  })

  const create = (more: Record<string, unknown> = {}, as = admin) => {
    count += 1
    const named = {
      name: `Shop ${count}`,
      repo_url: 'git@git.example.org:a/b.git',
      domain: `shop-${count}.example.org`,
    }
    return app.call('POST', '/api/projects', { as, body: { ...named, ...place, ...more } })
  }
  const change = (body: Record<string, unknown>, as = admin) => app.call('PATCH', `/api/projects/${id}`, { as, body })
  const read = (as = admin) => app.call('GET', `/api/projects/${id}/service-file`, { as })

  beforeEach(async () => {
    id = (await create()).body.id
  })

  test('an admin saves one, replaces it and removes it, and the audit log has the name of the field', async () => {
    expect((await read()).body).toEqual({ content: null })
    expect(await change({ service_file: FILE })).toMatchObject({
      status: 200,
      body: { service_file_digest: digestOf(FILE) },
    })
    expect(await read(viewer)).toMatchObject({ status: 200, body: { content: FILE } })
    const next = `${FILE}# More\n`
    expect((await change({ service_file: next })).body.service_file_digest).toBe(digestOf(next))
    expect((await change({ name: 'Kept' })).body.service_file_digest).toBe(digestOf(next))
    expect((await change({ service_file: null })).body.service_file_digest).toBeNull()
    expect((await read()).body).toEqual({ content: null })
    const events = await app.ctx.db.selectFrom('audit_events').where('target_id', '=', id).selectAll().execute()
    const fields = events.filter(({ action }) => action === 'project.updated').map((event) => event.fields)
    expect(fields).toEqual(['["service_file"]', '["service_file"]', '["name"]', '["service_file"]'])
  })

  test('a project has one from its start, and no list of projects has the text', async () => {
    const made = await create({ service_file: FILE })
    expect(made).toMatchObject({ status: 201, body: { service_file_digest: digestOf(FILE) } })
    for (const answer of [made, await app.call('GET', '/api/projects', { as: admin })])
      expect(answer.text).not.toContain('port: 3000')
    expect((await app.call('GET', `/api/projects/${made.body.id}/service-file`, { as: admin })).body.content).toBe(FILE)
  })

  test('only admins set it, and members of other organizations do not learn that it is there', async () => {
    await change({ service_file: FILE })
    for (const as of [member, viewer]) expect((await change({ service_file: null }, as)).status).toBe(403)
    expect((await change({ service_file: null }, stranger)).status).toBe(404)
    expect((await read(stranger)).status).toBe(404)
    expect((await create({ service_file: FILE }, member)).status).toBe(403)
    expect((await read()).body.content).toBe(FILE)
  })

  test('a user cannot check the file of another organization, or a file without permission', async () => {
    expect((await change({ service_file: 'servces: {}' }, stranger)).status).toBe(404)
    expect((await change({ service_file: 'servces: {}' }, member)).status).toBe(403)
  })

  test.each<[what: string, content: unknown, detail: RegExp | string]>([
    ['a misspelt key', 'servces: {}\n', '.service.yml:1:1: servces is not a known key; did you mean services?'],
    ['no text', '', /^\.service\.yml:1:1: The file is empty/],
    [
      'rules about pull requests',
      `${FILE}pull_requests: { drafts: false }\n`,
      /^\.service\.yml:3:1: pull_requests: Leave this out/,
    ],
    ['a wait for checks', `${FILE}deploy_after: checks\n`, /^\.service\.yml:3:1: deploy_after: Leave this out/],
    ['an alias', 'services: &a { web: {} }\nactions: *a\n', /:1:11: Anchors are not allowed/],
    ['more than 256 KiB', `${FILE}# ${'é'.repeat(128 * 1024)}\n`, /larger than 256 KiB/],
    ['a NUL', `${FILE}#\0\n`, /plain text/],
    ['half a character', `${FILE}#\ud800\n`, /plain text/],
  ])('refuses %s with its place, and keeps the earlier one', async (_what, content, detail) => {
    await change({ service_file: FILE })
    for (const answer of [await change({ service_file: content }), await create({ service_file: content })]) {
      expect(answer.status).toBe(422)
      expect(answer.body.errors[0].pointer).toBe('/service_file')
      expect(answer.body.errors[0].detail).toMatch(detail)
    }
    expect((await read()).body.content).toBe(FILE)
  })

  test('is checked by the rules of the recipe that the project will have', async () => {
    const manual = `${FILE}manual: { deploy: [{ run: make }] }\n`
    const refused = await change({ service_file: FILE, default_recipe: 'manual', manual_recipe: 'allowed' }, owner)
    expect(refused).toMatchObject({ status: 422 })
    expect(refused.text).toContain('The manual recipe needs a section manual')
    const taken = await change({ service_file: manual, default_recipe: 'manual', manual_recipe: 'allowed' }, owner)
    expect(taken.status).toBe(200)
  })
})
