// Every screen in both themes and sizes: no serious finding of axe, nothing on the console, no sideways scrolling, one heading. And every
// screen on a slow connection: what it says before an answer has arrived is still true afterwards, with one order of answers for every
// second screen. Each screen with both: ORDERS=all npx vitest run e2e/dashboard/screens.test.ts
import axe, { type AxeResults } from 'axe-core'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openIsolatedBrowser, openPage, TIMEOUT_MS, waitUntilLoaded } from './browser.ts'
import { holdRequests, loadSlowly } from './load-slowly.ts'
import { createSampleData, type SampleData } from './sample-data.ts'
import { screensOf } from './screens.ts'

const isEachOrder = process.env.ORDERS === 'all'

let sample: SampleData
let browser: Browser

beforeAll(async () => {
  sample = await createSampleData()
  browser = await openIsolatedBrowser()
}, TIMEOUT_MS)

afterAll(async () => {
  await browser?.close()
  await sample?.platform.stop()
})

describe.each([
  { theme: 'light', size: 'desk' },
  { theme: 'dark', size: 'phone' },
] as const)('in $theme on a $size', (look) => {
  test('every screen passes', async () => {
    const faults: string[] = []
    const member = await openPage(browser, sample.platform.url, { ...look, person: sample.maren })
    const stranger = await openPage(browser, sample.platform.url, look)
    for (const { name, path, isOpenToAll, act } of screensOf(sample)) {
      const { page, consoleErrors } = isOpenToAll ? stranger : member
      await go(page, path)
      await act?.(page)
      await waitUntilLoaded(page)
      faults.push(
        ...(await findSerious(page)).map((fault) => `${name}: ${fault}`),
        ...consoleErrors.splice(0).map((consoleError) => `${name}: ${consoleError}`),
        ...((await isTooWide(page)) ? [`${name}: scrolls sideways`] : []),
        ...((await page.locator('h1').count()) === 1 ? [] : [`${name}: has not one heading`]),
      )
    }
    await member.close()
    await stranger.close()
    expect(faults).toEqual([])
    // About thirty screens, which take minutes on a busy machine.
  }, 900_000)
})

test.each(['first', 'last'] as const)(
  'no screen takes back what it said, the %s request answered first',
  async (next) => {
    const takenBack: string[] = []
    const { page, close } = await openPage(browser, sample.platform.url, { person: sample.maren })
    const held = await holdRequests(page)
    const screens = screensOf(sample).filter(({ isOpenToAll }) => !isOpenToAll)
    const inTurn = next === 'first' ? 0 : 1
    for (const { name, path } of screens.filter((_, place) => isEachOrder || place % 2 === inTurn)) {
      for (const text of await loadSlowly(page, path, held, next)) takenBack.push(`${name}: ${text}`)
    }
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await close()
    expect(takenBack).toEqual([])
  },
  900_000,
)

/**
 * Loads the first screen and navigates to the others within the page, because loading the page and axe each time takes longer than the
 * checks. An unknown address in between removes everything of the screen before. pages.test.ts loads every address.
 */
async function go(page: Page, path: string): Promise<void> {
  if (page.url() === 'about:blank') {
    await page.goto(path)
    await page.evaluate(axe.source)
  } else {
    await page.evaluate(() => history.pushState(null, '', '/nowhere'))
    await page.getByRole('heading', { level: 1, name: NOT_FOUND }).waitFor()
    await page.evaluate((address) => history.pushState(null, '', address), path)
    await page.locator('h1', { hasNotText: NOT_FOUND }).waitFor()
  }
  await waitUntilLoaded(page)
}

const NOT_FOUND = 'Not found'

/** Runs axe in the page itself; there are no frames. */
async function findSerious(page: Page): Promise<string[]> {
  const { violations } = await page.evaluate<AxeResults>('axe.run(document, { resultTypes: ["violations"] })')
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id} at ${nodes.map(({ target }) => target.join(' ')).join(', ')}`)
}

/** The page, or the menu at its side. */
const isTooWide = (page: Page): Promise<boolean> =>
  page.evaluate(() =>
    [document.documentElement, ...document.querySelectorAll('nav[aria-label=Main]')].some(
      ({ scrollWidth, clientWidth }) => scrollWidth > clientWidth,
    ),
  )
