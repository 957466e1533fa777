// The API reference in a real browser: nothing scrolls sideways, and axe has no serious finding, in both themes and sizes.
import { openApiOf } from '@shipway/api/openapi'
import { referencePage } from '@shipway/api/reference'
import { routes } from '@shipway/api/routes'
import axe, { type AxeResults } from 'axe-core'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser, TIMEOUT_MS } from './browser.ts'

const platform = { baseUrl: 'https://ship.example.com', version: 'v1.15.0' }
const whole = referencePage(openApiOf(routes, platform), routes)
// The markup is the same for every endpoint, and axe takes most of a minute for the whole page.
const { createHook, startDeployment, readRemovedLogs } = routes
const some = { createHook, startDeployment, readRemovedLogs }
const part = referencePage(openApiOf(some, platform), some)

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser.close())

test.each([
  ['a desk', 'light', 1400],
  ['a phone', 'dark', 390],
] as const)('the API reference can be read on %s', { timeout: TIMEOUT_MS }, async (_what, colorScheme, width) => {
  const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme })
  const page = await context.newPage()
  await page.setContent(whole)
  expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(width)
  await page.setContent(part)
  await page.evaluate(axe.source)
  const { violations } = await page.evaluate<AxeResults>('axe.run(document, { resultTypes: ["violations"] })')
  expect(violations.filter(({ impact }) => impact === 'serious' || impact === 'critical').map(({ id }) => id)).toEqual(
    [],
  )
  await context.close()
})
