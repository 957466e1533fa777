// An action in a real browser: run with a button, watched, and its file downloaded.
import { readFileSync } from 'node:fs'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowserApart, PATIENCE_MS, visit } from './browser.ts'
import { openStage, type Person, type Stage, stageOwner } from './stage.ts'

let stage: Stage
let browser: Browser
let maren: Person
let environmentId: number

beforeAll(async () => {
  stage = await openStage()
  browser = await openBrowserApart()
  const { owner, project } = await stageOwner(stage, { name: 'bookshop', domain: 'books.localhost' })
  maren = owner
  project.commit('main', 'good', 'Round prices after tax')
  environmentId = await project.environment('staging', 'main')
  await project.deploy(environmentId)
}, PATIENCE_MS)

afterAll(async () => {
  await browser?.close()
  await stage?.stop()
})

test(
  'a member runs an action, sees it through, and downloads what it left',
  async () => {
    const { page, complaints, close } = await visit(browser, stage.url, { person: maren })
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
    expect(complaints).toEqual([])
    await close()
  },
  PATIENCE_MS,
)
