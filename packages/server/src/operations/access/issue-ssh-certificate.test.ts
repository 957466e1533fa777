// Issuing while a member is taken out, and organizations from before there were authorities.
import { describe, expect, test } from 'vitest'
import { buildSshAccess } from '../../../test/access/ssh-access-records.ts'
import { databases } from '../../../test/databases.ts'
import { buildOrganization, buildServer, buildUser } from '../../../test/factories.ts'
import { weakPasswordHash } from '../../../test/sign-in/weak-password-hash.ts'
import { stageApp } from '../../../test/stage/stage-app.ts'
import { sshAuthorityContext } from '../../domain/encryption-context.ts'
import { generateSshKey } from '../../secrets/ssh-key.ts'
import { createMissingSshAuthorities } from './create-ssh-authority.ts'

describe.each(databases)('authorities and certificates on $name', (source) => {
  const app = stageApp(source, { apiRequestsPerMinute: 100_000 })
  const publicKey = generateSshKey('').publicKey

  test('a member who is removed at the same moment gets none, or a revoked one', async () => {
    const outcomes = new Set<string>()
    for (let round = 0; round < 10; round++) {
      const [owner, leaving] = [await buildUser(app.ctx), await buildUser(app.ctx)]
      const { id } = await buildOrganization(app.ctx, [
        { user: owner, role: 'owner' },
        { user: leaving, role: 'admin' },
      ])
      const server = await buildServer(app.ctx, id, { host_key: generateSshKey('').publicKey })
      await buildSshAccess(app.ctx, server)
      const body = { public_key: publicKey, purpose: 'shell' }
      const ask = () => app.call('POST', `/api/servers/${server.id}/ssh`, { as: leaving, body })
      const takeOut = () => app.call('DELETE', `/api/organizations/${id}/members/${leaving.id}`, { as: owner })
      const [first, second, gone, third] = await Promise.all([ask(), ask(), takeOut(), ask()])
      expect(gone.status).toBe(204)
      const issued = [first, second, third]
        .filter(({ status }) => status === 201)
        .map(({ body }) => Number(body.serial))
      for (const { status } of [first, second, third]) outcomes.add(String(status))
      const rows = await app.ctx.db
        .selectFrom('ssh_certificates')
        .where('organization_id', '=', id)
        .selectAll()
        .execute()
      expect(rows.map(({ serial }) => serial).toSorted()).toEqual(issued.toSorted())
      for (const { revoked_at } of rows) expect(revoked_at).not.toBeNull()
    }
    expect([...outcomes].every((status) => ['201', '403', '404'].includes(status))).toBe(true)
  })

  test('a member without codes who asks at the moment when they are required gets none, or a revoked one', async () => {
    for (let round = 0; round < 10; round++) {
      const owner = await buildUser(app.ctx)
      const codes = { key_id: `key-${owner.id}`, secret_sealed: 'x', created_at: 1, confirmed_at: 1 }
      await app.ctx.db
        .insertInto('second_factors')
        .values({ user_id: owner.id, ...codes })
        .execute()
      const member = await buildUser(app.ctx, { password_hash: weakPasswordHash('seven green bicycles') })
      const { id } = await buildOrganization(app.ctx, [
        { user: owner, role: 'owner' },
        { user: member, role: 'admin' },
      ])
      const server = await buildServer(app.ctx, id, { host_key: generateSshKey('').publicKey })
      await buildSshAccess(app.ctx, server)
      const body = { public_key: publicKey, purpose: 'shell' }
      const ask = () => app.call('POST', `/api/servers/${server.id}/ssh`, { as: member, body })
      const require = () =>
        app.call('PATCH', `/api/organizations/${id}`, { as: owner, body: { require_two_factor: true } })
      const [, , required] = await Promise.all([ask(), ask(), require(), ask(), ask()])
      expect(required.status, required.text).toBe(200)
      const rows = await app.ctx.db
        .selectFrom('ssh_certificates')
        .where('organization_id', '=', id)
        .select('revoked_at')
        .execute()
      expect(rows.filter(({ revoked_at }) => revoked_at === null)).toEqual([])
    }
  })

  test('organizations with servers elsewhere get an authority at the start, once, and others none', async () => {
    const [one, local, none] = [
      await buildOrganization(app.ctx),
      await buildOrganization(app.ctx),
      await buildOrganization(app.ctx),
    ]
    await buildServer(app.ctx, one.id)
    await buildServer(app.ctx, local.id, { connection: 'local', edge: 'embedded' })
    const find = () =>
      app.ctx.db
        .selectFrom('ssh_authorities')
        .where('organization_id', 'in', [one.id, local.id, none.id])
        .selectAll()
        .execute()
    await Promise.all([createMissingSshAuthorities(app.ctx), createMissingSshAuthorities(app.ctx)])
    const found = await find()
    expect(found).toMatchObject([{ organization_id: one.id, last_serial: 0, revocations: 0 }])
    const sealed = found[0]?.private_key_sealed ?? ''
    expect(app.ctx.box.open(sealed, sshAuthorityContext(one.id)).reveal()).toContain('PRIVATE KEY')
    expect(() => app.ctx.box.open(sealed, sshAuthorityContext(none.id))).toThrow()
    await createMissingSshAuthorities(app.ctx)
    expect(await find()).toEqual(found)
  })

  test('certificates that ended long ago are forgotten, and their serials are not given again', async () => {
    const owner = await buildUser(app.ctx)
    const { id } = await buildOrganization(app.ctx, [{ user: owner, role: 'owner' }])
    const server = await buildServer(app.ctx, id, { host_key: generateSshKey('').publicKey })
    await buildSshAccess(app.ctx, server)
    const ask = async () =>
      (
        await app.call('POST', `/api/servers/${server.id}/ssh`, {
          as: owner,
          body: { public_key: publicKey, purpose: 'shell' },
        })
      ).body
    await ask()
    await ask()
    app.moveClock(26 * 3_600_000)
    expect((await ask()).serial).toBe('3')
    const rows = await app.ctx.db
      .selectFrom('ssh_certificates')
      .where('organization_id', '=', id)
      .select('serial')
      .execute()
    expect(rows).toEqual([{ serial: 3 }])
  })
})
