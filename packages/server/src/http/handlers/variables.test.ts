// Variables over HTTP: what a change does, who may make it, and what happens when two come at once.
import { beforeEach, describe, expect, test } from 'vitest'
import { databases } from '../../../test/databases.ts'
import {
  buildEnvironment,
  buildOrganization,
  buildProject,
  buildTask,
  buildUser,
  type TestUser,
} from '../../../test/factories.ts'
import { stageApp } from '../../../test/stage/stage-app.ts'
import { stageProject } from '../../../test/stage/stage-members.ts'

describe.each(databases)('variables on $name', (source) => {
  const app = stageApp(source)
  const roles = { owner: 'owner', member: 'member', viewer: 'viewer' } as const
  const { owner, member, viewer, project } = stageProject(app, roles)
  let environmentId: number

  beforeEach(async () => {
    environmentId = (await buildEnvironment(app.ctx, project, { owner_id: member.id })).id
  })

  const path = () => `/api/environments/${environmentId}/variables`
  const list = (as: TestUser | undefined = viewer) => app.call('GET', path(), { as })
  const patch = (body: unknown, more: { as?: TestUser; ifMatch?: string } = {}) =>
    app.call('PATCH', path(), {
      as: more.as ?? member,
      body,
      ...(more.ifMatch !== undefined && { headers: { 'if-match': more.ifMatch } }),
    })
  const keysOf = async () => (await list()).body.variables.map(({ key }: { key: string }) => key)
  const alter = (values: { is_protected?: 0 | 1; recipe?: 'manual'; removed_at?: number }) =>
    app.ctx.db.updateTable('environments').set(values).where('id', '=', environmentId).execute()
  const eventsOf = () =>
    app.ctx.db.selectFrom('audit_events').where('target_id', '=', environmentId).orderBy('id').selectAll().execute()

  /** What a deployment would be given. */
  const storedValue = async (key: string) => {
    const rows = await app.ctx.db
      .selectFrom('variables')
      .where('environment_id', '=', environmentId)
      .where('key', '=', key)
      .selectAll()
      .execute()
    const place = { table: 'variables', column: 'value_sealed', row: `${environmentId}/${key}` }
    return rows.map((row) => app.ctx.box.open(row.value_sealed, place).reveal())[0]
  }

  test('an environment begins without variables, at version 0', async () => {
    const answer = await list()
    expect(answer.status).toBe(200)
    expect(answer.headers.etag).toBe('"v0"')
    expect(answer.body).toEqual({
      environment_id: environmentId,
      variables: [],
      system_keys: ['SERVICE_DOMAIN', 'SERVICE_ENV_IDENTIFIER', 'SERVICE_ENV_TYPE', 'SERVICE_ENV_BRANCH'],
      variables_changed: false,
      version: 0,
      hint: null,
    })
  })

  test('a variable that is no secret is marked for builds, and keeps the mark when it is set again', async () => {
    const marks = async () =>
      (await list()).body.variables.map((one: { key: string; build: boolean }) => [one.key, one.build])
    await patch({ set: { A: '1', B: '2' }, build: { A: true } })
    await patch({ set: { A: '3' } })
    expect(await marks()).toEqual([
      ['A', true],
      ['B', false],
    ])
    const answer = await patch({ build: { A: false, B: true } })
    expect(answer.headers.etag).toBe('"v3"')
    expect(await marks()).toEqual([
      ['A', false],
      ['B', true],
    ])
    expect(await storedValue('A')).toBe('3')
    expect(await patch({ build: { ABSENT: true } })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/build/ABSENT', code: 'unknown_key' }] },
    })
    expect((await patch({ build: { 'no key': true } })).status).toBe(422)
  })

  test('a change answers with keys in order, the next version, and who set them', async () => {
    await patch({ set: { b: '1', A: '2', GONE: '3' } })
    const answer = await patch({ set: { _C: '', A: 'new' }, unset: ['GONE', 'ABSENT', 'GONE'] }, { as: owner })
    expect(answer.status).toBe(200)
    expect(answer.headers.etag).toBe('"v2"')
    const at = { updated_at: '2026-01-02T03:04:05.678Z', build: false }
    const [byOwner, byMember] = [owner, member].map(({ id, name }) => ({ ...at, updated_by: { id, name } }))
    expect(answer.body).toMatchObject({
      variables: [
        { key: 'A', ...byOwner, source: 'environment' },
        { key: '_C', ...byOwner, source: 'environment' },
        { key: 'b', ...byMember, source: 'environment' },
      ],
      version: 2,
    })
    const { unmasked_keys: _, ...listed } = answer.body
    expect((await list()).body).toEqual(listed)
    expect([await storedValue('A'), await storedValue('_C'), await storedValue('b')]).toEqual(['new', '', '1'])
  })

  test('values that are too short to hide in output are named to the user who sets them, and not later', async () => {
    const answer = await patch({ set: { SHORT: '12345', EMPTY: '', LONG: '123456', LINES: 'a\nb\nc\nd' } })
    expect(answer.body.unmasked_keys).toEqual(['SHORT'])
    expect((await patch({ unset: ['SHORT'] })).body.unmasked_keys).toEqual([])
    expect((await list()).body).not.toHaveProperty('unmasked_keys')
  })

  test('the change is in the audit log by the names of its keys', async () => {
    await patch({ set: { A: 'one', B: 'two' } })
    await patch({ set: { C: 'three' }, unset: ['A', 'ABSENT'] })
    expect(await eventsOf()).toMatchObject([
      { action: 'variables.changed', target_kind: 'environment', fields: '["A","B"]', user_id: member.id },
      { action: 'variables.changed', target_kind: 'environment', fields: '["C","A"]', user_id: member.id },
    ])
  })

  test.each([{}, { set: {} }, { unset: [] }, { unset: ['ABSENT'] }])('%j changes nothing', async (body) => {
    expect(await patch(body)).toMatchObject({ status: 200, body: { version: 0, variables_changed: false } })
    expect(await eventsOf()).toEqual([])
  })

  test('a change counts until the next deployment takes it', async () => {
    await patch({ set: { A: '1' } })
    const changed = { variables_changed: true, hint: 'Variables changed since the last deployment' }
    expect((await list()).body).toMatchObject(changed)
    await buildTask(app.ctx, environmentId, {
      status: 'failed',
      variables_version: 1,
      started_at: 1,
      finished_at: 2,
    })
    expect((await list()).body).toMatchObject({ variables_changed: false, hint: null })
    expect((await patch({ unset: ['A'] })).body).toMatchObject(changed)
  })

  test('all or nothing: one bad field keeps the rest from being changed', async () => {
    await patch({ set: { KEPT: '1' } })
    const bad = [
      { set: { GOOD: '1', 'BAD KEY': '2' }, unset: ['KEPT'] },
      { set: { GOOD: '1', SERVICE_DOMAIN: '2' }, unset: ['KEPT'] },
      { set: { GOOD: '1', KEPT: '2' }, unset: ['KEPT'] },
      { set: { GOOD: '1' }, unset: ['KEPT', 'BAD KEY'] },
      { set: { GOOD: 1 }, unset: ['KEPT'] },
    ]
    for (const body of bad) expect(await patch(body)).toMatchObject({ status: 422 })
    expect(await keysOf()).toEqual(['KEPT'])
    expect((await list()).body.version).toBe(1)
  })

  test('a key in both set and unset is a fault at both places', async () => {
    const answer = await patch({ set: { A: '1' }, unset: ['B', 'A'] })
    expect(answer.status).toBe(422)
    expect(answer.body.errors).toMatchObject([
      { pointer: '/set/A', code: 'set_and_unset' },
      { pointer: '/unset/1', code: 'set_and_unset' },
    ])
  })

  test('the manual recipe keeps more keys, and one set before can still be unset', async () => {
    expect(await patch({ set: { PATH: '/bin' } })).toMatchObject({ status: 200 })
    await alter({ recipe: 'manual' })
    const refused = await patch({ set: { PATH: '/sbin' } })
    expect(refused.body.errors).toMatchObject([{ pointer: '/set/PATH', code: 'reserved_key' }])
    expect(await patch({ unset: ['PATH'] })).toMatchObject({ status: 200, body: { variables: [] } })
  })

  test('a project whose recipe is manual hands its reserved keys down', async () => {
    const manual = await buildProject(
      app.ctx,
      { organizationId: project.organization_id, ownerId: owner.id },
      { default_recipe: 'manual' },
    )
    environmentId = (await buildEnvironment(app.ctx, manual)).id
    expect((await patch({ set: { LD_PRELOAD: 'x' } })).body.errors).toMatchObject([{ code: 'reserved_key' }])
  })

  test('there are at most 500 variables', async () => {
    const set = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`KEY_${index}`, 'x']))
    expect(await patch({ set: { ...set, ONE_MORE: 'x' } })).toMatchObject({ status: 422 })
    expect(await patch({ set })).toMatchObject({ status: 200 })
    expect((await patch({ set: { ONE_MORE: 'x' } })).body.errors).toMatchObject([
      { pointer: '/set', code: 'too_many_keys' },
    ])
    expect(await patch({ set: { ONE_MORE: 'x' }, unset: ['KEY_0'] })).toMatchObject({ status: 200 })
  })

  test('values have at most 1 MiB together, with those that are there', async () => {
    const large = 'x'.repeat(64 * 1024)
    const set = Object.fromEntries(Array.from({ length: 15 }, (_, index) => [`KEY_${index}`, large]))
    expect(await patch({ set })).toMatchObject({ status: 200 })
    expect((await patch({ set: { LAST: large, ONE_MORE: '' } })).body.errors).toMatchObject([
      { pointer: '/set', code: 'too_long_together' },
    ])
    expect(await patch({ set: { LAST: large } })).toMatchObject({ status: 200 })
    expect(await patch({ set: { A: '' } })).toMatchObject({ status: 422 })
    expect(await patch({ set: { LAST: large } })).toMatchObject({ status: 200 })
    expect(await patch({ set: { A: '' }, unset: ['LAST'] })).toMatchObject({ status: 200 })
  })

  test('a value that cannot be opened any more is mended by setting it again', async () => {
    await patch({ set: { A: '1', B: '2' } })
    await app.ctx.db
      .updateTable('variables')
      .set({ value_sealed: 'damaged' })
      .where('environment_id', '=', environmentId)
      .execute()
    expect(await patch({ set: { A: 'again' } })).toMatchObject({ status: 200 })
    expect(await storedValue('A')).toBe('again')
  })

  test.each(['"v1"', '*', ' * ', '"v0", "v1"'])('If-Match: %s lets a change of version 1 pass', async (ifMatch) => {
    await patch({ set: { A: '1' } })
    expect(await patch({ set: { B: '1' } }, { ifMatch })).toMatchObject({ status: 200, body: { version: 2 } })
  })

  test.each(['"v0"', '"v2"', 'W/"v1"', 'v1', '"1"', '"v01"', '"v1', '""', '', 'garbage', '"*"', '"v1e0"'])(
    'If-Match: %s does not',
    async (ifMatch) => {
      await patch({ set: { A: '1' } })
      const refused = await patch({ set: { B: '1' }, unset: ['A'] }, { ifMatch })
      expect(refused).toMatchObject({ status: 412, body: { code: 'precondition_failed' } })
      expect(await keysOf()).toEqual(['A'])
    },
  )

  test('two changes at once both land', async () => {
    const answers = await Promise.all([patch({ set: { A: '1' } }), patch({ set: { B: '2' } }, { as: owner })])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect((await list()).body.version).toBe(2)
    expect(await keysOf()).toEqual(['A', 'B'])
  })

  test('of two changes of the same version one lands', async () => {
    const ifMatch = '"v0"'
    const answers = await Promise.all([
      patch({ set: { A: '1' } }, { ifMatch }),
      patch({ set: { B: '2' } }, { ifMatch, as: owner }),
    ])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412])
    expect(await keysOf()).toHaveLength(1)
  })

  test('a protected environment is changed by its owner alone, whatever the role', async () => {
    await alter({ is_protected: 1 })
    const refused = await patch({ set: { A: '1' } }, { as: owner })
    expect(refused).toMatchObject({ status: 403, body: { code: 'environment_protected' } })
    expect(await patch({ set: { A: '1' } })).toMatchObject({ status: 200 })
    expect(await list(owner)).toMatchObject({ status: 200 })
  })

  test('an environment that is being removed keeps its variables as they are', async () => {
    await buildTask(app.ctx, environmentId, { kind: 'remove' })
    expect(await patch({ set: { A: '1' } })).toMatchObject({ status: 409, body: { code: 'environment_removing' } })
    expect(await list()).toMatchObject({ status: 200 })
  })

  test('a removed environment has no variables to read or change', async () => {
    await alter({ removed_at: 1 })
    expect(await list()).toMatchObject({ status: 404 })
    expect(await patch({ set: { A: '1' } })).toMatchObject({ status: 404 })
  })

  test('a user who may not change variables gets the reason, and a stranger a 404', async () => {
    const stranger = await buildUser(app.ctx, { is_platform_admin: 1 })
    await buildOrganization(app.ctx, [{ user: stranger, role: 'owner' }])
    const body = { set: { A: '1' } }
    expect(await patch(body, { as: viewer })).toMatchObject({ status: 403, body: { code: 'insufficient_role' } })
    expect(await patch(body, { as: stranger })).toMatchObject({ status: 404, body: { code: 'not_found' } })
    expect(await list(stranger)).toMatchObject({ status: 404, body: { code: 'not_found' } })
    expect(await app.call('PATCH', path(), { body })).toMatchObject({ status: 401 })
    expect(await app.call('GET', path())).toMatchObject({ status: 401 })
    expect(await keysOf()).toEqual([])
  })

  test('a token needs the scope vars:write to change them', async () => {
    const reader = await buildUser(app.ctx, { scopes: ['read', 'deploy'] })
    await app.ctx.db
      .insertInto('memberships')
      .values({ organization_id: project.organization_id, user_id: reader.id, role: 'admin', created_at: 1 })
      .execute()
    const refused = await patch({ set: { A: '1' } }, { as: reader })
    expect(refused).toMatchObject({ status: 403, body: { code: 'insufficient_scope', scope: 'vars:write' } })
    expect(await list(reader)).toMatchObject({ status: 200 })
  })
})
