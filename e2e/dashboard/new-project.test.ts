// A new project of a connected repository in a real Chromium: three clicks from the list of projects to the first deployment.
import { join } from 'node:path'
import axe, { type AxeResults } from 'axe-core'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hasDocker } from '../../packages/server/test/docker/docker-engine.ts'
import { sharedEngine } from '../../packages/server/test/docker/shared-engine.ts'
import { ended, until } from '../journey.ts'
import { composeFile, dockerfile, serverFile } from '../load/sample.ts'
import { openIsolatedBrowser, openPage, TIMEOUT_MS, waitUntilLoaded } from './browser.ts'
import { type ConnectedGitHost, deliverOpened, startConnectedGitHost } from './connected-git-host.ts'
import { filesOf } from './repository.ts'
import { type Person, startTestPlatform, type TestPlatform } from './test-platform.ts'

let platform: TestPlatform
let browser: Browser
let owner: Person
let host: ConnectedGitHost

beforeAll(async () => {
  platform = await startTestPlatform(hasDocker ? { DOCKER_HOST: (await sharedEngine()).host } : {})
  browser = await openIsolatedBrowser()
  owner = await platform.signUp()
  host = await startConnectedGitHost(platform.gitHost)
  await owner.client.createServer({ body: { name: 'quay-1', hostname: 'localhost', connection: 'local' } })
  const organizationId = (await owner.client.getMe()).organizations[0]?.id ?? 0
  await owner.client.createConnection({
    params: { id: organizationId },
    body: { type: 'gitea', name: 'Gitea', base_url: host.base, token: host.token },
  })
  host.commit('acme/shop', filesOf('good', platform.lifeline.port))
  // Nothing for the platform: only what a developer starts it with.
  const compose = `${composeFile}    ports: ["8080:3000"]\n`
  host.commit('acme/press', { 'compose.yml': compose, Dockerfile: dockerfile, 'server.js': serverFile })
  host.commit('acme/desk', filesOf('good', platform.lifeline.port))
  host.commit('acme/notes', { 'README.md': 'Nothing to deploy yet' })
  for (let more = 0; more < 20; more++) host.repositories.push(`acme/archive-${more}`)
}, TIMEOUT_MS)

afterAll(async () => {
  await browser?.close()
  await host?.stop()
  await platform?.stop()
})

const repositoryButton = (page: Page, name: string) => page.getByRole('button', { name: new RegExp(`^${name}`) })

test(
  'a repository with a .service.yml is deployed after three clicks, and its pull requests without any',
  async () => {
    const { page, close, consoleErrors } = await openPage(browser, platform.url, { person: owner })
    await countClicks(page)
    await page.goto('/')
    await page.getByRole('link', { name: 'New project' }).first().click()
    await repositoryButton(page, 'acme/shop').click()
    await page.getByText('The check finds no problem.').waitFor()
    await expect.poll(() => page.getByLabel('Domain', { exact: true }).inputValue()).toBe('shop.localhost')
    await page.getByRole('button', { name: 'Deploy', exact: true }).click()
    await page.getByRole('heading', { name: 'Deployment #1' }).waitFor()
    const [project] = await owner.client.listProjects()
    const [environment] = await owner.client.listEnvironments({ params: { id: project?.id ?? 0 } })
    const [task] = await owner.client.listTasks({ params: { id: environment?.id ?? 0 } })
    // The page says that of each of its steps, too.
    expect(await ended(owner.client, task?.id ?? 0)).toMatchObject({ status: 'succeeded' })
    expect(consoleErrors).toEqual([])
    expect(project).toMatchObject({ name: 'shop', default_branch: 'trunk', default_recipe: 'manual' })
    // A pull request needs no further click: the platform has added its webhook at the git host.
    const [hook] = host.hooks
    expect(host.hooks).toHaveLength(1)
    const sha = host.branchOff('acme/shop')
    const answer = await deliverOpened({
      url: hook?.url ?? '',
      secret: hook?.secret ?? '',
      sha,
      repositoryId: host.idOf('acme/shop'),
    })
    expect(DELIVERED).toContain((await answer.json()).verdict)
    await pullRequestIsLive(project?.id ?? 0, sha)
    expect(await clicksOf(page)).toBe(3)
    await close()
  },
  TIMEOUT_MS,
)

test(
  'Deploy goes on where it stopped: the project and its environment are created once',
  async () => {
    const { page, close } = await openPage(browser, platform.url, { person: owner })
    const organizationId = (await owner.client.getMe()).organizations[0]?.id ?? 0
    await page.goto(`/organizations/${organizationId}/projects/new`)
    await repositoryButton(page, 'acme/desk').click()
    await page.getByText('The check finds no problem.').waitFor()
    await page.route('**/api/environments/*/tasks', (route) => route.abort(), { times: 1 })
    const deploy = page.getByRole('button', { name: 'Deploy', exact: true })
    const refused = page.waitForEvent('requestfailed')
    await deploy.click()
    await refused
    await page.getByRole('alert').waitFor()
    await deploy.click()
    await page.getByRole('heading', { name: /^Deployment #\d+$/ }).waitFor()
    const project = (await owner.client.listProjects()).find(({ name }) => name === 'desk')
    expect(await owner.client.listEnvironments({ params: { id: project?.id ?? 0 } })).toHaveLength(1)
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

/** On a busy machine a delivery can take effect after its answer: then it is stored first. */
const DELIVERED = ['accepted', 'stored']

async function pullRequestIsLive(id: number, sha: string): Promise<void> {
  const started = async () => {
    const environments = await owner.client.listEnvironments({ params: { id } })
    const environment = environments.find(({ name }) => name === 'pr-7')
    return environment && (await owner.client.listTasks({ params: { id: environment.id } }))[0]
  }
  const task = await until(started, 'the deployment of the pull request')
  expect(await ended(owner.client, task.id)).toMatchObject({ status: 'succeeded', commit: { sha } })
}

test.skipIf(!hasDocker)(
  'a repository with a compose file alone is deployed after three clicks, too, and keeps the proposed file in its settings',
  async () => {
    const { page, close, consoleErrors } = await openPage(browser, platform.url, { person: owner })
    await countClicks(page)
    await page.goto('/')
    await page.getByRole('link', { name: 'New project' }).first().click()
    await repositoryButton(page, 'acme/press').click()
    await page.getByText('trunk has no .service.yml. The project keeps this one').waitFor()
    const proposed = await page.getByLabel('The file').inputValue()
    expect(proposed).toContain('web: { port: 3000 }')
    await page.getByText('The check finds no problem with this file.').waitFor()
    await page.getByRole('button', { name: 'Deploy', exact: true }).click()
    await page.getByRole('heading', { name: /^Deployment #/ }).waitFor()
    expect(await clicksOf(page)).toBe(3)
    const project = (await owner.client.listProjects()).find(({ name }) => name === 'press')
    const params = { id: project?.id ?? 0 }
    expect(await owner.client.getServiceFile({ params })).toEqual({ content: proposed })
    const [environment] = await owner.client.listEnvironments({ params })
    const [task] = await owner.client.listTasks({ params: { id: environment?.id ?? 0 } })
    expect(await ended(owner.client, task?.id ?? 0)).toMatchObject({ status: 'succeeded' })
    const log = await owner.client.readTaskLog({ params: { id: task?.id ?? 0 } })
    expect(log).toContain("This commit has no .service.yml: using the one from the project's settings\n")

    // Its pull requests need neither a click nor a commit of the file.
    const hook = host.hooks.at(-1)
    const sha = host.branchOff('acme/press')
    const repositoryId = host.idOf('acme/press')
    const answer = await deliverOpened({ url: hook?.url ?? '', secret: hook?.secret ?? '', sha, repositoryId })
    expect(DELIVERED).toContain((await answer.json()).verdict)
    await pullRequestIsLive(params.id, sha)

    await page.goto(`/projects/${params.id}/settings`)
    const field = page.getByLabel('.service.yml', { exact: true })
    await expect.poll(() => field.inputValue()).toBe(proposed)
    await field.fill('servces: {}')
    const section = page.getByRole('region', { name: 'Service file' })
    await section.getByRole('button', { name: 'Save' }).click()
    await section.getByText('.service.yml:1:1: servces is not a known key; did you mean services?').waitFor()
    await field.fill('')
    await section.getByRole('button', { name: 'Save' }).click()
    await until(
      async () => ((await owner.client.getProject({ params })).service_file_digest === null ? true : undefined),
      'the file is removed',
    )
    expect(consoleErrors.filter((line) => !line.includes('422'))).toEqual([])
    await owner.client.deleteProject({ params })
    await until(
      async () => ((await owner.client.listProjects()).every(({ id }) => id !== params.id) ? true : undefined),
      'its containers are removed',
    )
    await close()
  },
  TIMEOUT_MS,
)

test(
  'a repository with nothing to deploy has a file to fill in, and is not deployed before that',
  async () => {
    const { page, close } = await openPage(browser, platform.url, { person: owner })
    const organizationId = (await owner.client.getMe()).organizations[0]?.id ?? 0
    await page.goto(`/organizations/${organizationId}/projects/new`)
    await page.getByLabel('Find a repository').fill('notes')
    await repositoryButton(page, 'acme/notes').click()
    const file = page.getByLabel('The file')
    await file.waitFor()
    const deploy = page.getByRole('button', { name: /^Deploy/ })
    await expect.poll(() => deploy.getAttribute('aria-disabled')).toBe('true')
    await page.getByRole('paragraph').filter({ hasText: 'Say in .service.yml what to deploy' }).waitFor()
    await file.fill('services: { web: {} }\nmanual: { deply: [] }\n')
    await page.getByText('Your version is checked when the project is created.').waitFor()
    await deploy.click()
    await page.getByText('did you mean deploy?').waitFor()
    expect((await owner.client.listProjects()).some(({ name }) => name === 'notes')).toBe(false)
    host.commit('acme/notes', filesOf('good', platform.lifeline.port))
    await page.getByRole('button', { name: 'Look again', exact: true }).click()
    await page.getByText('The check finds no problem.').waitFor()
    await expect.poll(() => deploy.getAttribute('aria-disabled')).not.toBe('true')
    await close()
  },
  TIMEOUT_MS,
)

test.each([
  ['light', 'desk'],
  ['dark', 'phone'],
] as const)(
  'the list of repositories and the form have no finding of axe: %s, %s',
  async (theme, size) => {
    const { page, close, consoleErrors } = await openPage(browser, platform.url, { person: owner, theme, size })
    const organizationId = (await owner.client.getMe()).organizations[0]?.id ?? 0
    await page.goto(`/organizations/${organizationId}/projects/new`)
    await repositoryButton(page, 'acme/press').waitFor()
    expect(await findingsOf(page, `list-${theme}-${size}`)).toEqual([])
    await repositoryButton(page, 'acme/press').click()
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
