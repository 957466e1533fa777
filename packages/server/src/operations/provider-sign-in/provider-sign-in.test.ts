// Signing in with a real OpenID Connect provider: who gets in, by what, and in which browser.
import type { ProviderAnswer } from '@shipway/api/sign-in/provider-sign-in'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { databases } from '../../../test/databases.ts'
import { sameOrigin } from '../../../test/device-flow.ts'
import { buildInvitation, buildOrganization, buildSession, buildUser } from '../../../test/factories.ts'
import {
  type IdentityProvider,
  PROVIDER_CLIENT,
  type ProviderPerson,
  startIdentityProvider,
} from '../../../test/sign-in/identity-provider.ts'
import { weakPasswordHash } from '../../../test/sign-in/weak-password-hash.ts'
import { openTestApp, type TestAnswer, type TestApp } from '../../../test/test-app.ts'
import { Secret } from '../../secrets/secret.ts'
import { createSignInProvider, type ProviderSettings } from '../../sign-in-provider/sign-in-provider.ts'

const password = 'seven green bicycles'
const REDIRECT = 'https://ship.example.com/sign-in/provider'

let people = 0
/** A person without an account. */
const somebody = (more: Partial<ProviderPerson> = {}): ProviderPerson => {
  people += 1
  return {
    sub: `subject-${people}`,
    email: `person${people}@corp.example`,
    email_verified: true,
    name: `P ${people}`,
    ...more,
  }
}

describe.each(databases)('signing in with a provider on $name', (source) => {
  let identities: IdentityProvider
  let app: TestApp
  let passwordHash: string

  const open = (settings: Partial<ProviderSettings> = {}) =>
    openTestApp(
      source,
      {},
      {
        signInProvider: createSignInProvider({
          issuer: identities.issuer,
          name: 'Corp ID',
          emailDomains: [],
          hasOpenSignUp: false,
          clientId: PROVIDER_CLIENT.id,
          clientSecret: new Secret(PROVIDER_CLIENT.secret),
          redirectUri: REDIRECT,
          allowedNetworks: [],
          clock: Date.now,
          ...settings,
        }),
      },
    )

  beforeAll(async () => {
    passwordHash = weakPasswordHash(password)
    identities = await startIdentityProvider(() => REDIRECT)
    app = await open()
  })
  afterAll(async () => {
    await app.close()
    await identities.close()
  })
  afterEach(() => app.moveClock(61_000))

  const cookieOf = ({ headers }: TestAnswer, name: string) =>
    new RegExp(`__Host-${name}=[^;]+`).exec(String(headers['set-cookie']))?.[0] ?? ''
  const begin = (next?: string, on = app) =>
    on.call('POST', '/api/provider-sign-ins', { headers: sameOrigin, body: next === undefined ? {} : { next } })
  const redeem = (answer: Partial<ProviderAnswer>, cookie: string, on = app) =>
    on.call('POST', '/api/provider-sign-ins/redemption', { headers: { ...sameOrigin, cookie }, body: answer })
  const answered = ({ state = '', code, iss, error }: Record<string, string>): ProviderAnswer => ({
    state,
    ...(code !== undefined && { code }),
    ...(iss !== undefined && { iss }),
    ...(error !== undefined && { error }),
  })
  /** The whole way of one browser. */
  async function signInAs(person: ProviderPerson, { next, on = app }: { next?: string; on?: TestApp } = {}) {
    const begun = await begin(next, on)
    identities.become(person)
    return redeem(answered(await identities.visit(begun.body.url)), cookieOf(begun, 'shipway_provider'), on)
  }
  const me = (answer: TestAnswer, on = app) =>
    on.call('GET', '/api/me', { headers: { cookie: cookieOf(answer, 'shipway_session') } })
  const member = async () => {
    const user = await buildUser(app.ctx, { password_hash: passwordHash })
    return { user, headers: { ...sameOrigin, ...(await buildSession(app.ctx, user.id)) } }
  }
  /** Links the provider to the account of the session. */
  async function link(headers: Record<string, string>, person: ProviderPerson) {
    const begun = await app.call('POST', '/api/me/identity', { headers, body: { password } })
    identities.become(person)
    const answer = answered(await identities.visit(begun.body.url))
    const cookie = `${headers.cookie}; ${cookieOf(begun, 'shipway_provider')}`
    return redeem(answer, cookie)
  }

  test('a linked identity signs in by issuer and subject, whatever its e-mail is by then', async () => {
    const { user, headers } = await member()
    const person = somebody()
    expect(await link(headers, person)).toMatchObject({ status: 200, body: { next: '/profile' } })
    const state = await app.call('GET', '/api/me/identity', { headers })
    expect(state.body).toMatchObject({ provider: 'Corp ID', is_linked: true, email: person.email, has_password: true })
    expect(state.text).not.toContain(person.sub)
    const answer = await signInAs(
      { ...person, email: 'other@elsewhere.example', email_verified: false },
      { next: '/projects/7?tab=a#token=x' },
    )
    expect(answer).toMatchObject({ status: 200, body: { next: '/projects/7?tab=a' } })
    expect((await me(answer)).body).toMatchObject({ id: user.id })
    const actions = await app.ctx.db
      .selectFrom('audit_events')
      .where('user_id', '=', user.id)
      .select('action')
      .execute()
    expect(actions.map(({ action }) => action)).toEqual(['identity.linked', 'session.created'])
  })

  test('the e-mail alone never opens an account, verified or not', async () => {
    const user = await buildUser(app.ctx, { password_hash: passwordHash })
    for (const email_verified of [true, false]) {
      const answer = await signInAs(somebody({ email: user.email.toUpperCase(), email_verified }))
      expect(answer).toMatchObject({ status: 403, body: { code: 'provider_not_linked' } })
      expect(cookieOf(answer, 'shipway_session')).toBe('')
    }
  })

  test('an invitation for the verified e-mail makes an account without a password; any other sign-in makes none', async () => {
    const owner = await buildUser(app.ctx)
    const organization = await buildOrganization(app.ctx, [{ user: owner, role: 'owner' }])
    const { email } = await buildInvitation(app.ctx, organization.id, owner.id)
    const person = somebody({ email })
    for (const stranger of [somebody(), { ...person, email_verified: false }]) {
      expect(await signInAs(stranger)).toMatchObject({ status: 403, body: { code: 'provider_not_linked' } })
    }
    const answer = await signInAs(person)
    expect(answer.status).toBe(200)
    const mine = (await me(answer)).body
    expect(mine).toMatchObject({ name: person.name, email, organizations: [{ id: organization.id, role: 'viewer' }] })
    // Nothing is a password of such an account.
    for (const given of ['', ' ', password]) {
      const refused = await app.call('POST', '/api/session', { body: { email, password: given } })
      expect([401, 422]).toContain(refused.status)
    }
    const headers = { ...sameOrigin, cookie: cookieOf(answer, 'shipway_session') }
    const unlinked = await app.call('DELETE', '/api/me/identity', { headers })
    expect(unlinked).toMatchObject({ status: 409, body: { code: 'last_way_in' } })
    expect((await signInAs(person)).status).toBe(200)
    // A password by mail is a second way in.
    await app.call('POST', '/api/password-resets', { body: { email } })
    await app.finished()
    const token = /#token=(\S+)/.exec(app.mails.at(-1)?.text ?? '')?.[1]
    expect((await app.call('POST', '/api/password-resets/redemption', { body: { token, password } })).status).toBe(204)
    const again = { ...sameOrigin, ...(await buildSession(app.ctx, mine.id)) }
    expect((await app.call('DELETE', '/api/me/identity', { headers: again })).status).toBe(204)
    expect((await signInAs(person)).status).toBe(403)
  })

  test('an invitation of a member who lost the right to it makes no account', async () => {
    const [owner, inviter] = [await buildUser(app.ctx), await buildUser(app.ctx)]
    const organization = await buildOrganization(app.ctx, [
      { user: owner, role: 'owner' },
      { user: inviter, role: 'viewer' },
    ])
    const { email } = await buildInvitation(app.ctx, organization.id, inviter.id)
    const answer = await signInAs(somebody({ email }))
    expect(answer.status).toBe(410)
    const rows = await app.ctx.db.selectFrom('users').where('email', '=', email).selectAll().execute()
    expect(rows).toEqual([])
  })

  test('a sign-in works once, in the browser that began it, with the state of that browser, for ten minutes', async () => {
    const { user, headers } = await member()
    const person = somebody()
    await link(headers, person)
    identities.become(person)
    const [first, other] = [await begin(), await begin()]
    const [own, foreign] = [cookieOf(first, 'shipway_provider'), cookieOf(other, 'shipway_provider')]
    const answer = answered(await identities.visit(first.body.url))
    for (const [given, cookie] of [
      [answer, ''],
      [answer, foreign],
      [answer, `${own}; ${foreign}`],
      [{ ...answer, state: `${answer.state}x` }, own],
      [{ ...answer, state: 'é'.repeat(43) }, own],
    ] as const) {
      expect(await redeem(given, cookie)).toMatchObject({ status: 410, body: { code: 'link_expired' } })
    }
    const both = await Promise.all([redeem(answer, own), redeem(answer, own)])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 410])
    const late = answered(await identities.visit(other.body.url))
    app.moveClock(10 * 60_000)
    expect(await redeem(late, foreign)).toMatchObject({ status: 410 })
    const rows = await app.ctx.db.selectFrom('sessions').where('user_id', '=', user.id).selectAll().execute()
    expect(rows).toHaveLength(2)
  })

  test('a code of another sign-in does not pass, since nonce and verifier are those of the browser', async () => {
    const { headers } = await member()
    const person = somebody()
    await link(headers, person)
    identities.become(person)
    const [victim, attacker] = [await begin(), await begin()]
    const stolen = answered(await identities.visit(victim.body.url))
    const own = answered(await identities.visit(attacker.body.url))
    const answer = await redeem({ ...own, code: stolen.code }, cookieOf(attacker, 'shipway_provider'))
    expect(answer).toMatchObject({ status: 502, body: { code: 'provider_failed' } })
    expect(cookieOf(answer, 'shipway_session')).toBe('')
  })

  test('linking needs the password, the same user to come back, and an identity that is not linked yet', async () => {
    const [one, two] = [await member(), await member()]
    const person = somebody()
    const refused = await app.call('POST', '/api/me/identity', { headers: one.headers, body: { password: 'wrong' } })
    expect(refused).toMatchObject({ status: 401, body: { code: 'invalid_credentials' } })
    // Started by one user, and finished by another, or without a session.
    for (const cookie of [two.headers.cookie, '']) {
      const begun = await app.call('POST', '/api/me/identity', { headers: one.headers, body: { password } })
      identities.become(person)
      const answer = answered(await identities.visit(begun.body.url))
      const back = await redeem(answer, [cookie, cookieOf(begun, 'shipway_provider')].filter(Boolean).join('; '))
      expect(back).toMatchObject({ status: 410, body: { code: 'link_expired' } })
    }
    expect((await link(one.headers, person)).status).toBe(200)
    expect(await link(two.headers, person)).toMatchObject({ status: 409, body: { code: 'in_use' } })
    const again = await app.call('POST', '/api/me/identity', { headers: one.headers, body: { password } })
    expect(again).toMatchObject({ status: 409, body: { code: 'in_use' } })
    expect((await app.call('DELETE', '/api/me/identity', { headers: one.headers })).status).toBe(204)
    expect((await link(two.headers, person)).status).toBe(200)
  })

  test('declining at the provider leads back to the sign-in', async () => {
    const begun = await begin()
    identities.become(undefined)
    const answer = await redeem(answered(await identities.visit(begun.body.url)), cookieOf(begun, 'shipway_provider'))
    expect(answer).toMatchObject({ status: 401, body: { code: 'provider_refused' } })
  })

  test('where domains are named, only a verified e-mail of one of them gets in; open sign-up makes accounts', async () => {
    const narrow = await open({ emailDomains: ['corp.example'], hasOpenSignUp: true })
    try {
      const person = somebody()
      for (const email of ['a@evil.example', 'a@corp.example.evil.example', 'a@sub.corp.example', undefined]) {
        const refused = await signInAs(
          { ...somebody(), ...(email === undefined ? { email_verified: false } : { email }) },
          { on: narrow },
        )
        expect(refused, email ?? 'unverified').toMatchObject({ status: 403, body: { code: 'provider_not_linked' } })
      }
      const answer = await signInAs(person, { on: narrow, next: '//evil.example' })
      expect(answer).toMatchObject({ status: 200, body: { next: '/' } })
      expect((await me(answer, narrow)).body).toMatchObject({ email: person.email, organizations: [] })
      expect((await signInAs(person, { on: narrow })).status).toBe(200)
      // The domain counts for known people, too.
      expect((await signInAs({ ...person, email: 'left@evil.example' }, { on: narrow })).status).toBe(403)
    } finally {
      await narrow.close()
    }
  })

  test('without a provider every way says so', async () => {
    const without = await openTestApp(source)
    try {
      expect((await without.call('GET', '/api/setup')).body).toMatchObject({ sign_in_provider: null })
      expect(await begin('/', without)).toMatchObject({ status: 409, body: { code: 'provider_off' } })
      expect(await redeem({ state: 'x' }, '', without)).toMatchObject({ status: 409, body: { code: 'provider_off' } })
    } finally {
      await without.close()
    }
    expect((await app.call('GET', '/api/setup')).body).toMatchObject({ sign_in_provider: 'Corp ID' })
  })
})
