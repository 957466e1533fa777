// The reference page: whole, escaped, and with links that lead somewhere.
import { expect, test } from 'vitest'
import { operationsOf } from './openapi/paths.ts'
import { errorsOf } from './openapi/route-errors.ts'
import { openApiOf } from './openapi.ts'
import { PROBLEMS } from './problem.ts'
import { exampleOf } from './reference/examples.ts'
import { REFERENCE_STYLE } from './reference/style.ts'
import { referencePage } from './reference.ts'
import type { Route } from './route.ts'
import { routes } from './routes.ts'

const document = openApiOf(routes, { baseUrl: 'https://ship.example.com', version: 'v1.15.0' })
const page = referencePage(document, routes)
const ids = [...page.matchAll(/ id="([^"]+)"/g)].map((match) => match[1])

test('every endpoint has a section, with its method, address, summary and an example', () => {
  for (const [name, route] of Object.entries<Route>(routes)) {
    const section = page.split(`<article id="${name}"`)[1]?.split('</article>')[0] ?? ''
    expect(section, name).toContain(`<span class="method">${route.method}</span>`)
    expect(section.replaceAll('<wbr>', ''), name).toContain(`<code>${route.path}</code>`)
    expect(section, name).toContain('<h4>Errors</h4>')
    expect(section, name).toContain('curl ')
  }
})

test('every error code can be linked to', () => {
  for (const code of Object.keys(PROBLEMS)) expect(ids).toContain(code)
})

test('an id names one place, and every link within the page leads to one', () => {
  expect(new Set(ids).size).toBe(ids.length)
  const links = [...page.matchAll(/href="#([^"]+)"/g)].map((match) => match[1])
  expect(links.length).toBeGreaterThan(500)
  expect([...new Set(links)].filter((link) => !ids.includes(link))).toEqual([])
})

test('who may, the scope, the rules and the defaults of a body are described', () => {
  const section = page.split('<article id="createProject"')[1]?.split('</article>')[0] ?? ''
  expect(section).toContain('from the role admin up')
  expect(section).toContain('<code>admin</code>')
  expect(section).toContain('<code>domain</code></dt><dd><p>string <strong>required</strong></p>')
  expect(section).toContain('Give a host name such as app.example.com')
  expect(section).toContain('default <code>&quot;docker&quot;</code>')
  expect(section).toContain('<a href="#shape-BasicAuth">BasicAuth</a>')
})

test('an endpoint names every error that it may give, and a group says what it is about', () => {
  const section = page.split('<article id="startDeployment"')[1]?.split('</article>')[0] ?? ''
  for (const code of errorsOf(routes.startDeployment))
    expect(section).toContain(`<a href="#${code}"><code>${code}</code></a>`)
  expect(page).toContain('<h2 id="resource-tasks">Tasks</h2>\n<p>Deployments and other runs')
})

test('the fields of an extended shape are all named where it is answered', () => {
  const section = page.split('<article id="createProject"')[1]?.split('</article>')[0] ?? ''
  expect(section).toContain('<code>repo_url</code>')
  expect(section).toContain('<code>webhook</code>')
  const server = page.split('<article id="shape-Server"')[1]?.split('</article>')[0] ?? ''
  expect(server).toContain('<code>hostname</code>')
  expect(server).toContain('<code>setup_command</code>')
})

test('whatever a document holds is text on the page', () => {
  const route: Route = {
    ...routes.getServer,
    summary: '<script>alert(1)</script> & "quotes"',
    description: '`<img src=x>` and <b>',
  }
  const hostile = openApiOf({ getServer: route }, { baseUrl: 'https://a.example/"><i>', version: '<u>' })
  const text = referencePage(hostile, { getServer: route })
  expect(text).not.toMatch(/<script|<img|<b>|<i>|<u>/)
  expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;quotes&quot;')
  expect(text).toContain('<code>&lt;img src=x&gt;</code> and &lt;b&gt;')
})

test('the page runs no script and loads nothing; its one stylesheet stands in it as it is', () => {
  expect(page).not.toMatch(/<script|<link|<img|<iframe| src=| style=| on\w+=/)
  expect(page.split('<style>')[1]?.split('</style>')[0]).toBe(REFERENCE_STYLE)
  expect(page.match(/<style/g)).toHaveLength(1)
  expect(REFERENCE_STYLE).not.toMatch(/url\(|@import|<\//)
})

test.each(Object.entries<Route>(routes).filter(([, route]) => route.body))(
  'the example of %s has a body that the contract accepts',
  (name, route) => {
    const found = operationsOf(document).find(({ operation }) => operation.operationId === name)
    const schema = found?.operation.requestBody?.content['application/json']?.schema ?? {}
    const body = exampleOf(schema, document.components.schemas)
    expect(route.body?.safeParse(body).error?.issues).toBeUndefined()
    expect(page).toContain(JSON.stringify(body).replaceAll('"', '&quot;'))
  },
)
