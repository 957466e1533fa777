// The site as it is built: every link of every page leads somewhere, and the search finds what people look for.
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { routes } from '@shipway/api'
import { PROBLEMS } from '@shipway/api/problem'
import { listCommandGroups } from '@shipway/cli/command-reference'
import MiniSearch from 'minisearch'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildSite } from './build-site.ts'
import { addressOf, pages } from './contents.ts'
import { renderMarkdown } from './render-markdown.ts'
import { type Entry, SEARCH } from './search-options.ts'

const folder = mkdtempSync(join(tmpdir(), 'shipway-docs-'))
beforeAll(() => buildSite(folder))
afterAll(() => rmSync(folder, { recursive: true }))

const read = (name: string): string => readFileSync(join(folder, name), 'utf8')
const fileOf = (address: string): string =>
  address === '/docs'
    ? 'index.html'
    : address.startsWith('/docs/files/') || address.startsWith('/docs/assets/')
      ? address.slice('/docs/'.length)
      : `${address.slice('/docs/'.length)}.html`

test('every document is a page of the site', () => {
  const documents = globSync('docs/**/*.md', { cwd: join(import.meta.dirname, '../../..') })
  expect(pages.map(({ file }) => file)).toEqual(expect.arrayContaining(documents))
})

test('every link and picture leads to a page, a heading of it, or a file that is served', () => {
  const lost = pages.flatMap((page) => {
    const links = [...read(fileOf(addressOf(page))).matchAll(/(?:href|src)="([^"]*)"/g)].map(([, link = '']) => link)
    expect(links.length).toBeGreaterThan(pages.length)
    return links.filter((link) => !leadsSomewhere(link, addressOf(page))).map((link) => `${page.file}: ${link}`)
  })
  expect(lost).toEqual([])
})

function leadsSomewhere(link: string, from: string): boolean {
  const [path, anchor] = link.split('#')
  const address = path || from
  if (path === '/api/reference' && anchor !== undefined) return anchor in routes
  if (!/^\/docs(\/|$)/.test(address)) return /^(https:\/\/|\/$|\/api\/reference$)/.test(address)
  const file = join(folder, fileOf(address))
  return existsSync(file) && (anchor === undefined || readFileSync(file, 'utf8').includes(`id="${anchor}"`))
}

test.each([
  ['rollback', '/docs/'],
  ['release command', '/docs/recipes'],
  ['SHIPWAY_MASTER_KEY', '/docs/'],
  ['cron', '/docs/schedules'],
  ['django', '/docs/guides/python'],
  ['heroku', '/docs/guides/migrate'],
  ['deployment_in_progress', '/docs/errors'],
  ['shipway vars set', '/docs/commands'],
  ['monorepo', '/docs/guides/monorepo'],
])('the search for "%s" leads to %s', (asked, expected) => {
  const index = MiniSearch.loadJSON<Entry>(read('assets/search.json'), SEARCH)
  const found = index.search(asked).map(({ address }) => String(address))
  expect(found.slice(0, 5).some((address) => address.startsWith(expected))).toBe(true)
})

test('the reference has every error code, endpoint and key', async () => {
  for (const code of Object.keys(PROBLEMS)) expect(read('errors.html')).toContain(`<h3 id="${code}">`)
  for (const name of Object.keys(routes)) expect(read('endpoints.html')).toContain(`"/api/reference#${name}"`)
  for (const group of await listCommandGroups())
    for (const { name } of group.commands) expect(read('commands.html')).toMatch(new RegExp(`>shipway ${name}</h[23]>`))
  const schema: { properties: object } = JSON.parse(read('service.schema.json'))
  for (const key of Object.keys(schema.properties)) expect(read('service-file.html')).toContain(`<h2 id="${key}">`)
  for (const name of ['commands', 'endpoints', 'errors', 'service-file'])
    expect(read(`${name}.html`)).not.toMatch(/made from the code:|\\[|*_[]/)
})

test('a page contains no script, no style and no HTML of its text', () => {
  const { html } = renderMarkdown('# A\n\n<script>alert(1)</script> [x](javascript:alert(1))', 'docs/a.md')
  expect(html).not.toMatch(/<script|href="javascript/)
  for (const page of pages)
    expect(read(fileOf(addressOf(page)))).not.toMatch(/<style|<script(?! type="module" src="\/docs)| style=/)
})

test('a link to a file that is not served ends the build', () => {
  expect(() => renderMarkdown('[x](../package.json)', 'docs/a.md')).toThrow(
    'docs/a.md links to ../package.json, which is no page of the site and no file that it serves',
  )
})

test('headings have the anchors of git hosts, each once', () => {
  const { headings } = renderMarkdown("# Why did `x.y` fail?\n\n## It's a *test*\n\n## It's a test", 'docs/a.md')
  expect(headings.map(({ id }) => id)).toEqual(['why-did-xy-fail', 'its-a-test', 'its-a-test-1'])
})
