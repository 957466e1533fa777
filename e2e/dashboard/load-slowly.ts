// A slow connection: loads a screen with all requests held, lets them through one by one, and reports what the page said and took back.
import type { Page, Route } from 'playwright-core'
import { waitUntilLoaded } from './browser.ts'

/** Texts that may change: connection, times, counts of something that runs, and reasons that name the loading. */
const MAY_CHANGE =
  /^(Connecting|Loading|Checking|Waiting|just now|in a moment)|\d+ (s|seconds?|minutes?|hours?)\b|^[\d:.,]+( s)?$|^[1-9][\d,.]* (lines?|bytes|KB|MB)$| …$/

/** Which of the held requests is answered next. */
export type AnswerOrder = 'first' | 'last'

/** Holds every request of the page but the one for the account, which decides which page is shown at all. */
export async function holdRequests(page: Page): Promise<Route[]> {
  const held: Route[] = []
  await page.route(/\/api\/(?!me$)/, (route) => void held.push(route))
  return held
}

/** Texts that the page showed while it loaded, and that are wrong once it has loaded. */
export async function loadSlowly(page: Page, path: string, held: Route[], next: AnswerOrder): Promise<string[]> {
  held.length = 0
  await page.goto(path)
  await page.locator('main, h1').first().waitFor()
  const said = new Set<string>()
  // What a page needs may itself come late: a request that follows has to be let through, too.
  for (let quiet = 0; quiet < 3 || !(await isLoaded(page)); ) {
    for (const text of await visibleTexts(page)) said.add(text)
    const route = next === 'first' ? held.shift() : held.pop()
    quiet = route === undefined ? quiet + 1 : 0
    await route?.continue()
    if (route) await route.request().response()
    await settle(page)
  }
  await waitUntilLoaded(page)
  const final = await visibleTexts(page)
  return [...said].filter((text) => !final.some((kept) => kept.includes(text)) && !MAY_CHANGE.test(text))
}

const isLoaded = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.querySelector('h1') !== null && document.querySelector('[aria-busy=true]') === null)

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
