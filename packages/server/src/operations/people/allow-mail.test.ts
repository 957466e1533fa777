// Mails are counted by who receives them: however many ask, and whichever process sends.
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { databases } from '../../../test/databases.ts'
import { buildEnvironment, buildOrganization, buildProject, buildUser, type TestUser } from '../../../test/factories.ts'
import { stageApp } from '../../../test/stage/stage-app.ts'
import { PLATFORM } from '../../domain/people/actor.ts'
import { allowMail } from './allow-mail.ts'

const HOUR = 3_600_000

describe.each(databases)('mails to one receiver on $name', (source) => {
  const app = stageApp(source)
  let owner: TestUser

  beforeAll(async () => {
    owner = await buildUser(app.ctx)
  })
  beforeEach(() => app.moveClock(25 * HOUR))

  const mailsTo = (email: string) => app.mails.filter(({ to }) => to === email).length
  const buildHouse = async () => (await buildOrganization(app.ctx, [{ user: owner, role: 'owner' }])).id
  const invite = (id: number, email: string) =>
    app.call('POST', `/api/organizations/${id}/invitations`, { as: owner, body: { email, role: 'viewer' } })

  test('an address is not flooded with invitations, of one organization or of many', async () => {
    const houses = [await buildHouse(), await buildHouse(), await buildHouse()]
    const statuses: number[] = []
    for (let count = 0; count < 60; count++) {
      statuses.push((await invite(houses[count % 3] ?? 0, 'Stranger@example.com')).status)
    }
    expect(statuses.slice(0, 4)).toEqual([201, 201, 201, 429])
    expect(new Set(statuses.slice(3))).toEqual(new Set([429]))
    expect(mailsTo('Stranger@example.com')).toBe(3)
    app.moveClock(HOUR)
    expect((await invite(houses[0] ?? 0, 'stranger@example.com')).status).toBe(201)
  })

  test('an invitation that is not mailed is not created, and its link is not shown', async () => {
    const id = await buildHouse()
    const email = 'again@example.com'
    for (let count = 0; count < 3; count++) await invite(id, email)
    const [before] = await app.ctx.db.selectFrom('invitations').where('email', '=', email).selectAll().execute()
    const refused = await invite(id, email)
    expect(refused).toMatchObject({ status: 429, headers: { 'retry-after': '3600' }, body: { code: 'rate_limited' } })
    expect(refused.text).not.toContain('token=')
    expect(await app.ctx.db.selectFrom('invitations').where('email', '=', email).selectAll().execute()).toEqual([
      before,
    ])
  })

  test('invitations at once go beyond it as little', async () => {
    const houses = await Promise.all(Array.from({ length: 8 }, buildHouse))
    const answers = await Promise.all(houses.map((id) => invite(id, 'crowd@example.com')))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3)
    expect(mailsTo('crowd@example.com')).toBe(3)
  })

  test('an organization invites at most 100 people a day', async () => {
    const [id, other] = [await buildHouse(), await buildHouse()]
    const intent = (count: number) => ({ kind: 'invitation', to: `x${count}@example.com`, organizationId: id }) as const
    await app.ctx.change(PLATFORM, async (tx) => {
      for (let count = 0; count < 99; count++) expect(await allowMail(app.ctx, tx, intent(count))).toBeDefined()
    })
    expect((await invite(id, 'hundredth@example.com')).status).toBe(201)
    expect((await invite(id, 'more@example.com')).status).toBe(429)
    expect((await invite(other, 'more@example.com')).status).toBe(201)
    app.moveClock(24 * HOUR)
    expect((await invite(id, 'more@example.com')).status).toBe(201)
  })

  test('an environment that is transferred repeatedly mails its owners at most ten times an hour', async () => {
    const [one, two] = [await buildUser(app.ctx), await buildUser(app.ctx)]
    const organization = await buildOrganization(app.ctx, [
      { user: owner, role: 'owner' },
      { user: one, role: 'member' },
      { user: two, role: 'member' },
    ])
    const project = await buildProject(app.ctx, { organizationId: organization.id, ownerId: owner.id })
    const { id } = await buildEnvironment(app.ctx, project, { owner_id: one.id })
    for (let count = 0; count < 30; count++) {
      const body = { owner_id: count % 2 === 0 ? two.id : one.id }
      expect((await app.call('PATCH', `/api/environments/${id}`, { as: owner, body })).status).toBe(200)
    }
    await app.finished()
    expect([mailsTo(one.email), mailsTo(two.email)]).toEqual([10, 10])
  })

  test('what was allowed to one receiver does not go to another', async () => {
    const mail = { to: 'two@example.com', subject: 'x', text: 'x', html: 'x' }
    const sent = app.ctx.change(PLATFORM, async (tx) =>
      (await allowMail(app.ctx, tx, { kind: 'transfer', to: 'one@example.com' }))?.queue(mail),
    )
    await expect(sent).rejects.toThrow('another address')
    await app.finished()
    expect(mailsTo('two@example.com')).toBe(0)
  })
})
