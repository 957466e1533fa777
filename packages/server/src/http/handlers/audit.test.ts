// The audit log over HTTP: filtered by who, what, which record and when, and exported as a file.
import { beforeAll, describe, expect, test } from 'vitest'
import { databases } from '../../../test/databases.ts'
import { buildOrganization, buildUser, type TestUser } from '../../../test/factories.ts'
import { stageApp } from '../../../test/stage/stage-app.ts'
import { insertAuditEvent } from '../../store/audit-events.ts'

const HOUR = 3_600_000

describe.each(databases)('the audit log on $name', (source) => {
  const app = stageApp(source)
  let owner: TestUser
  let other: TestUser
  let member: TestUser
  let organizationId: number

  beforeAll(async () => {
    ;[owner, other, member] = [await buildUser(app.ctx), await buildUser(app.ctx), await buildUser(app.ctx)]
    organizationId = await buildHouse()
    const lines = [
      [owner, 'member.removed', { kind: 'member', id: 7, name: 'Ben' }],
      [owner, 'environment.updated', { kind: 'environment', id: 7, name: 'staging' }],
      [other, 'environment.removed', { kind: 'environment', id: 8, name: 'pr-1' }],
      [other, 'memberx.thing', { kind: 'server', id: null, name: 'x' }],
    ] as const
    for (const [user, action, target] of lines) {
      await note(organizationId, { user, action, target })
      app.moveClock(HOUR)
    }
  })

  const buildHouse = async () =>
    (
      await buildOrganization(app.ctx, [
        { user: owner, role: 'owner' },
        { user: other, role: 'admin' },
        { user: member, role: 'member' },
      ])
    ).id
  type Noted = { user: TestUser; action: string; target: { kind: string; id: number | null; name: string } }
  const note = (id: number, { user, action, target }: Noted) =>
    insertAuditEvent(app.ctx.db, {
      actor: { userId: user.id, name: user.name },
      origin: { address: '203.0.113.9', requestId: 'request-1' },
      organizationId: id,
      action,
      target,
      at: app.ctx.clock(),
      fields: ['name', 'branch'],
    })
  const list = (query: string) => app.call('GET', `/api/organizations/${organizationId}/audit?${query}`, { as: owner })
  const download = (id: number, query: string, as = owner) =>
    app.call('GET', `/api/organizations/${id}/audit/export?${query}`, { as })

  test.each([
    ['', 4],
    ['action=member', 1],
    ['action=environment', 2],
    ['action=environment.removed', 1],
    ['action=environment.absent', 0],
    ['target_kind=environment', 2],
    ['target_kind=environment&target_id=7', 1],
    ['target_id=7', 2],
    ['since=2026-01-02T04:04:05Z', 3],
    ['until=2026-01-02T04:04:05Z', 1],
    ['since=2026-01-02T04:04:05Z&until=2026-01-02T05:04:05Z&action=environment', 1],
  ])('the filter %j finds %i', async (query, count) => {
    const answer = await list(query)
    expect([answer.status, answer.body.length]).toEqual([200, count])
    const lines = (await download(organizationId, `${query}&format=jsonl`)).text.trim().split('\n').filter(Boolean)
    const events = lines.map((line) => JSON.parse(line)).filter(({ action }) => action !== 'audit.exported')
    expect(events).toEqual(answer.body)
    await app.ctx.db.deleteFrom('audit_events').where('action', '=', 'audit.exported').execute()
  })

  test('the actor is found by the id, and the next page keeps the filter', async () => {
    const answer = await list(`user_id=${owner.id}&limit=1`)
    expect(answer.body).toMatchObject([{ action: 'environment.updated' }])
    const [, next = ''] = /<([^>]+)>/.exec(String(answer.headers.link)) ?? []
    expect((await app.call('GET', next, { as: owner })).body).toMatchObject([{ action: 'member.removed' }])
  })

  test.each([
    ...[
      'user_id=0',
      'user_id=x',
      'action=a%25',
      'action=Member',
      'action=a.b.c',
      `action=${'a'.repeat(99)}`,
      'action=',
    ],
    ...['target_kind=%27', 'target_id=-1', 'since=yesterday', 'until=2026-99-01T00:00:00Z', 'format=xml', 'unknown=1'],
  ])('%s is refused with a sentence', async (query) => {
    const answer = await download(organizationId, query)
    expect(answer).toMatchObject({ status: 422, body: { code: 'validation_failed', detail: expect.any(String) } })
  })

  test('members do not export, and nothing is written down for it', async () => {
    const answer = await download(organizationId, '', member)
    expect(answer).toMatchObject({ status: 403, body: { code: 'insufficient_role' } })
    expect((await download(organizationId, '', await buildUser(app.ctx))).status).toBe(404)
    expect((await list('action=audit')).body).toEqual([])
  })

  test('all of a long log comes, once each, as an attachment, and the export stands in the log', async () => {
    const id = await buildHouse()
    const target = { kind: 'server', id: 1, name: 'x' }
    const rows = Array.from({ length: 1203 }, (_, number) => ({
      organization_id: id,
      user_id: owner.id,
      user_name: owner.name,
      action: 'server.updated',
      fields: '[]',
      target_kind: target.kind,
      target_id: number,
      target_name: target.name,
      created_at: number,
    }))
    for (let from = 0; from < rows.length; from += 100) {
      await app.ctx.db
        .insertInto('audit_events')
        .values(rows.slice(from, from + 100))
        .execute()
    }
    const answer = await download(id, 'format=csv')
    expect(answer.headers['content-disposition']).toBe(`attachment; filename="audit-${id}.csv"`)
    const lines = answer.text.trimEnd().split('\r\n')
    expect(lines[0]).toBe('id,at,user_id,user,action,target_kind,target_id,target,fields,address,request_id')
    const targets = lines.slice(1).map((line) => Number(line.split(',')[6]))
    expect(targets).toEqual(rows.map((row) => row.target_id).toReversed())
    const log = await app.call('GET', `/api/organizations/${id}/audit?limit=1`, { as: owner })
    expect(log.body).toMatchObject([{ action: 'audit.exported', actor: { id: owner.id } }])
  })

  test.each([
    '=HYPERLINK("https://evil.example","x")',
    '+1+cmd|calc',
    '-2+3',
    '@SUM(A1)',
    '\t=1+1',
    '  =1+1',
    '\r=1',
    '\uff1d1+1',
    '\u200b=1+1',
    '|cmd',
  ])('the name %j is no formula', async (name) => {
    const id = await buildHouse()
    await note(id, { user: { ...owner, name }, action: 'server.updated', target: { kind: 'server', id: 1, name } })
    const { text } = await download(id, '')
    const line = text.slice(text.indexOf('\r\n') + 2)
    expect(line).toContain(`"'${name.replaceAll('"', '""')}"`)
    for (const cell of line.split(/,(?=")/)) expect(cell).not.toMatch(/^"[\s]*[=+\-@|\uff1d]/)
  })

  test('quotes and line breaks stay within their cell', async () => {
    const id = await buildHouse()
    const name = 'a","b"\r\n"c'
    await note(id, { user: owner, action: 'server.updated', target: { kind: 'server', id: 1, name } })
    const { text } = await download(id, '')
    expect(text).toContain('"a"",""b""\r\n""c"')
  })
})
