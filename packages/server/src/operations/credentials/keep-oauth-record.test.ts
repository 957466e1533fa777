import { beforeAll, describe, expect, test } from 'vitest'
import { databases } from '../../../test/databases.ts'
import { buildUser } from '../../../test/factories.ts'
import { stageApp } from '../../../test/stage/stage-app.ts'
import { insertOauthRecord, type NewOauthRecord } from '../../store/credentials/oauth-records.ts'
import { consumeOauthRecord, keepOauthRecord } from './keep-oauth-record.ts'
import { revokeOauthGrant } from './revoke-oauth-grant.ts'

describe.each(databases)('records of the OAuth server on $name', (source) => {
  const app = stageApp(source)
  let userId: number
  beforeAll(async () => {
    userId = (await buildUser(app.ctx)).id
  })

  const record = (kind: string, idDigest: string, grantDigest: string): NewOauthRecord => ({
    kind,
    idDigest,
    grantDigest,
    userId,
    userCodeDigest: null,
    payload: {},
    createdAt: app.ctx.clock(),
    expiresAt: app.ctx.clock() + 1000,
  })
  const revoke = (grantDigest: string) =>
    revokeOauthGrant(app.ctx, {
      grantDigest,
      action: 'oauth.revoked',
      origin: { address: '192.0.2.1', requestId: 'test' },
    })
  const rowsOf = (grantDigest: string) =>
    app.ctx.db.selectFrom('oauth_records').where('grant_digest', '=', grantDigest).selectAll().execute()

  test('of five who use a token at once one is first', async () => {
    await insertOauthRecord(app.ctx.db, record('Grant', 'a', 'a'))
    await keepOauthRecord(app.ctx, record('RefreshToken', 'a1', 'a'))
    const firsts = await Promise.all(Array.from({ length: 5 }, () => consumeOauthRecord(app.ctx, 'RefreshToken', 'a1')))
    expect(firsts.filter(Boolean)).toHaveLength(1)
  })

  test('a token of a revoked grant is not kept', async () => {
    await insertOauthRecord(app.ctx.db, record('Grant', 'b', 'b'))
    expect(await keepOauthRecord(app.ctx, record('AccessToken', 'b1', 'b'))).toBe(true)
    await revoke('b')
    expect(await keepOauthRecord(app.ctx, record('AccessToken', 'b2', 'b'))).toBe(false)
    expect(await rowsOf('b')).toEqual([])
  })

  test('no token outlives its grant, even one that is kept while the grant is being revoked', async () => {
    for (let round = 0; round < 10; round++) {
      const grant = `c${round}`
      await insertOauthRecord(app.ctx.db, record('Grant', grant, grant))
      const keeps = [1, 2, 3, 4].map(
        (token) => () => keepOauthRecord(app.ctx, record('AccessToken', `${grant}-${token}`, grant)),
      )
      const work = [...keeps.slice(0, 2), () => revoke(grant), ...keeps.slice(2)]
      await Promise.all(work.map((start) => start()))
      expect(await rowsOf(grant)).toEqual([])
    }
  })
})
