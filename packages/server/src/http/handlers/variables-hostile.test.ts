// Hostile keys, values and bodies sent to the variables of an environment, and attempts to learn a value.
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { databases } from '../../../test/databases.ts'
import { buildEnvironment } from '../../../test/factories.ts'
import { stageApp } from '../../../test/stage/stage-app.ts'
import { stageProject } from '../../../test/stage/stage-members.ts'

const badKeys = [
  'A=B',
  'A B',
  'A\nB',
  'A;id',
  '$(id)',
  '`id`',
  "A'B",
  '',
  'a-b',
  'a.b',
  'PATH\0',
  '=x',
  '__proto__',
  'A\r',
  '#A',
  ' A',
  'A ',
  'A/B~C',
]

const reservedKeys = [
  'SERVICE_DOMAIN',
  'SERVICE_ENV_IDENTIFIER',
  'SERVICE_ENV_TYPE',
  'SERVICE_ENV_BRANCH',
  'COMPOSE_FILE',
  'COMPOSE_PROFILES',
  'COMPOSE_ENV_FILES',
  'DOCKER_HOST',
  'DOCKER_CONTEXT',
  'DOCKER_CONFIG',
  'BUILDKIT_HOST',
]
const reservedForManual = [
  'ENV',
  'LD_LIBRARY_PATH',
  'PATH',
  'IFS',
  'GIT_SSH_COMMAND',
  'GIT_EXEC_PATH',
  'GIT_CONFIG_COUNT',
  'GIT_ALLOW_PROTOCOL',
]
const freeKeys = ['PS4', 'NODE_OPTIONS', 'PYTHONSTARTUP', 'constructor', 'toString', 'prototype']

const values = [
  'pa$$word',
  '$' + '{HOME}',
  'abc#de',
  'abc #de',
  "it's",
  "a\\'b",
  "'",
  '"',
  'l1\nl2',
  'x\nSERVICE_DOMAIN=evil.example',
  'a\tb',
  '  lead trail  ',
  '',
  '{"a":{"b":"c\'d"}}',
  '100%',
  'a=b=c',
  'export X=1',
  '\\$x',
  'a\u2028b',
  '%{env}',
  '!history',
  'crlf\r\n',
  '\u{1F6A2} e\u0301',
]

const foreignFields: readonly object[] = [
  { set: [], unset: [], environment_id: 1 },
  { organization_id: 2 },
  { owner_id: 1 },
  { role: 'owner' },
  { is_platform_admin: true },
  { protected: false },
  { limit: 1000 },
  { constructor: { prototype: { admin: true } } },
  { version: 7 },
]

describe.each(databases)('hostile variables on $name', (source) => {
  const app = stageApp(source)
  const { member, project } = stageProject(app, { member: 'member' })
  let environmentId: number

  beforeEach(async () => {
    environmentId = (await buildEnvironment(app.ctx, project)).id
  })

  const call = (method: 'GET' | 'PATCH', body?: unknown, headers: Record<string, string> = {}) =>
    app.call(method, `/api/environments/${environmentId}/variables`, { as: member, body, headers })
  const expectNothingChanged = async () =>
    expect((await call('GET')).body).toMatchObject({ variables: [], version: 0, variables_changed: false })

  test.each(badKeys)('the key %j is named as a fault, and nothing is applied', async (key) => {
    const pointer = `/set/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`
    const answer = await call('PATCH', `{"set": {"GOOD": "1", ${JSON.stringify(key)}: "2"}}`)
    expect(answer.status).toBe(422)
    expect(answer.body.errors).toMatchObject([{ pointer, code: 'invalid_key' }])
    expect(await call('PATCH', { unset: [key] })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/unset/0', code: 'invalid_key' }] },
    })
    expect(Object.prototype).not.toHaveProperty('GOOD')
    await expectNothingChanged()
  })

  test.each(reservedKeys)('%s belongs to the platform', async (key) => {
    const answer = await call('PATCH', { set: { GOOD: '1', [key]: '2' } })
    expect(answer).toMatchObject({ status: 422, body: { errors: [{ pointer: `/set/${key}`, code: 'reserved_key' }] } })
    await expectNothingChanged()
  })

  test.each([...reservedForManual, ...freeKeys])('%s reaches containers', async (key) => {
    const answer = await call('PATCH', { set: { [key]: '1' } })
    expect(answer).toMatchObject({ status: 200, body: { variables: [{ key }] } })
  })

  test.each(reservedForManual)('%s is refused where it would reach the shell of the server', async (key) => {
    environmentId = (await buildEnvironment(app.ctx, project, { recipe: 'manual' })).id
    const answer = await call('PATCH', { set: { [key]: '1' } })
    expect(answer).toMatchObject({ status: 422, body: { errors: [{ code: 'reserved_key' }] } })
  })

  test('every odd value is kept byte for byte', async () => {
    const set = Object.fromEntries(values.map((value, index) => [`KEY_${index}`, value]))
    expect(await call('PATCH', { set })).toMatchObject({ status: 200 })
    const rows = await app.ctx.db
      .selectFrom('variables')
      .where('environment_id', '=', environmentId)
      .select(['key', 'value_sealed'])
      .execute()
    const opened = rows.map(({ key, value_sealed }) => {
      const place = { table: 'variables', column: 'value_sealed', row: `${environmentId}/${key}` }
      return [key, app.ctx.box.open(value_sealed, place).reveal()]
    })
    expect(Object.fromEntries(opened)).toEqual(set)
  })

  test.each([
    ['z'.repeat(70_000), 'too_long'],
    ['é'.repeat(40_000), 'too_long'],
    ['a\0b', 'invalid_value'],
    ['\ud800', 'invalid_value'],
    [null, 'invalid_type'],
    [7, 'invalid_type'],
    [{ toString: 'x' }, 'invalid_type'],
    [['x'], 'invalid_type'],
  ])('a value that cannot be one is refused (%#)', async (value, code) => {
    const answer = await call('PATCH', { set: { GOOD: '1', A: value } })
    expect(answer.status).toBe(422)
    expect(answer.body.errors).toMatchObject([{ pointer: '/set/A', code }])
    await expectNothingChanged()
  })

  test.each(foreignFields)('%j has fields that are not for here', async (body) => {
    const answer = await call('PATCH', body)
    expect(answer.status).toBe(422)
    expect(answer.body.errors.map(({ code }: { code: string }) => code)).toContain('unknown_field')
    await expectNothingChanged()
  })

  test.each(['[]', 'null', '"x"', '7', '{"set": []}', '{"set": null}', '{"unset": "A"}', '{"unset": [1]}', ''])(
    'the body %s is no change',
    async (body) => {
      expect(await call('PATCH', body)).toMatchObject({ status: 422, body: { code: 'validation_failed' } })
    },
  )

  test('an answer does not give away whether the new value equals the old', async () => {
    const answers = []
    for (const second of ['a guess', 'another']) {
      environmentId = (await buildEnvironment(app.ctx, project)).id
      await call('PATCH', { set: { A: 'a guess' } })
      const { body, headers } = await call('PATCH', { set: { A: second } })
      answers.push({ ...body, environment_id: 0, etag: headers.etag })
    }
    expect(answers[0]).toEqual(answers[1])
  })

  test('a value leaves no trace in answers, the log, the audit log or the database', async () => {
    // The length is a number of its own, so that it would be recognised.
    const value = `canary-${'q'.repeat(7_919 - 7)}`
    const requestId = { 'x-request-id': 'request-of-the-canary' }
    const accepted = [
      await call('PATCH', { set: { A: value, B: '1' } }, { ...requestId, 'idempotency-key': 'canary-free' }),
      await call('GET', undefined, requestId),
      await call('PATCH', { set: { A: value }, unset: ['B'] }, requestId),
      await app.call('GET', `/api/environments/${environmentId}/diagnostics`, { as: member, headers: requestId }),
    ]
    const refused = [
      await call('PATCH', { set: { A: `${value}\0` } }, requestId),
      await call('PATCH', { set: { SERVICE_DOMAIN: value } }, requestId),
      await call('PATCH', { set: { A: value }, unset: ['A'] }, requestId),
      await call('PATCH', { set: { A: value } }, { ...requestId, 'if-match': '"v0"' }),
      await call('PATCH', { set: { A: { nested: value } } }, requestId),
      await call('PATCH', { set: value }, requestId),
      await call('PATCH', `{"set": {"A": "${value}`, requestId),
      await call('PATCH', { set: { A: value } }, { ...requestId, 'content-type': 'text/plain' }),
      await call('PATCH', { set: { A: value } }, { ...requestId, 'idempotency-key': 'canary-free' }),
    ]
    expect(accepted.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(refused.map(({ status }) => status)).toEqual([422, 422, 422, 412, 422, 422, 400, 415, 409])
    const answers = [...accepted, ...refused].map(({ text, headers }) => text + JSON.stringify(headers.etag ?? ''))
    const everything = [...answers, ...app.logLines, ...(await dump())].join('\n')
    for (const trace of tracesOf(value)) expect(everything).not.toContain(trace)
    for (const answer of answers) expect(answer).not.toMatch(/7[,.]?919|7[,.]?918/)
  })

  const tracesOf = (value: string): string[] => {
    const digests = ['md5', 'sha1', 'sha256', 'sha512'].map((name) => createHash(name).update(value).digest())
    const digestTexts = digests.flatMap((digest) => [digest.toString('hex'), digest.toString('base64url')])
    return ['canary-q', 'qqqqqqqq', Buffer.from(value).toString('base64').slice(0, 20), ...digestTexts]
  }

  /** Every row of every table as text. */
  async function dump(): Promise<string[]> {
    const tables = await app.ctx.db.introspection.getTables()
    const rows = await Promise.all(
      tables.map(({ name }) => sql`select * from ${sql.table(name)}`.execute(app.ctx.db).then((table) => table.rows)),
    )
    const texts = rows.map((table) => JSON.stringify(table))
    expect(texts.join()).toContain('variables.changed')
    return texts
  }
})
