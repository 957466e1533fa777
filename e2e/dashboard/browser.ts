// A real Chromium, and pages in it that belong to somebody.
import { existsSync } from 'node:fs'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import type { Person } from './stage.ts'

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
const executablePath = PLACES.find((place) => existsSync(place))

export async function openBrowser(): Promise<Browser> {
  if (executablePath === undefined)
    throw new Error('Chromium is missing: run `npm test` once, it installs what it needs')
  return chromium.launch({
    executablePath,
    // As root, and without anything of its own to talk to.
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-sync',
    ],
  })
}

/** On a busy machine a page takes many times as long: whoever waits for something on it ends with that. */
export const PATIENCE_MS = 240_000

export type Viewing = {
  readonly theme?: 'light' | 'dark'
  readonly size?: 'desk' | 'phone'
}

const SIZES = { desk: { width: 1280, height: 900 }, phone: { width: 390, height: 844 } } as const

/** What a page of this context complains about on its console is a fault, and is kept. */
export type Visit = {
  readonly context: BrowserContext
  readonly page: Page
  readonly complaints: string[]
  close(): Promise<void>
}

export async function visit(
  browser: Browser,
  url: string,
  { person, theme = 'light', size = 'desk' }: Viewing & { readonly person?: Person } = {},
): Promise<Visit> {
  const context = await browser.newContext({
    baseURL: url,
    viewport: SIZES[size],
    colorScheme: theme,
    reducedMotion: 'reduce',
    deviceScaleFactor: 1,
    hasTouch: size === 'phone',
  })
  if (person) {
    const [name = '', ...value] = person.cookie.split('=')
    await context.addCookies([{ name, value: value.join('='), url, httpOnly: true, sameSite: 'Lax' }])
  }
  context.setDefaultTimeout(PATIENCE_MS / 2)
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  return { context, page, complaints, close: () => context.close() }
}

/** When what the page asked for has come, and is on the page, also what it had looked at: a server, for one. */
export async function settled(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor()
  await page.waitForFunction(() => document.querySelector('[aria-busy=true]') === null)
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
}
