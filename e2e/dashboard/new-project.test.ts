// A new project of a connected repository in a real Chromium: three clicks from the list of projects to the first deployment.
import { execFileSync } from 'node:child_process'
import { createHmac, randomUUID } from 'node:crypto'
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import axe, { type AxeResults } from 'axe-core'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ended } from '../journey.ts'
import { pullRequestWas } from '../webhooks/deliveries.ts'
import { openIsolatedBrowser, openPage, TIMEOUT_MS, waitUntilLoaded } from './browser.ts'
import { type ConnectedGitHost, startConnectedGitHost } from './connected-git-host.ts'
import { filesOf } from './repository.ts'
import { type Person, startTestPlatform, type TestPlatform } from './test-platform.ts'

let platform: TestPlatform
let browser: Browser
let owner: Person
let host: ConnectedGitHost

beforeAll(async () => {
  platform = await startTestPlatform()
  browser = await openIsolatedBrowser()
  owner = await platform.signUp()
  host = await startConnectedGitHost(platform.gitHost)
  await owner.client.createServer({ body: { name: 'quay-1', hostname: 'localhost', connection: 'local' } })
  const organizationId = (await owner.client.getMe()).organizations[0]?.id ?? 0
  await owner.client.createConnection({
    params: { id: organizationId },
    body: { type: 'gitea', name: 'Gitea', base_url: host.base, token: host.token },
  })
  commit('acme/shop', filesOf('good', platform.lifeline.port))
  commit('acme/blog', { 'compose.yml': 'services: { web: { image: nginx, ports: ["8080:80"] } }\n' })
  for (let more = 0; more < 20; more++) host.repositories.push(`acme/archive-${more}`)
}, TIMEOUT_MS)

afterAll(async () => {
  await browser?.close()
  await host?.stop()
  await platform?.stop()
})

function commit(name: string, files: Readonly<Record<string, string>>): void {
  const folder = host.folderOf(name)
  mkdirSync(folder, { recursive: true })
  const git = (...words: string[]) => execFileSync('git', ['-C', folder, ...words])
  git('init', '--quiet', '--initial-branch=trunk')
  for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path), text)
  git('add', '--all')
  git('-c', 'user.name=Priya', '-c', 'user.email=priya@example.com', 'commit', '--quiet', '--message=Change')
  if (!host.repositories.includes(name)) host.repositories.push(name)
}

const repositoryButton = (page: Page, name: string) => page.getByRole('button', { name: new RegExp(`^${name}`) })

test(
  'a repository with a .service.yml is deployed after three clicks, and its pull requests without any',
  async () => {
    const { page, close, consoleErrors } = await openPage(browser, platform.url, { person: owner })
    await countClicks(page)
    await page.goto('/')
    const since = performance.now()
    await page.getByRole('link', { name: 'New project' }).first().click()
    await repositoryButton(page, 'acme/shop').click()
    await page.getByText('The check finds no problem.').waitFor()
    expect(await page.getByLabel('Domain', { exact: true }).inputValue()).toBe('shop.localhost')
    await page.getByRole('button', { name: 'Deploy', exact: true }).click()
    await page.getByRole('heading', { name: 'Deployment #1' }).waitFor()
    await page.getByText('Succeeded').first().waitFor()
    expect(consoleErrors).toEqual([])
    const [project] = await owner.client.listProjects()
    expect(project).toMatchObject({ name: 'shop', default_branch: 'trunk', default_recipe: 'manual' })
    // A pull request needs no further click: the platform has added its webhook at the git host.
    const [hook] = host.hooks
    expect(host.hooks).toHaveLength(1)
    const sha = branchOff('acme/shop')
    await deliver({ url: hook?.url ?? '', secret: hook?.secret ?? '', sha })
    await pullRequestIsLive(project?.id ?? 0, sha)
    expect(await clicksOf(page)).toBe(3)
    keepClock(since)
    await close()
  },
  TIMEOUT_MS,
)

async function countClicks(page: Page): Promise<void> {
  await page.addInitScript(() => {
    addEventListener('pointerdown', ({ isTrusted }) => {
      if (isTrusted) sessionStorage.setItem('clicks', String(Number(sessionStorage.getItem('clicks') ?? 0) + 1))
    })
  })
}

const clicksOf = (page: Page): Promise<number> => page.evaluate(() => Number(sessionStorage.getItem('clicks')))

function branchOff(name: string): string {
  const git = (...words: string[]) => execFileSync('git', ['-C', host.folderOf(name), ...words], { encoding: 'utf8' })
  git('checkout', '--quiet', '-b', 'feature')
  const author = ['-c', 'user.name=Priya', '-c', 'user.email=priya@example.com']
  git(...author, 'commit', '--quiet', '--allow-empty', '--message=Add a feature')
  const sha = git('rev-parse', 'HEAD').trim()
  git('checkout', '--quiet', 'trunk')
  return sha
}

type Delivered = { readonly url: string; readonly secret: string; readonly sha: string }

/** As Gitea does. */
async function deliver({ url, secret, sha }: Delivered): Promise<void> {
  const body = JSON.stringify(pullRequestWas('opened', { number: 7, branch: 'feature', sha }))
  const answer = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-gitea-event': 'pull_request',
      'x-gitea-delivery': randomUUID(),
      'x-gitea-signature': createHmac('sha256', secret).update(body).digest('hex'),
    },
    body,
  })
  expect([answer.status, await answer.json()]).toEqual([200, { verdict: 'accepted', reason: null }])
}

async function pullRequestIsLive(id: number, sha: string): Promise<void> {
  const environments = await owner.client.listEnvironments({ params: { id } })
  const environment = environments.find(({ name }) => name === 'pr-7')
  const [task] = await owner.client.listTasks({ params: { id: environment?.id ?? 0 } })
  expect(await ended(owner.client, task?.id ?? 0)).toMatchObject({ status: 'succeeded', commit: { sha } })
}

/** With CLOCK, the seconds from "New project" to a deployed pull request are kept in that file. */
function keepClock(since: number): void {
  const { CLOCK } = process.env
  if (CLOCK !== undefined) appendFileSync(CLOCK, `${((performance.now() - since) / 1000).toFixed(1)} s\n`)
}

test(
  'a repository without a .service.yml is not deployed before the file is there',
  async () => {
    const { page, close } = await openPage(browser, platform.url, { person: owner })
    const organizationId = (await owner.client.getMe()).organizations[0]?.id ?? 0
    await page.goto(`/organizations/${organizationId}/projects/new`)
    await page.getByLabel('Find a repository').fill('blog')
    await repositoryButton(page, 'acme/blog').click()
    await page.getByText('trunk has no .service.yml yet').first().waitFor()
    await page.getByText('web: { port: 80 }').waitFor()
    const deploy = page.getByRole('button', { name: /^Deploy/ })
    expect(await deploy.getAttribute('aria-disabled')).toBe('true')
    await page.getByRole('paragraph').filter({ hasText: 'Add .service.yml to trunk first' }).waitFor()
    commit('acme/blog', { '.service.yml': 'services: { web: { port: 80 } }\ndocker: { compose: compose.yml }\n' })
    await page.getByRole('button', { name: 'Look again', exact: true }).click()
    await page.getByText('The check finds no problem.').waitFor()
    expect(await deploy.getAttribute('aria-disabled')).not.toBe('true')
    await close()
  },
  TIMEOUT_MS,
)

test.each([
  ['light', 'desk'],
  ['dark', 'desk'],
  ['light', 'phone'],
  ['dark', 'phone'],
] as const)(
  'the list of repositories and the form have no finding of axe: %s, %s',
  async (theme, size) => {
    const { page, close, consoleErrors } = await openPage(browser, platform.url, { person: owner, theme, size })
    const organizationId = (await owner.client.getMe()).organizations[0]?.id ?? 0
    await page.goto(`/organizations/${organizationId}/projects/new`)
    await repositoryButton(page, 'acme/blog').waitFor()
    expect(await findingsOf(page, `list-${theme}-${size}`)).toEqual([])
    await repositoryButton(page, 'acme/blog').click()
    await page.getByRole('button', { name: 'Copy .service.yml' }).waitFor()
    expect(await findingsOf(page, `form-${theme}-${size}`)).toEqual([])
    expect(consoleErrors).toEqual([])
    await close()
  },
  TIMEOUT_MS,
)

/** Also that nothing scrolls sideways. With PICTURES, a screenshot is kept there. */
async function findingsOf(page: Page, name: string): Promise<readonly string[]> {
  await waitUntilLoaded(page)
  const { PICTURES } = process.env
  if (PICTURES !== undefined) await page.screenshot({ path: join(PICTURES, `${name}.png`), fullPage: true })
  await page.evaluate(axe.source)
  const { violations } = await page.evaluate<AxeResults>('axe.run(document, { resultTypes: ["violations"] })')
  const width = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  return [...violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`), ...(width > 0 ? ['scrolls sideways'] : [])]
}
