// Runs an action in a real browser and downloads its artifact.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { TIMEOUT_MS } from './browser.ts'
import { BOOKSHOP, useTestDashboard } from './test-dashboard.ts'

let environmentId: number
const dashboard = useTestDashboard(async ({ project }) => {
  project.commit('main', 'good', 'Round prices after tax')
  environmentId = await project.environment('staging', 'main')
  await project.deploy(environmentId)
}, BOOKSHOP)

test(
  'a member runs an action, follows it, and downloads its artifact',
  async () => {
    const { page, consoleErrors, close } = await dashboard.open(`/environments/${environmentId}/actions`)
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
