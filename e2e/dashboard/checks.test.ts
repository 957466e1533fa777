// Waiting for checks in the dashboard: it is turned on in the settings, and the environment of a pull request says what it waits for.
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openIsolatedBrowser, openPage, TIMEOUT_MS } from './browser.ts'
import { createOwner, type Person, startTestPlatform, type TestPlatform, type TestProject } from './test-platform.ts'

let platform: TestPlatform
let browser: Browser
let owner: Person
let project: TestProject

beforeAll(async () => {
  platform = await startTestPlatform()
  browser = await openIsolatedBrowser()
  ;({ owner, project } = await createOwner(platform))
}, TIMEOUT_MS)

afterAll(async () => {
  await browser?.close()
  await platform?.stop()
})

test(
  'a pull request waits for the checks of the settings, and Deploy does not wait',
  async () => {
    const { page, close, consoleErrors } = await openPage(browser, platform.url, { person: owner })
    await page.goto(`/projects/${project.id}/settings`)
    const section = page.getByRole('region', { name: 'Wait for checks' })
    await section.getByLabel('Deploy after checks').check()
    await section.getByLabel('Checks', { exact: true }).fill('build, lint')
    await section.getByRole('button', { name: 'Save' }).click()
    await section.getByText('the platform needs access to the git host').waitFor()
    await owner.client.updateProject({ params: { id: project.id }, body: { host_token: 'a-token' } })
    await section.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved', { exact: true }).waitFor()
    await section.getByLabel('Wait at most').fill('soon')
    await section.getByRole('button', { name: 'Save' }).click()
    await section.locator('[aria-invalid=true]').waitFor()

    const sha = project.commit('feature', 'good', 'Add a feature')
    await project.openPullRequest({ number: 7, branch: 'feature', sha, title: 'Add a feature' })
    const [environment] = await owner.client.listEnvironments({ params: { id: project.id }, query: {} })
    await page.goto(`/projects/${project.id}`)
    await page.getByText(`${sha.slice(0, 7)} waits for checks: build, lint`).waitFor()
    await page.goto(`/environments/${environment?.id}`)
    const notice = page.getByText(`${sha.slice(0, 7)} waits for checks: build, lint.`)
    await notice.waitFor()
    await owner.client.startDeployment({ params: { id: environment?.id ?? 0 } })
    await notice.waitFor({ state: 'detached' })
    expect(consoleErrors.filter((text) => !text.includes('422'))).toEqual([])
    await close()
  },
  TIMEOUT_MS,
)
