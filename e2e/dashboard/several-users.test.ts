// Several users at once: live button states, protection, the limit, and escaping of hostile text.
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openHook, pushTo } from '../webhooks/deliveries.ts'
import { openIsolatedBrowser, openPage, TIMEOUT_MS } from './browser.ts'
import {
  createOwner,
  PASSWORD,
  type Person,
  signIn,
  startTestPlatform,
  type TestPlatform,
  type TestProject,
} from './test-platform.ts'

const HOSTILE_TITLE = '"><img src=x onerror=alert(1)>{{7*7}}'
/** Titles have no marks that turn the direction of text; commits of others may. */
const HOSTILE = `${HOSTILE_TITLE}\u202e`

let platform: TestPlatform
let browser: Browser
let owner: Person
let colleague: Person
let project: TestProject

beforeAll(async () => {
  platform = await startTestPlatform()
  browser = await openIsolatedBrowser()
  const staged = await createOwner(platform)
  owner = staged.owner
  project = staged.project
  const { client } = owner
  const organizationId = (await client.getMe()).organizations[0]?.id ?? 0
  const body = { email: 'jonas@tidewater.example', role: 'member' as const }
  const { url } = await client.createInvitation({ params: { id: organizationId }, body })
  const token = new URL(url ?? '').hash.slice('#token='.length)
  colleague = await signIn(platform.url, '/api/invitations/acceptance', { token, name: 'Jonas', password: PASSWORD })
}, TIMEOUT_MS)

afterAll(async () => {
  await browser.close()
  await platform.stop()
})

test(
  'a push by webhook disables the buttons of an open page until its deployment ends',
  async () => {
    project.commit('main', 'good', 'Begin')
    const id = await project.environment('main', 'main')
    const { page, close } = await openPage(browser, platform.url, { person: colleague })
    await page.goto(`/environments/${id}`)
    const deploy = page.getByRole('button', { name: /^Deploy/ }).first()
    await deploy.waitFor()
    expect(await deploy.getAttribute('aria-disabled')).toBeNull()
    const sha = project.commit('main', 'endless', 'Go on for a while')
    const hook = openHook(project.webhook.url, project.webhook.secret)
    await hook.send({ event: 'push', payload: pushTo('main', { after: sha }) })
    hook.close()
    await page.locator('button[aria-disabled=true]', { hasText: 'Deploy' }).first().waitFor()
    await page
      .getByText(/A deployment of this environment is queued or running/i)
      .first()
      .waitFor()
    const active = (await owner.client.getEnvironment({ params: { id } })).active_task
    await owner.client.cancelTask({ params: { id: active?.id ?? 0 } })
    await page
      .locator('button:not([aria-disabled])', { hasText: /^Deploy$/ })
      .first()
      .waitFor()
    await close()
  },
  TIMEOUT_MS,
)

test(
  'only the owner can deploy a protected environment, and others read why',
  async () => {
    const id = await project.environment('demo', 'main', { protected: true })
    const mine = await openPage(browser, platform.url, { person: owner })
    const theirs = await openPage(browser, platform.url, { person: colleague })
    await mine.page.goto(`/environments/${id}`)
    await theirs.page.goto(`/environments/${id}`)
    const deploy = { name: /^Deploy/ }
    await mine.page.getByRole('button', deploy).first().waitFor()
    await theirs.page.getByRole('button', deploy).first().waitFor()
    expect(await mine.page.getByRole('button', deploy).first().getAttribute('aria-disabled')).toBeNull()
    expect(await theirs.page.getByRole('button', deploy).first().getAttribute('aria-disabled')).toBe('true')
    await theirs.page
      .getByText('Only Maren Okafor can deploy, change or delete it')
      .first()
      .waitFor({ state: 'attached' })
    await mine.close()
    await theirs.close()
  },
  TIMEOUT_MS,
)

test(
  'at the limit no environment can be created, and the page says why',
  async () => {
    const used = (await owner.client.getProject({ params: { id: project.id } })).environment_count
    await owner.client.updateProject({ params: { id: project.id }, body: { environment_limit: used } })
    const { page, close } = await openPage(browser, platform.url, { person: colleague })
    await page.goto(`/projects/${project.id}`)
    await page.locator('button[aria-disabled=true]', { hasText: 'New environment' }).first().waitFor()
    await page
      .getByText(`The project has reached its limit of ${used} environments`)
      .first()
      .waitFor({ state: 'attached' })
    await owner.client.updateProject({ params: { id: project.id }, body: { environment_limit: 20 } })
    await page.locator('button:not([aria-disabled])', { hasText: 'New environment' }).waitFor()
    await close()
  },
  TIMEOUT_MS,
)

test(
  'hostile names and output are shown as text',
  async () => {
    const id = await project.environment('hostile', 'main', { title: HOSTILE_TITLE })
    project.commit('main', 'hostile', HOSTILE)
    const taskId = await project.deploy(id)
    const { page, consoleErrors, close } = await openPage(browser, platform.url, { person: colleague })
    page.on('dialog', () => consoleErrors.push('a script ran'))
    for (const path of [`/projects/${project.id}`, `/environments/${id}`, `/environments/${id}/tasks/${taskId}`]) {
      await page.goto(path)
      await page.getByText('onerror=alert(1)').first().waitFor()
      expect(await page.locator('img[src=x], script:not([src])').count()).toBe(0)
    }
    await page
      .getByRole('button', { name: /^Release/ })
      .first()
      .click()
    await page.getByText('<script>alert("printed")</script>').first().waitFor()
    expect(consoleErrors).toEqual([])
    await close()
  },
  TIMEOUT_MS,
)
