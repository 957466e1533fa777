// Runs an action in a real browser and downloads its artifact.
import { readFileSync } from 'node:fs'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openIsolatedBrowser, openPage, TIMEOUT_MS } from './browser.ts'
import { createOwner, type Person, startTestPlatform, type TestPlatform } from './test-platform.ts'

let platform: TestPlatform
let browser: Browser
let maren: Person
let environmentId: number

beforeAll(async () => {
  platform = await startTestPlatform()
  browser = await openIsolatedBrowser()
  const { owner, project } = await createOwner(platform, { name: 'bookshop', domain: 'books.localhost' })
  maren = owner
  project.commit('main', 'good', 'Round prices after tax')
  environmentId = await project.environment('staging', 'main')
  await project.deploy(environmentId)
}, TIMEOUT_MS)

afterAll(async () => {
  await browser?.close()
  await platform?.stop()
})

test(
  'a member runs an action, follows it, and downloads its artifact',
  async () => {
    const { page, consoleErrors, close } = await openPage(browser, platform.url, { person: maren })
    await page.goto(`/environments/${environmentId}/actions`)
    await page.getByText('result: file is no longer supported').waitFor()
    expect(await page.getByRole('button', { name: 'Run orders-report' }).getAttribute('aria-disabled')).toBe('true')
    await page.getByRole('button', { name: 'Run dump' }).click()
    await page.getByRole('heading', { name: 'Artifacts' }).waitFor()
    const link = page.getByRole('link', { name: 'out/bookshop.sql' })
    const [download] = await Promise.all([page.waitForEvent('download'), link.click()])
    expect(download.suggestedFilename()).toBe('bookshop.sql')
    expect(readFileSync(await download.path(), 'utf8').split('\n')).toHaveLength(20_001)
    await page.goto(`/environments/${environmentId}/actions`)
    await page.getByRole('heading', { name: 'Latest runs' }).waitFor()
    await page.getByRole('link', { name: 'out/bookshop.sql' }).waitFor()
    expect(consoleErrors).toEqual([])
    await close()
  },
  TIMEOUT_MS,
)
