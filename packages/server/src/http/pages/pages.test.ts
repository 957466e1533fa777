import { afterAll, beforeAll, expect, test } from 'vitest'
import { databases } from '../../../test/databases.ts'
import { buildSession, buildUser } from '../../../test/factories.ts'
import { openTestApp, type TestApp } from '../../../test/test-app.ts'

let app: TestApp
beforeAll(async () => {
  const [embedded] = databases
  if (!embedded) throw new Error('There is always the embedded database')
  app = await openTestApp(embedded)
})
afterAll(() => app.close())

test.each([
  ['/', 'Welcome'],
  ['/setup', 'Set up the platform'],
  ['/sign-in', 'Sign in'],
  ['/invitation', 'Join an organization'],
  ['/password-reset', 'Choose a new password'],
])('%s is a page that runs no script but ours', async (path, heading) => {
  const page = await app.call('GET', path)
  expect(page).toMatchObject({
    status: 200,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'referrer-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
    },
  })
  expect(page.headers['content-security-policy']).toMatch(
    /^default-src 'none'; script-src 'self'; style-src 'sha256-[^']+'; .*frame-ancestors 'none'$/,
  )
  expect(page.text).toContain(`<h1>${heading}</h1>`)
  expect(page.text.match(/<script/g)).toHaveLength(1)
  expect(page.text).not.toMatch(/\son\w+=|style=|javascript:/)
})

test('every field has a label and a place for its error', async () => {
  const { text } = await app.call('GET', '/setup')
  const fields = [...text.matchAll(/<input id="(\w+)"/g)].map(([, name]) => name)
  expect(fields).toEqual(['name', 'email', 'password', 'organization'])
  for (const field of fields) {
    expect(text).toContain(`<label for="${field}">`)
    expect(text).toContain(`id="${field}-error"`)
  }
})

test('without a mail server nobody is promised a mail', async () => {
  const [embedded] = databases
  const silent = embedded && (await openTestApp(embedded))
  if (!silent) throw new Error('There is always the embedded database')
  Object.assign(silent.ctx.mail, { isSetUp: false })
  const { text } = await silent.call('GET', '/password-reset')
  await silent.close()
  expect(text).toContain('This platform sends no mails')
  expect(text).toContain('SHIPWAY_SMTP_URL')
  expect(text).not.toMatch(/We send a link|on its way|Send the link/)
  // A link that was sent before works all the same.
  expect(text).toContain('Save the password')
  expect((await app.call('GET', '/password-reset')).text).toContain('We send a link')
})

test('the page for the set-up says so when that is done', async () => {
  const [embedded] = databases
  const fresh = embedded && (await openTestApp(embedded))
  if (!fresh) throw new Error('There is always the embedded database')
  expect((await fresh.call('GET', '/setup')).text).toContain('Make the first account')
  await buildUser(fresh.ctx)
  const { text } = await fresh.call('GET', '/setup')
  await fresh.close()
  expect(text).toContain('This platform is set up already')
  expect(text).toContain('href="/sign-in"')
  expect(text).not.toContain('<form')
})

test('the script of the pages is served as a script', async () => {
  const script = await app.call('GET', '/page-script.js')
  expect(script).toMatchObject({ status: 200, headers: { 'content-type': 'text/javascript; charset=utf-8' } })
  expect(script.text).toContain('data-action')
})

test.each(['/', '/invitation'])('%s greets by a name that cannot break out', async (path) => {
  const user = await buildUser(app.ctx, { name: '<script>alert(1)</script>"\'&' })
  const page = await app.call('GET', path, { headers: await buildSession(app.ctx, user.id) })
  expect(page.text).toContain('&#60;script&#62;alert(1)&#60;/script&#62;&#34;&#39;&#38;')
  expect(page.text).not.toContain('<script>alert')
})

test('the home page greets nobody by a token', async () => {
  const user = await buildUser(app.ctx)
  expect((await app.call('GET', '/', { as: user })).text).not.toContain(user.name)
})

test.each([
  ['/device?user_code=BCDF-GHJK', '/device?user_code=BCDF-GHJK'],
  ['//evil.example', '/'],
  ['https:evil.example', '/'],
  ['/\\evil.example', '/'],
  ['"><script>alert(1)</script>', '/'],
  ['/"><script>alert(1)</script>', '/%22%3E%3Cscript%3Ealert(1)%3C/script%3E'],
])('signing in with next=%s goes on to %s', async (next, path) => {
  const page = await app.call('GET', `/sign-in?next=${encodeURIComponent(next)}`)
  expect(page.text).toContain(`data-next="${path}"`)
})

test('two places to go on to are none', async () => {
  const page = await app.call('GET', '/sign-in?next=/device&next=//evil.example')
  expect(page.text).toContain('data-next="/"')
})

test('an unknown endpoint of the API stays a problem', async () => {
  expect(await app.call('GET', '/api/nothing')).toMatchObject({ status: 404, body: { code: 'endpoint_not_found' } })
})
