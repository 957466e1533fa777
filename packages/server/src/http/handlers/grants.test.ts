// What an owner lets one environment do, over HTTP; who else may is in the tests of permissions.

import { CAPABILITIES } from '@shipway/rules/compose/policy/capabilities'
import { describe, expect, test } from 'vitest'
import { databases } from '../../../test/databases.ts'
import { buildEnvironment, buildForkEnvironment, buildTask } from '../../../test/factories.ts'
import { stageApp } from '../../../test/stage/stage-app.ts'
import { stageProject } from '../../../test/stage/stage-members.ts'
import { findTaskToRun } from '../../store/tasks/tasks-to-run.ts'

describe.each(databases)('grants on $name', (source) => {
  const app = stageApp(source)
  const { owner, other, project } = stageProject(app, { owner: 'owner', other: 'owner' })

  const put = (id: number, capabilities: readonly string[], as = owner) =>
    app.call('PUT', `/api/environments/${id}/grants`, { as, body: { capabilities } })
  const read = async (id: number) => (await app.call('GET', `/api/environments/${id}/grants`, { as: owner })).body
  const granted = (answer: readonly { capability: string; granted: boolean }[]) =>
    answer.filter((grant) => grant.granted).map(({ capability }) => capability)

  test('every capability is listed in words, none granted at first', async () => {
    const { id } = await buildEnvironment(app.ctx, project)
    const answer = await read(id)
    expect(granted(answer)).toEqual([])
    expect(answer).toHaveLength(Object.keys(CAPABILITIES).length)
    expect(answer[0]).toEqual({
      capability: 'privileged',
      description: CAPABILITIES.privileged,
      granted: false,
      granted_by: null,
      granted_at: null,
    })
  })

  test('granting says who and when, keeps that when more is granted, and reaches the next deployment alone', async () => {
    const { id } = await buildEnvironment(app.ctx, project)
    const another = await buildEnvironment(app.ctx, project)
    const first = await put(id, ['host_ports', 'host_ports'])
    expect(first.status, first.text).toBe(200)
    const { body } = await put(id, ['devices', 'host_ports'], other)
    expect(granted(body)).toEqual(['devices', 'host_ports'])
    const by = (capability: string) => body.find((grant: { capability: string }) => grant.capability === capability)
    expect(by('host_ports').granted_by).toEqual({ id: owner.id, name: owner.name })
    expect(by('devices')).toMatchObject({ granted_by: { id: other.id }, granted_at: expect.stringMatching(/Z$/) })
    expect(granted(await read(another.id))).toEqual([])
    const task = await buildTask(app.ctx, id)
    expect((await findTaskToRun(app.ctx.db, task.id))?.grants.toSorted()).toEqual(['devices', 'host_ports'])
  })

  test('what is left out is withdrawn, and each change is in the audit log by name', async () => {
    const { id } = await buildEnvironment(app.ctx, project)
    await put(id, ['privileged', 'devices'])
    expect(granted((await put(id, ['devices'])).body)).toEqual(['devices'])
    await put(id, ['devices'])
    expect(granted((await put(id, [])).body)).toEqual([])
    const events = await app.ctx.db
      .selectFrom('audit_events')
      .where('target_id', '=', id)
      .select(['action', 'fields', 'user_id'])
      .orderBy('id')
      .execute()
    expect(events.map(({ action, fields }) => [action, ...JSON.parse(fields)])).toEqual([
      ['environment.granted', 'privileged', 'devices'],
      ['environment.grant_withdrawn', 'privileged'],
      ['environment.grant_withdrawn', 'devices'],
    ])
    expect(events.every((event) => event.user_id === owner.id)).toBe(true)
  })

  test('an unknown capability is refused, and nothing is granted then', async () => {
    const { id } = await buildEnvironment(app.ctx, project)
    const answer = await put(id, ['devices', 'everything'])
    expect(answer).toMatchObject({ status: 422, body: { code: 'validation_failed' } })
    expect(answer.body.errors[0].pointer).toBe('/capabilities/1')
    expect(granted(await read(id))).toEqual([])
  })

  test("nothing is granted to a stranger's pull request", async () => {
    const { id } = await buildForkEnvironment(app.ctx, project, { number: 31, headSha: 'b'.repeat(40) })
    const answer = await put(id, ['devices'])
    expect(answer).toMatchObject({ status: 422, body: { errors: [{ pointer: '/capabilities', code: 'fork' }] } })
    expect(granted(await read(id))).toEqual([])
    expect(await put(id, [])).toMatchObject({ status: 200 })
  })

  test('nothing is granted to an environment that is being removed', async () => {
    const { id } = await buildEnvironment(app.ctx, project)
    await buildTask(app.ctx, id, { kind: 'remove' })
    expect(await put(id, ['devices'])).toMatchObject({ status: 409, body: { code: 'environment_removing' } })
  })
})
