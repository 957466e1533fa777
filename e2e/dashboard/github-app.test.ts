// The whole way to a GitHub App in a browser, then a project from it: fetched over https, deployed by the App's webhook, and reported.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type GitHub, startGitHub } from '../../packages/server/test/github/github.ts'
import { ended, until } from '../journey.ts'
import { pullRequestWas } from '../webhooks/deliveries.ts'
import { openIsolatedBrowser, openPage, TIMEOUT_MS } from './browser.ts'
import { filesOf } from './repository.ts'
import { createOwner, type Person, startTestPlatform, type TestPlatform } from './test-platform.ts'

let github: GitHub
let platform: TestPlatform
let browser: Browser
let owner: Person
let organizationId: number

beforeAll(async () => {
  github = await startGitHub()
  platform = await startTestPlatform({ SHIPWAY_GIT_CA_FILE: github.authority })
  browser = await openIsolatedBrowser()
  owner = (await createOwner(platform)).owner
  organizationId = (await owner.client.getMe()).organizations[0]?.id ?? 0
}, TIMEOUT_MS)

afterAll(async () => {
  await browser?.close()
  await platform?.stop()
  await github?.stop()
})

async function connect(page: Page, name: string): Promise<void> {
  await page.goto(`/organizations/${organizationId}/connections`)
  await page.getByRole('button', { name: 'Add connection' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(/^Address/).fill(github.base)
  await dialog.getByLabel('Name').fill(name)
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await page.getByLabel(/^Organization at GitHub/).fill('acme')
  await page.getByRole('button', { name: 'Continue to GitHub' }).click()
  await page.getByRole('button', { name: 'Create GitHub App for acme' }).click()
  await page.getByRole('button', { name: 'Install' }).click()
  await page.getByText('The App is installed for acme').waitFor()
}

test(
  'a GitHub App is created and installed in a browser, and deploys a pull request of a private repository',
  async () => {
    const repository = github.addRepository('acme', 'shop')
    const { page, close, consoleErrors } = await openPage(browser, platform.url, {
      person: owner,
      trustsAllHosts: true,
    })
    await connect(page, 'GitHub of Acme')
    expect(new URL(page.url()).search).toBe('')
    expect(consoleErrors).toEqual([])
    await close()
    const [connection] = await owner.client.listConnections({ params: { id: organizationId } })
    const id = connection?.id ?? 0
    expect(connection).toMatchObject({ status: 'active', account: 'acme' })
    const listed = await owner.client.listConnectionRepositories({ params: { id }, query: { search: 'shop' } })
    expect(listed).toMatchObject([{ full_name: 'acme/shop', private: true }])

    const files = filesOf('good', platform.lifeline.port)
    repository.origin.commit(files)
    const sha = repository.origin.commit({ ...files, 'NEWS.md': 'new' }, { branch: 'feature' })
    const [server] = await owner.client.listServers()
    const project = await owner.client.createProject({
      body: {
        name: 'books',
        connection_id: id,
        repository: 'acme/shop',
        domain: 'books.localhost',
        server_ids: [server?.id ?? 0],
        default_recipe: 'manual',
      },
    })
    expect(project).toMatchObject({ repo_url: `${github.base}/acme/shop.git`, repository_access: { status: 'ready' } })

    const app = github.records.apps.get(connection?.app?.id ?? 0)
    if (!app) throw new Error('GitHub does not know the App')
    const opened = pullRequestWas('opened', { number: 7, branch: 'feature', sha })
    const repo = { id: repository.id }
    const { head, base } = opened.pull_request
    const pull_request = { ...opened.pull_request, head: { ...head, repo }, base: { ...base, repo } }
    const answer = await github.deliver(app, 'pull_request', { ...opened, pull_request, repository: repo })
    expect([answer.status, await answer.json()]).toEqual([200, { verdict: 'accepted', reason: null }])
    const [environment] = await owner.client.listEnvironments({ params: { id: project.id } })
    const tasks = await owner.client.listTasks({ params: { id: environment?.id ?? 0 } })
    const task = await ended(owner.client, tasks[0]?.id ?? 0)
    expect(task).toMatchObject({ status: 'succeeded', commit: { sha } })
    const reported = () => github.records.written['check-runs'].find(({ conclusion }) => conclusion === 'success')
    expect(await until(async () => reported(), 'the check run at GitHub')).toMatchObject({
      head_sha: sha,
      repositoryId: repository.id,
    })
    expect(github.records.written.comments).toMatchObject([{ number: 7 }])

    // Sealed in the database, nowhere else on the disk.
    const [, keyLine = ''] = app.pem.split('\n')
    const secrets = [...github.records.tokens.keys(), keyLine, app.clientSecret, app.webhookSecret ?? '-']
    const data = join(platform.folder, 'data')
    const paths = readdirSync(data, { recursive: true, encoding: 'utf8' }).map((name) => join(data, name))
    const written = paths.filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile())
    expect(written.some((path) => path.includes('.git/'))).toBe(true)
    for (const path of written) {
      const content = readFileSync(path, 'latin1')
      expect(
        secrets.some((secret) => content.includes(secret)),
        path,
      ).toBe(false)
    }
  },
  TIMEOUT_MS,
)

test(
  'what GitHub sends back works once',
  async () => {
    const first = await openPage(browser, platform.url, { person: owner, trustsAllHosts: true })
    const sent: string[] = []
    first.page.on('request', (request) => {
      if (/github-app\?(code|installation_id)=/.test(request.url())) sent.push(request.url())
    })
    await connect(first.page, 'Second')
    expect(sent.length).toBe(2)
    for (const address of [...sent]) {
      await first.page.goto(address)
      await first.page.getByRole('alert').getByText('This step was used already').waitFor()
    }
    await first.close()
  },
  TIMEOUT_MS,
)
