// A new user in a real Chromium: from the setup link to a failed deployment and its fix.
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type OpenPage, openIsolatedBrowser, openPage, TIMEOUT_MS } from './browser.ts'
import { filesOf, type Outcome } from './repository.ts'
import { PASSWORD, startTestPlatform, type TestPlatform } from './test-platform.ts'

let platform: TestPlatform
let browser: Browser
let visitor: OpenPage
let page: Page
let repository: string

beforeAll(async () => {
  platform = await startTestPlatform()
  browser = await openIsolatedBrowser()
  visitor = await openPage(browser, platform.url)
  page = visitor.page
  repository = join(platform.gitHost.folder, 'shop')
  mkdirSync(repository)
  execFileSync('git', ['-C', repository, 'init', '--quiet', '--initial-branch=main'])
  commit('bad', 'Read the secret of Stripe at start')
}, TIMEOUT_MS)

afterAll(async () => {
  await browser.close()
  await platform.stop()
})

function commit(outcome: Outcome, message: string): void {
  for (const [path, text] of Object.entries(filesOf(outcome, platform.lifeline.port)))
    writeFileSync(join(repository, path), text)
  const git = (...words: string[]) => execFileSync('git', ['-C', repository, ...words])
  git('add', '--all')
  git('-c', 'user.name=Priya', '-c', 'user.email=priya@example.com', 'commit', '--quiet', `--message=${message}`)
}

const seen = (text: string | RegExp) => page.getByText(text).first().waitFor()

test(
  'the setup link creates the first user and organization',
  async () => {
    await page.goto(`/setup#token=${platform.setUpToken}`)
    await page.getByLabel('Your name').fill('Maren Okafor')
    await page.getByLabel('E-mail').fill('maren@tidewater.example')
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByLabel('Organization').fill('Tidewater Books')
    await page.getByRole('button', { name: 'Set up' }).click()
    await page.getByRole('heading', { name: /^Projects/ }).waitFor()
    expect(page.url()).not.toContain('token')
    await seen('No projects yet')
  },
  TIMEOUT_MS,
)

test(
  'a server is added',
  async () => {
    await page.getByRole('link', { name: 'Servers' }).click()
    await page.getByRole('button', { name: 'Add server' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name', { exact: true }).fill('quay-1')
    await dialog.getByLabel('Connection').selectOption('local')
    await dialog.getByLabel('Hostname').fill('localhost')
    await dialog.getByRole('button', { name: 'Add server' }).click()
    await dialog.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('heading', { name: 'quay-1', exact: true }).waitFor()
  },
  TIMEOUT_MS,
)

test(
  'a project is created, and the checklist shows its key and webhook',
  async () => {
    await page.getByRole('link', { name: 'Projects' }).first().click()
    await page.getByRole('link', { name: 'New project' }).first().click()
    await page.getByLabel('Repository', { exact: true }).fill(platform.gitHost.address(`${repository}/.git`))
    await page.getByLabel('Name', { exact: true }).fill('shop')
    await page.getByLabel('Domain', { exact: true }).fill('shop.localhost')
    await page.getByLabel('Recipe').selectOption('manual')
    await page.getByRole('button', { name: 'Create and connect' }).click()
    await seen('Waiting for the first delivery')
    await seen(/Cannot read the repository/)
    const key = await page.getByRole('region', { name: 'the repository key' }).innerText()
    platform.gitHost.authorize(key.trim())
    const repositoryStep = page.getByRole('region', { name: 'Repository key' })
    await repositoryStep.getByRole('button', { name: 'Try again' }).click()
    await seen(/1 branch, newest commit/)
  },
  TIMEOUT_MS,
)

test(
  'an environment is created and deployed; it fails, and the page says why',
  async () => {
    await page.getByRole('button', { name: 'New environment' }).first().click()
    await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('staging')
    await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click()
    await page.getByRole('heading', { name: 'staging', exact: true }).waitFor()
    await page
      .getByRole('link', { name: /^(#1|Read the secret of Stripe)/ })
      .first()
      .click()
    await seen(/Release failed in Start/)
    await seen('ConfigError: STRIPE_WEBHOOK_SECRET is not set')
  },
  TIMEOUT_MS,
)

test(
  'after a fix it is deployed with the button, and its page follows to the end',
  async () => {
    commit('good', 'Do without the secret')
    await page.getByRole('button', { name: 'Deploy', exact: true }).first().click()
    await page.getByRole('heading', { name: 'Deployment #2' }).waitFor()
    await page.getByText('Succeeded').first().waitFor()
    const release = page.getByRole('button', { name: /^Release/ }).first()
    // Where it is the last step that the page saw running, it is unfolded already.
    if ((await release.getAttribute('aria-expanded')) === 'false') await release.click()
    await seen('Release is in place')
  },
  TIMEOUT_MS,
)

test('the console has no errors', () => {
  expect(visitor.consoleErrors.filter((text) => !/status of 4\d\d/.test(text))).toEqual([])
})
