// Where servers may be and whose machines they are, over HTTP.
import { beforeEach, describe, expect, test } from 'vitest'
import { databases } from '../../../test/databases.ts'
import { buildOrganization, buildServer, buildUser, type TestUser } from '../../../test/factories.ts'
import { stageApp } from '../../../test/stage/stage-app.ts'
import { PLATFORM } from '../../domain/people/actor.ts'
import { generateSshKey } from '../../secrets/ssh-key.ts'
import { claimMachine } from '../../store/servers/machines.ts'

describe.each(databases)('places of servers on $name', (source) => {
  const app = stageApp(source, { allowedNetworks: ['10.9.0.0/16', 'nas.internal'] })
  let platformAdmin: TestUser
  let admin: TestUser
  let stranger: TestUser
  let organizationId: number
  let hostKey: string

  beforeEach(async () => {
    hostKey = generateSshKey('').publicKey.split(' ').slice(0, 2).join(' ')
    platformAdmin = await buildUser(app.ctx, { is_platform_admin: 1 })
    admin = await buildUser(app.ctx)
    organizationId = (
      await buildOrganization(app.ctx, [
        { user: platformAdmin, role: 'owner' },
        { user: admin, role: 'admin' },
      ])
    ).id
    stranger = await buildUser(app.ctx)
    await buildOrganization(app.ctx, [{ user: stranger, role: 'owner' }])
  })

  let count = 0
  const create = (as: TestUser, body: object) =>
    app.call('POST', '/api/servers', { as, body: { name: `Place ${++count}`, ...body } })
  const change = (as: TestUser, id: number, body: object) => app.call('PATCH', `/api/servers/${id}`, { as, body })
  const refusedFor = (pointer: string, code: string) => ({ status: 422, body: { errors: [{ pointer, code }] } })
  const rowOf = (id: number) =>
    app.ctx.db.selectFrom('servers').where('id', '=', id).selectAll().executeTakeFirstOrThrow()
  const meet = async (id: number) => {
    const row = await rowOf(id)
    return app.ctx.change(PLATFORM, (tx) =>
      claimMachine(tx, { server: { ...row, hostKey: row.host_key }, hostKey, at: 1 }),
    )
  }

  test.each(['10.0.0.5', '192.168.1.1', 'fd00::1', '100.64.1.1', 'db', 'db.internal', 'nas.local'])(
    '%s is for a platform administrator to give',
    async (hostname) => {
      expect(await create(admin, { hostname })).toMatchObject(refusedFor('/hostname', 'network_not_allowed'))
      const made = await create(platformAdmin, { hostname })
      expect(made).toMatchObject({ status: 201 })
      expect(await rowOf(made.body.id)).toMatchObject({ may_be_private: 1 })
    },
  )

  test.each(['127.0.0.1', '127.1.2.3', '::1', 'localhost', 'a.localhost', '169.254.169.254', 'fe80::1', '0.0.0.0'])(
    '%s is refused',
    async (hostname) => {
      for (const user of [admin, platformAdmin])
        expect(await create(user, { hostname })).toMatchObject(refusedFor('/hostname', 'network_not_allowed'))
    },
  )

  test.each(['10.9.1.1', 'nas.internal', '198.41.0.4', 'one.example.com'])('%s is for everybody', async (hostname) => {
    const made = await create(admin, { hostname })
    expect(made).toMatchObject({ status: 201 })
    expect(await rowOf(made.body.id)).toMatchObject({ may_be_private: 0 })
  })

  test('the user who changes name or port confirms both, and a platform administrator may do so afterwards', async () => {
    const { id } = (await create(platformAdmin, { hostname: '10.0.0.5' })).body
    const refused = refusedFor('/hostname', 'network_not_allowed')
    expect(await change(admin, id, { port: 25 })).toMatchObject(refused)
    expect(await change(admin, id, { hostname: '10.0.0.6' })).toMatchObject(refused)
    expect(await change(platformAdmin, id, { hostname: '127.0.0.1' })).toMatchObject(refused)
    // What is as it was is no change of the address.
    const same = { name: 'Two', hostname: '10.0.0.5', port: 22, user: 'other' }
    expect(await change(admin, id, same)).toMatchObject({ status: 200 })
    expect(await rowOf(id)).toMatchObject({ may_be_private: 1, port: 22 })
    expect(await change(admin, id, { hostname: 'one.example.com' })).toMatchObject({ status: 200 })
    expect(await rowOf(id)).toMatchObject({ may_be_private: 0 })
    expect(await change(platformAdmin, id, { hostname: 'one.example.com' })).toMatchObject({ status: 200 })
    expect(await rowOf(id)).toMatchObject({ may_be_private: 1 })
  })

  test('the edge inside the platform is for its own machine only', async () => {
    for (const user of [admin, platformAdmin]) {
      const body = { hostname: 'one.example.com', edge: 'embedded' }
      expect(await create(user, body)).toMatchObject(refusedFor('/edge', 'embedded_elsewhere'))
    }
  })

  test('a server needs its set-up until the platform has signed in at its address', async () => {
    const { id } = (await create(admin, { hostname: 'one.example.com' })).body
    const needsSetUp = async () => (await app.call('GET', `/api/servers/${id}`, { as: admin })).body.needs_setup
    expect(await needsSetUp()).toBe(true)
    await meet(id)
    expect(await needsSetUp()).toBe(false)
    await change(admin, id, { name: 'Three', hostname: 'one.example.com', host_key: hostKey })
    expect(await needsSetUp()).toBe(false)
    for (const body of [{ port: 2222 }, { hostname: 'two.example.com' }, { user: 'other' }, { host_key: null }]) {
      await change(admin, id, body)
      expect(await needsSetUp(), JSON.stringify(body)).toBe(true)
      await meet(id)
      expect(await needsSetUp()).toBe(false)
    }
  })

  test('a machine that another organization has is refused by its key, and whose it is is not said', async () => {
    const own = await buildServer(app.ctx, organizationId, { name: 'Secret name', host_key: null })
    await meet(own.id)
    const body = { hostname: 'one.example.com', host_key: hostKey }
    const refused = await create(stranger, body)
    expect(refused).toMatchObject(refusedFor('/host_key', 'machine_taken'))
    expect(refused.text).not.toContain('Secret name')
    const { id } = (await create(stranger, { hostname: 'one.example.com' })).body
    expect(await change(stranger, id, { host_key: hostKey })).toMatchObject(refusedFor('/host_key', 'machine_taken'))
    // One's own again, by another name.
    expect(await create(admin, body)).toMatchObject({ status: 201 })
  })

  test('a key that a stranger names first does not keep its owner out, and is free when its server goes', async () => {
    const named = await create(stranger, { hostname: 'one.example.com', host_key: hostKey })
    expect(named).toMatchObject({ status: 201 })
    const own = await create(admin, { hostname: 'one.example.com', host_key: hostKey })
    expect(await meet(own.body.id)).toBe('own')
    expect(await meet(named.body.id)).toBe('foreign')
    expect(await app.call('DELETE', `/api/servers/${own.body.id}`, { as: admin })).toMatchObject({ status: 204 })
    expect(await meet(named.body.id)).toBe('own')
  })

  test('a server whose host key is changed lets go of the machine that it was', async () => {
    const own = await create(admin, { hostname: 'one.example.com' })
    await meet(own.body.id)
    const strange = await create(stranger, { hostname: 'one.example.com' })
    expect(await meet(strange.body.id)).toBe('foreign')
    await change(admin, own.body.id, { host_key: null })
    expect(await meet(strange.body.id)).toBe('own')
    expect(await meet(own.body.id)).toBe('foreign')
  })
})
