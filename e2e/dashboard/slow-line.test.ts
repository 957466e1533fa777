// A slow connection: what a page says before an answer has arrived is still true afterwards. Each screen is loaded with all requests held,
// which are then let through one by one, in both orders.
import type { Browser, Page, Route } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openIsolatedBrowser, openPage, TIMEOUT_MS, waitUntilLoaded } from './browser.ts'
import { createSampleData, type SampleData } from './sample-data.ts'
import { screensOf } from './screens.ts'

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

/** Texts that may change: connection, times, counts of something that runs, and reasons that name the loading. */
const MAY_CHANGE =
  /^(Connecting|Loading|Checking|Waiting|just now|in a moment)|\d+ (s|seconds?|minutes?|hours?)\b|^[\d:.,]+( s)?$|^[1-9][\d,.]* (lines?|bytes|KB|MB)$| …$/

test.each(['first', 'last'] as const)(
  'no screen takes back what it said, the %s request answered first',
  async (next) => {
    const takenBack: string[] = []
    const { page, close } = await openPage(browser, sample.platform.url, { person: sample.maren })
    const held: Route[] = []
    // The account decides which page is shown at all.
    await page.route(/\/api\/(?!me$)/, (route) => void held.push(route))
    for (const { name, path, isOpenToAll } of screensOf(sample)) {
      if (isOpenToAll) continue
      held.length = 0
      await page.goto(path)
      await page.locator('main, h1').first().waitFor()
      const said = new Map<string, string>()
      for (let quiet = 0; quiet < 3; ) {
        for (const text of await visibleTexts(page)) said.set(text, held[0]?.request().url() ?? '')
        const route = next === 'first' ? held.shift() : held.pop()
        quiet = route === undefined ? quiet + 1 : 0
        await route?.continue()
        if (route) await route.request().response()
        await settle(page)
      }
      await waitUntilLoaded(page)
      const final = await visibleTexts(page)
      for (const text of said.keys())
        if (!final.some((kept) => kept.includes(text)) && !MAY_CHANGE.test(text)) takenBack.push(`${name}: ${text}`)
    }
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await close()
    expect(takenBack).toEqual([])
  },
  900_000,
)

/** Two frames: what has arrived is rendered, and what that asks for is requested. */
const settle = (page: Page): Promise<unknown> =>
  page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done)))))

/** Texts of the page, and of what screen readers get; without output, which arrives by another way. */
const visibleTexts = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const texts: string[] = []
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const text = node.textContent?.trim() ?? ''
      if (text !== '' && node.parentElement?.closest('[aria-busy=true], [role=log], script, style') === null)
        texts.push(text)
    }
    return texts
  })
