// Runs an action in a real browser and downloads its artifact.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { TIMEOUT_MS } from './browser.ts'
import { BOOKSHOP, useTestDashboard } from './test-dashboard.ts'

let environmentId: number
let scheduledId: number
const dashboard = useTestDashboard(async ({ project }) => {
  project.commit('main', 'good', 'Round prices after tax')
  environmentId = await project.environment('staging', 'main')
  await project.deploy(environmentId)
  project.commit('main', 'scheduled', 'Clean up every year')
  scheduledId = await project.environment('nightly', 'main')
  await project.deploy(scheduledId)
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

test(
  'schedules show the next and the last run, and where they are off',
  async () => {
    const { page, consoleErrors, close } = await dashboard.open(`/environments/${scheduledId}/actions`)
    const schedule = page.getByText('30 3 1 1 * Europe/Berlin · next run')
    await schedule.waitFor()
    const next = new Date((await schedule.getByRole('time').getAttribute('datetime')) ?? '')
    // Half past three in Berlin, in winter.
    expect(next.toISOString()).toMatch(/^\d{4}-01-01T02:30:00\.000Z$/)
    expect(next.getTime()).toBeGreaterThan(Date.now())
    await page.getByText('0 6 * * mon UTC · off in this environment').waitFor()
    expect(await page.getByRole('link', { name: 'Last run' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Run cleanup' }).click()
    await page.waitForURL(/\/tasks\/\d+$/)
    const run = new URL(page.url()).pathname
    await page.goto(`/environments/${scheduledId}/actions`)
    await page.getByText(/^Last run succeeded, /).waitFor()
    await page.getByRole('link', { name: 'Last run' }).click()
    // The output of a step that succeeded is folded.
    await page.waitForURL(({ pathname }) => pathname === run)
    expect(consoleErrors).toEqual([])
    await close()
  },
  TIMEOUT_MS,
)
