// The whole way to a GitHub App in a browser, then a project from it: fetched over https, deployed by the App's webhook, and reported.
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '../../packages/server/src/store/database.ts'
import { json } from '../../packages/server/test/github/answer.ts'
import { type GitHub, startGitHub } from '../../packages/server/test/github/github.ts'
import type { GitHubApp } from '../../packages/server/test/github/records.ts'
import { OURS } from '../../tools/platform.ts'
import { type Seen, watchMachine } from '../canary/watch.ts'
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
  platform = await startTestPlatform({ SHIPWAY_GIT_CA_FILE: github.authority, SHIPWAY_LOG_LEVEL: 'debug' })
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
  await beginApp(page, name)
  await page.getByRole('button', { name: 'Install', exact: true }).click()
  await page.getByText('The App is installed for acme').waitFor()
}

async function beginApp(page: Page, name: string): Promise<void> {
  await reachManifest(page, name)
  await page.getByRole('button', { name: 'Create GitHub App for acme' }).click()
}

/** Up to GitHub's form for a new App. */
async function reachManifest(page: Page, name: string): Promise<void> {
  await page.goto(`/organizations/${organizationId}/connections`)
  await page.getByRole('button', { name: 'Add connection' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(/^Address/).fill(github.base)
  await dialog.getByLabel('Name').fill(name)
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await continueToGitHub(page)
}

async function continueToGitHub(page: Page): Promise<void> {
  await page.getByLabel(/^Organization at GitHub/).fill('acme')
  await page.getByRole('button', { name: 'Continue to GitHub' }).click()
  await page.getByRole('heading', { name: 'Create GitHub App for acme' }).waitFor()
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
    const deploy = async (): Promise<void> => {
      // The owner of the App revokes its tokens in the middle of the first fetch.
      let isRevoked = false
      github.before = ({ path }) => {
        if (path.endsWith('/git-upload-pack') && !isRevoked) github.revokeTokens()
        isRevoked ||= path.endsWith('/git-upload-pack')
        return undefined
      }
      const answer = await github.deliver(app, 'pull_request', inRepository(opened, repository.id))
      // On a busy machine the second fetch can outlast the answer: then it is stored first.
      expect(['accepted', 'stored']).toContain((await answer.json()).verdict)
      const started = async () => {
        const [environment] = await owner.client.listEnvironments({ params: { id: project.id } })
        return environment && (await owner.client.listTasks({ params: { id: environment.id } }))[0]
      }
      const { id } = await until(started, 'the deployment of the pull request')
      expect(await ended(owner.client, id)).toMatchObject({ status: 'succeeded', commit: { sha } })
      expect(isRevoked).toBe(true)
      github.before = undefined
    }
    // Far shorter than a fetch takes.
    const seen = await watchMachine(join(platform.folder, 'none'), deploy(), 30)
    const reported = () => github.records.written['check-runs'].find(({ conclusion }) => conclusion === 'success')
    expect(await until(async () => reported(), 'the check run at GitHub')).toMatchObject({
      head_sha: sha,
      repositoryId: repository.id,
    })
    await expect.poll(() => github.records.written.comments).toMatchObject([{ number: 7 }])

    await searchForSecrets(app, seen)

    // A wait for checks outlives the platform.
    const wait = { deploy_after: 'checks' as const, deploy_after_checks: ['build'] }
    await owner.client.updateProject({ params: { id: project.id }, body: wait })
    const next = repository.origin.commit({ ...files, 'NEWS.md': 'newer' }, { branch: 'later' })
    const later = pullRequestWas('opened', { number: 8, branch: 'later', sha: next })
    // Both are open: a restarted platform asks.
    const open = [opened, later].map((event) => inRepository(event, repository.id).pull_request)
    github.records.pulls.set(repository.id, open)
    expect((await github.deliver(app, 'pull_request', inRepository(later, repository.id))).ok).toBe(true)
    const waiting = await until(
      async () =>
        (await owner.client.listEnvironments({ params: { id: project.id } })).find(({ name }) => name === 'pr-8'),
      'the environment of the pull request',
    )
    expect(waiting.waiting_for_checks).toMatchObject({ state: 'waiting' })
    await until(() => areRead(waiting.id), 'the checks are read')
    await platform.kill()
    await platform.restart()
    const environmentId = waiting.id
    expect((await owner.client.getEnvironment({ params: { id: environmentId } })).waiting_for_checks).toMatchObject({
      state: 'waiting',
    })
    const build = { name: 'build', head_sha: next, status: 'completed', conclusion: 'success' }
    github.records.written['check-runs'].push({ ...build, id: github.records.nextId(), repositoryId: repository.id })
    // The event saves two minutes of polling; that polling goes on after a kill is shown where clocks can be moved.
    const payload = { action: 'completed', check_run: build, repository: { id: repository.id } }
    expect((await github.deliver(app, 'check_run', payload)).ok).toBe(true)
    const started = async () => (await owner.client.listTasks({ params: { id: environmentId } }))[0]
    const task = await until(started, 'the deployment after the checks')
    expect(await ended(owner.client, task.id)).toMatchObject({ status: 'succeeded', commit: { sha: next } })
  },
  TIMEOUT_MS,
)

/**
 * Whether the checks that an environment waits for were read once, and no process is at it. What a killed process was at goes on two minutes
 * later, which `wait-for-checks.test.ts` shows without the wait.
 */
async function areRead(environmentId: number): Promise<true | undefined> {
  const { db, close } = await openDatabase({ dataFolder: join(platform.folder, 'data') })
  const read = db
    .selectFrom('check_waits')
    .where('environment_id', '=', environmentId)
    .where('held_until', '=', 0)
    .where('next_at', '>', 0)
  const row = await read.select('id').executeTakeFirst()
  await close()
  return row && true
}

/** As GitHub says it of a repository of its own. */
function inRepository(event: ReturnType<typeof pullRequestWas>, id: number) {
  const { head, base } = event.pull_request
  const pull_request = { ...event.pull_request, head: { ...head, repo: { id } }, base: { ...base, repo: { id } } }
  return { ...event, pull_request, repository: { id } }
}

/** Sealed in the database, and nowhere else: not on the disk, in a backup, in the log or in a process list. */
async function searchForSecrets(app: GitHubApp, seen: Seen): Promise<void> {
  const [, keyLine = ''] = app.pem.split('\n')
  const { bearers, states, records } = github
  // Codes and states of used steps are searched for as well: nothing should have kept them.
  const kinds = [[...records.tokens.keys()], [...bearers], [...states], [...records.codes.keys()]]
  for (const known of kinds) expect(known.length).toBeGreaterThan(0)
  expect([...bearers].some((bearer) => bearer.startsWith('eyJ'))).toBe(true)
  const secrets = [keyLine, app.clientSecret, app.webhookSecret ?? '-', ...kinds.flat()]
  const shows = (content: string): boolean => secrets.some((secret) => content.includes(secret))
  const data = join(platform.folder, 'data')
  const backup = join(platform.folder, 'all.backup')
  execFileSync(process.execPath, [OURS, 'backup', backup], { env: { ...process.env, SHIPWAY_DATA: data } })
  const kept = gunzipSync(readFileSync(backup)).toString('latin1')
  expect([kept.includes('acme/shop'), shows(kept)]).toEqual([true, false])
  // The platform runs, so files may go at any time: what the search cannot open has gone, as the names from before and after it tell.
  const listFiles = (): readonly string[] =>
    readdirSync(data, { recursive: true, encoding: 'utf8' })
      .map((name) => join(data, name))
      .filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile())
  const written = listFiles()
  expect(written.some((path) => path.includes('.git/'))).toBe(true)
  const unread = written.filter((path) => {
    const content = readIfThere(path)
    expect([path, content !== undefined && shows(content)]).toEqual([path, false])
    return content === undefined
  })
  const still = new Set(listFiles())
  expect(unread.filter((path) => still.has(path))).toEqual([])
  expect(seen.visits).toBeGreaterThan(10)
  expect([...seen.processes].some((words) => words.includes('fetch') && words.includes('acme/shop.git'))).toBe(true)
  expect([...seen.processes].filter(shows)).toEqual([])
  expect(platform.printed.length).toBeGreaterThan(0)
  expect(platform.printed.filter(shows)).toEqual([])
}

test(
  'a platform that is killed while GitHub hands out the App says how to go on',
  async () => {
    const { page, close } = await openPage(browser, platform.url, { person: owner, trustsAllHosts: true })
    const before = await owner.client.listConnections({ params: { id: organizationId } })
    // GitHub has given the App away by then, and no process knows it.
    const killed = new Promise<void>((resolve, reject) => {
      github.before = ({ path }) => {
        if (!path.includes('/conversions')) return undefined
        github.before = undefined
        platform.kill().then(resolve, reject)
        return undefined
      }
    })
    const sent = page.waitForRequest((request) => /github-app\?code=/.test(request.url()))
    await beginApp(page, 'Third')
    const address = (await sent).url()
    await killed
    await platform.restart()
    await page.goto(address)
    await page.getByRole('alert').getByText('Start again from the connection').waitFor()
    await page.getByRole('alert').getByText('delete it there first').waitFor()
    const [connection] = (await owner.client.listConnections({ params: { id: organizationId } })).filter(
      ({ id }) => !before.some((known) => known.id === id),
    )
    expect(connection).toMatchObject({ name: 'Third', status: 'pending', app: null })
    await page.goto(`/connections/${connection?.id}/github-app`)
    await continueToGitHub(page)
    await page.getByRole('button', { name: 'Create GitHub App for acme' }).click()
    await page.getByRole('button', { name: 'Install', exact: true }).click()
    await page.getByText('The App is installed for acme').waitFor()
    expect(await owner.client.getConnection({ params: { id: connection?.id ?? 0 } })).toMatchObject({
      status: 'active',
    })
    await close()
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

/** At GitHub's form: what GitHub would send back, before the browser has it. */
async function registerByHand(page: Page, name: string) {
  await reachManifest(page, name)
  const hiddenField = (field: string) => page.locator(`input[name=${field}]`).first().inputValue()
  const manifest = JSON.parse(await hiddenField('manifest'))
  const code = github.addCode(github.addApp({ manifest, owner: 'acme', name }))
  return { redirect: String(manifest.redirect_url), state: await hiddenField('state'), code }
}

test(
  'swapped states, a used code and an installation of another account are refused, and what is right works after them',
  async () => {
    const { page, close } = await openPage(browser, platform.url, { person: owner, trustsAllHosts: true })
    const refused = (sentence: string) => page.getByRole('alert').getByText(sentence).waitFor()
    const first = await registerByHand(page, 'Fourth')
    const other = await registerByHand(page, 'Fifth')
    await page.goto(`${first.redirect}?code=${first.code}&state=${other.state}`)
    await refused('This step was used already, has expired, or was begun by another session')
    await page.goto(`${first.redirect}?code=${first.code}&state=${first.state}`)
    await page.getByRole('button', { name: 'Install', exact: true }).waitFor()
    const state = new URL(page.url()).searchParams.get('state')
    await page.goto(`${other.redirect}?code=${first.code}&state=${other.state}`)
    await refused('It works once and within an hour: create the App again')

    const stranger = github.addApp({ manifest: { url: 'https://else.example.com' }, owner: 'else' })
    const { id } = github.addInstallation(stranger)
    await page.goto(`${first.redirect}?installation_id=${id}&setup_action=install&state=${state}`)
    await refused('GitHub knows no such installation of this App')
    await page.getByRole('button', { name: 'Install at GitHub' }).click()
    await page.getByRole('button', { name: 'Install', exact: true }).click()
    await page.getByText('The App is installed for acme').waitFor()
    await close()
  },
  TIMEOUT_MS,
)

test(
  'a suspended App, another key, a rate limit and 300 repositories are shown with what to do',
  async () => {
    const { page, close } = await openPage(browser, platform.url, { person: owner, trustsAllHosts: true })
    await connect(page, 'Sixth')
    const connections = await owner.client.listConnections({ params: { id: organizationId } })
    const appId = connections.find(({ name }) => name === 'Sixth')?.app?.id ?? 0
    const app = github.records.apps.get(appId)
    const installation = [...github.records.installations.values()].find((each) => each.appId === appId)
    if (!app || !installation) throw new Error('GitHub does not know the App')

    await page.goto(`/organizations/${organizationId}/connections`)
    await page.getByRole('button', { name: 'Open the connection Sixth' }).click()
    const dialog = page.getByRole('dialog')
    const check = () => dialog.getByRole('button', { name: 'Check' }).click()
    installation.isSuspended = true
    await check()
    await dialog.getByText("Unsuspend it in GitHub's settings of installed Apps").waitFor()
    installation.isSuspended = false
    await check()
    await page.getByText('The connection works').waitFor()
    const renewed = github.rotateKey(app)
    await check()
    await dialog.getByText("Generate a private key in the App's settings at GitHub").waitFor()
    await dialog.getByLabel('Private key of the App').fill(renewed)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved', { exact: true }).waitFor()

    for (let index = 0; index < 300; index++) github.addRepository('acme', `service-${index}`, { hasContent: false })
    await page.goto(`/organizations/${organizationId}/projects/new`)
    await page.getByRole('radio', { name: 'Sixth' }).check()
    await page.getByText('12 of 200 or more. Type to find others.').waitFor()
    await page.getByLabel('Find a repository').fill('SERVICE-299')
    await page.getByRole('button', { name: /^acme\/service-299/ }).waitFor()
    await expect.poll(() => page.getByRole('button', { name: /^acme\// }).count()).toBe(1)

    github.before = () => json(429, { message: 'You have exceeded a secondary rate limit' }, { 'retry-after': '2' })
    await page.getByRole('button', { name: /^acme\/service-299/ }).click()
    await page.getByText('is asked too often. It can be asked again in 2 seconds').waitFor()
    github.before = undefined
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('asked too often').waitFor({ state: 'detached' })
    await close()
  },
  TIMEOUT_MS,
)

test(
  'a connection whose App GitHub treats as a key that it does not know gets a new one',
  async () => {
    const { page, close } = await openPage(browser, platform.url, { person: owner, trustsAllHosts: true })
    await connect(page, 'Eighth')
    const connections = await owner.client.listConnections({ params: { id: organizationId } })
    const before = connections.find(({ name }) => name === 'Eighth')
    const app = github.records.apps.get(before?.app?.id ?? 0)
    if (!before || !app) throw new Error('GitHub does not know the App')
    github.rotateKey(app)
    await page.goto(`/organizations/${organizationId}/connections`)
    await page.getByRole('button', { name: 'Open the connection Eighth' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Check' }).click()
    await dialog.getByText('If the App was deleted there, create a new one').waitFor()
    await dialog.getByRole('link', { name: 'Create a new App at GitHub' }).click()
    await page.getByText('The App before was of acme').waitFor()
    await continueToGitHub(page)
    await page.getByRole('button', { name: 'Create GitHub App for acme' }).click()
    await page.getByRole('button', { name: 'Install', exact: true }).click()
    await page.getByText('The App is installed for acme, confirmed').waitFor()
    const after = await owner.client.getConnection({ params: { id: before.id } })
    expect([after.status, after.app?.id === app.id]).toEqual(['active', false])
    await close()
  },
  TIMEOUT_MS,
)

test(
  'after its App was deleted at GitHub, a connection gets a new one and keeps its projects',
  async () => {
    const { page, close } = await openPage(browser, platform.url, { person: owner, trustsAllHosts: true })
    await connect(page, 'Seventh')
    const find = async () => {
      const connections = await owner.client.listConnections({ params: { id: organizationId } })
      return connections.find(({ name }) => name === 'Seventh')
    }
    const before = await find()
    github.records.apps.delete(before?.app?.id ?? 0)
    await page.goto(`/organizations/${organizationId}/connections`)
    await page.getByRole('button', { name: 'Open the connection Seventh' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Check' }).click()
    await dialog.getByText('The App was deleted at GitHub').waitFor()
    await dialog.getByRole('link', { name: 'Install the App at GitHub' }).click()
    await page.getByRole('button', { name: 'Install at GitHub' }).click()
    await page
      .getByRole('alert')
      .getByText('The App was deleted at GitHub. Create a new one from the connection')
      .waitFor()
    await continueToGitHub(page)
    await page.getByRole('button', { name: 'Create GitHub App for acme' }).click()
    await page.getByRole('button', { name: 'Install', exact: true }).click()
    await page.getByText('The App is installed for acme').waitFor()
    const after = await find()
    expect([after?.id, after?.status, after?.app?.id === before?.app?.id]).toEqual([before?.id, 'active', false])
    await close()
  },
  TIMEOUT_MS,
)

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'latin1')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
