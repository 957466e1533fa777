// Alerts over the API: their history, rules of an organization, silences of environments, and messages about deployments.
import { beforeEach, describe, expect, test } from 'vitest'
import { stageChannels } from '../../../test/channels/stage-channels.ts'
import { databases } from '../../../test/databases.ts'
import { buildEnvironment, buildProject, buildTask } from '../../../test/factories.ts'
import { ALLOW_LOOPBACK } from '../../../test/hooks/stage-hooks.ts'
import { stageApp } from '../../../test/stage/stage-app.ts'
import { PLATFORM } from '../../domain/people/actor.ts'
import { compareAlerts } from '../../operations/alerts/compare-alerts.ts'
import { deleteOldAlerts } from '../../store/alerts/alert-history.ts'
import { insertServiceSamples } from '../../store/metrics/service-samples.ts'
import { finishTask } from '../../store/tasks/task-states.ts'

const DAY = 86_400_000

describe.each(databases)('alerts over the API on $name', (source) => {
  const app = stageApp(source, ALLOW_LOOPBACK)
  const channels = stageChannels(app)
  let environmentId: number

  beforeEach(async () => {
    const { organizationId, owner } = channels
    const project = await buildProject(app.ctx, { organizationId, ownerId: owner.id }, { name: '<b>Shop</b> @here' })
    environmentId = (await buildEnvironment(app.ctx, project, { name: 'staging', owner_id: owner.id })).id
  })

  const rulesPath = () => `organizations/${channels.organizationId}/alert-rules`
  const silence = () => `environments/${environmentId}/silence`
  const deploy = async (status: 'succeeded' | 'failed') => {
    const task = await buildTask(app.ctx, environmentId, {
      status: 'running',
      started_at: app.ctx.clock(),
      commit_sha: 'a'.repeat(40),
      commit_message: 'Pay @everyone <!channel> *now*\n\nBody',
    })
    await app.ctx.change(PLATFORM, (tx) => finishTask(tx, task.id, { status, at: app.ctx.clock() }))
    await compareAlerts(app.ctx)
  }
  const watch = () => channels.call('PUT', `environments/${environmentId}/watch`)
  const messages = async (): Promise<readonly string[]> => {
    await channels.sendAgain()
    return channels.receiver.received.map(({ body }) => JSON.parse(body).type)
  }

  test('open and resolved alerts are listed, newest first, by state, severity and environment', async () => {
    await channels.openAlert()
    await channels.measure(1)
    expect((await channels.alerts()).map(({ rule }: { rule: string }) => rule)).toEqual(
      expect.arrayContaining(['disk_low', 'disk_high']),
    )
    await channels.measure(8)
    const open = await channels.alerts('?state=open')
    expect(open).toMatchObject([
      {
        rule: 'disk_high',
        subject: '*db* @everyone <!channel>',
        severity: 'warning',
        message: expect.stringContaining('10.0 GiB of 100.0 GiB left'),
        page: `/organizations/${channels.organizationId}/servers`,
        is_silenced: false,
        opened_at: expect.any(String),
        resolved_at: null,
      },
    ])
    expect(await channels.alerts('?state=resolved')).toMatchObject([
      { rule: 'disk_low', resolved_at: expect.any(String) },
    ])
    expect(await channels.alerts('?severity=critical')).toHaveLength(1)
    expect(await channels.alerts(`?environment_id=${environmentId}`)).toEqual([])
    const [first] = await channels.alerts('?limit=1')
    expect(first.id).toBe(Math.max(...(await channels.alerts()).map(({ id }: { id: number }) => id)))
  })

  test('two processes that compare at once open an alert once', async () => {
    await channels.create('webhook')
    await channels.measure(50)
    await app.ctx.db.updateTable('server_sightings').set({ disk_free_bytes: 10 }).execute()
    await Promise.all([1, 2, 3].map(() => compareAlerts(app.ctx)))
    expect(await channels.alerts('?state=open&severity=warning')).toHaveLength(1)
    await app.ctx.db
      .updateTable('server_sightings')
      .set({ disk_free_bytes: 99 * 1024 ** 3 })
      .execute()
    await Promise.all([1, 2, 3].map(() => compareAlerts(app.ctx)))
    const sent = await app.ctx.db.selectFrom('channel_deliveries').select('message').execute()
    const about = sent.map(({ message }) => JSON.parse(message)).filter(({ severity }) => severity === 'warning')
    expect(about.map(({ event }) => event)).toEqual(['alert.opened', 'alert.resolved'])
  })

  test('a rule can be turned off and its threshold changed, within bounds', async () => {
    const { body } = await channels.call('GET', rulesPath())
    expect(body).toContainEqual({
      rule: 'disk_high',
      severity: 'warning',
      enabled: true,
      threshold: 85,
      unit: 'percent',
    })
    await channels.openAlert()
    const set = (rule: object) => channels.call('PUT', rulesPath(), { rules: [rule] })
    expect((await set({ rule: 'disk_high', threshold: 100 })).body.errors).toMatchObject([{ code: 'out_of_range' }])
    expect((await set({ rule: 'disk_low', threshold: 5 })).body.errors).toMatchObject([{ code: 'not_used' }])
    expect((await set({ rule: 'disk_high', threshold: 97 })).status).toBe(200)
    await compareAlerts(app.ctx)
    expect(await channels.alerts('?state=open')).toEqual([])
    expect((await set({ rule: 'server_unreachable' })).body).toContainEqual(expect.objectContaining({ threshold: 85 }))
    await compareAlerts(app.ctx)
    expect(await channels.alerts('?state=open')).toHaveLength(1)
    await channels.create('webhook')
    await set({ rule: 'disk_high', enabled: false })
    await compareAlerts(app.ctx)
    expect(await channels.alerts('?state=open')).toEqual([])
    expect(await messages()).toEqual(['alert.resolved'])
  })

  test('memory, restarts and kills of a service are alerts, from the samples of the last ten minutes', async () => {
    await channels.create('webhook')
    const start = app.ctx.clock()
    const measure = async (of: { from: number; memory: number; restarts?: number; kills?: number }) => {
      for (let index = 0; index < 20; index++)
        await insertServiceSamples(app.ctx.db, start + of.from + index * 30_000, [
          {
            environmentId,
            service: 'web',
            cpu: 0.1,
            memoryBytes: of.memory,
            memoryLimitBytes: 100,
            networkIn: null,
            networkOut: null,
            restarts: index < (of.restarts ?? 0) ? 1 : 0,
            oomKills: index === 19 ? (of.kills ?? 0) : 0,
          },
        ])
      app.moveClock(600_000)
      await compareAlerts(app.ctx)
    }
    await measure({ from: 0, memory: 91, restarts: 2 })
    expect(await channels.alerts('?state=open')).toMatchObject([
      { rule: 'memory_high', service: 'web', environment_id: environmentId, severity: 'warning' },
    ])
    await measure({ from: 600_000, memory: 50, restarts: 3, kills: 1 })
    const open = await channels.alerts('?state=open')
    expect(open.map(({ rule }: { rule: string }) => rule).toSorted()).toEqual(['oom_kill', 'restarts'])
    await measure({ from: 1_200_000, memory: 50 })
    await measure({ from: 1_800_000, memory: 50 })
    expect(await channels.alerts('?state=open')).toEqual([])
    for (let sent = 0; sent < 6; sent++) await channels.sendAgain()
    expect(await messages()).toHaveLength(6)
    expect(channels.receiver.received.map(({ body }) => JSON.parse(body).data.title)).toEqual(
      expect.arrayContaining(['A service ran out of memory', 'A service no longer restarts']),
    )
  })

  test('a failed deployment of a watched environment is an alert until one succeeds', async () => {
    await channels.create('webhook')
    await deploy('failed')
    expect(await channels.alerts()).toEqual([])
    await watch()
    await deploy('failed')
    await deploy('failed')
    expect(await channels.alerts('?state=open')).toMatchObject([
      { rule: 'deployment_failed', environment_id: environmentId, subject: '<b>Shop</b> @here / staging' },
    ])
    await deploy('succeeded')
    await messages()
    expect(await messages()).toEqual(['alert.opened', 'alert.resolved'])
  })

  test('an alert of a silenced environment is recorded but not sent, and sent if the silence ends before the alert', async () => {
    await channels.create('webhook')
    await watch()
    const until = new Date(app.ctx.clock() + DAY).toISOString()
    expect((await channels.call('PUT', silence(), { until })).body).toEqual({ silenced: true, until })
    await deploy('failed')
    expect(await channels.alerts()).toMatchObject([{ is_silenced: true, resolved_at: null }])
    expect(await messages()).toEqual([])
    await deploy('succeeded')
    expect(await messages()).toEqual([])
    await deploy('failed')
    app.moveClock(DAY)
    await Promise.all([compareAlerts(app.ctx), compareAlerts(app.ctx)])
    expect(await messages()).toEqual(['alert.opened'])
    expect((await channels.call('GET', silence())).body).toEqual({ silenced: false, until: null })
  })

  test('a silence without an end lasts until it is turned on again', async () => {
    await channels.call('PUT', silence(), {})
    app.moveClock(20 * DAY)
    expect((await channels.call('GET', silence())).body).toEqual({ silenced: true, until: null })
    expect((await channels.call('DELETE', silence())).status).toBe(204)
    expect((await channels.call('GET', silence())).body).toEqual({ silenced: false, until: null })
    const past = new Date(app.ctx.clock()).toISOString()
    expect((await channels.call('PUT', silence(), { until: past })).status).toBe(422)
  })

  test('finished deployments are sent to channels that ask for it, and to no others', async () => {
    await channels.create('slack')
    await deploy('succeeded')
    expect(await messages()).toEqual([])
    await channels.create('discord', { events: ['deployment.succeeded', 'deployment.failed'] })
    await deploy('succeeded')
    await channels.sendAgain()
    const { content } = JSON.parse(channels.receiver.received[0]?.body ?? '')
    expect(content).toContain('**A deployment succeeded**')
    expect(content).toContain('aaaaaaa Pay \\@everyone \\<!channel\\> \\*now\\*')
    expect(channels.receiver.received).toHaveLength(1)
  })

  test('resolved alerts are kept for 90 days, and at most a thousand of one organization', async () => {
    const at = app.ctx.clock()
    const alert = (resolvedAt: number | null, targetId: number) => ({
      rule: 'disk_low' as const,
      target_id: targetId,
      organization_id: channels.organizationId,
      severity: 'critical' as const,
      subject: 'db',
      message: 'Full',
      page: '/',
      is_notified: 1 as const,
      opened_at: at - 100 * DAY,
      resolved_at: resolvedAt,
    })
    await app.ctx.db
      .insertInto('alerts')
      .values([alert(null, 1_000_001), alert(at - 91 * DAY, 1), alert(at - 89 * DAY, 2)])
      .execute()
    while (await deleteOldAlerts(app.ctx.db, at));
    expect(await channels.alerts()).toHaveLength(2)
    for (let batch = 0; batch < 6; batch++)
      await app.ctx.db
        .insertInto('alerts')
        .values(Array.from({ length: 200 }, () => alert(at, 3)))
        .execute()
    while (await deleteOldAlerts(app.ctx.db, at));
    const kept = await app.ctx.db
      .selectFrom('alerts')
      .where('organization_id', '=', channels.organizationId)
      .where('resolved_at', 'is not', null)
      .select('id')
      .execute()
    expect(kept).toHaveLength(1_000)
  })
})
