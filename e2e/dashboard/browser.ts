// A real Chromium, and pages in it that belong to somebody.
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { hasOwnNetwork } from '../../tools/real-parts/programs.ts'
import { startSocksProxy } from './socks-proxy.ts'
import type { Person } from './test-platform.ts'

// Chromium without the window around its pages, which nobody sees here: the tests take a seventh less of the processor.
const PATHS = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'].map(
  (name) => `/usr/bin/${name}`,
)
const chromiumPath = PATHS.find((place) => existsSync(place))

// Pages of its own in the address bar, which every window would load although nobody sees it: they take more than most pages of ours.
const ADDRESS_BAR = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup']
// As Playwright has them: of two lists Chromium takes the last.
const OFF = [
  ...['AvoidUnnecessaryBeforeUnloadCheckSync', 'DestroyProfileOnBrowserClose', 'HttpsUpgrades', 'LensOverlay'],
  ...['HttpsFirstBalancedModeAutoEnable', 'MediaRouter', 'PaintHolding', 'ThirdPartyStoragePartitioning'],
  ...['AvoidCorsURLLoaderRestartOnRedirect', 'OptimizationHints', 'NetworkTimeServiceQuerying', 'AimEnabled'],
  'PreconnectToSearch',
]

// As root, and without anything of its own to talk to.
const ARGUMENTS = [
  `--disable-features=${[...OFF, ...ADDRESS_BAR].join(',')}`,
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-sync',
]

export async function openBrowser(): Promise<Browser> {
  if (chromiumPath === undefined) throw new Error('Chromium is missing: run `npm test` once, it installs what it needs')
  return chromium.launch({ executablePath: chromiumPath, args: ARGUMENTS })
}

/** For tests, beside which others start containers. Whoever may not have a network of one's own gets it in that of the machine. */
export async function openIsolatedBrowser(): Promise<Browser> {
  if (!hasOwnNetwork || chromiumPath === undefined) return openBrowser()
  const proxy = await startSocksProxy()
  const browser = await chromium.launch({
    executablePath: fileURLToPath(new URL('isolated-chromium.sh', import.meta.url)),
    args: [...ARGUMENTS, '--proxy-server=socks5://127.0.0.1:1080', '--proxy-bypass-list=<-loopback>'],
    env: { ...process.env, SOCKS_SOCKET: proxy.path, CHROMIUM: chromiumPath },
  })
  browser.once('disconnected', proxy.close)
  return browser
}

/** On a busy machine a page takes many times as long: whoever waits for something on it ends with that. */
export const TIMEOUT_MS = 240_000

export type Viewing = {
  readonly theme?: 'light' | 'dark'
  readonly size?: 'desk' | 'phone'
}

const SIZES = { desk: { width: 1280, height: 900 }, phone: { width: 390, height: 844 } } as const

/** What a page of this context complains about on its console is a fault, and is kept. */
export type OpenPage = {
  readonly context: BrowserContext
  readonly page: Page
  readonly consoleErrors: string[]
  close(): Promise<void>
}

export async function openPage(
  browser: Browser,
  url: string,
  { person, theme = 'light', size = 'desk' }: Viewing & { readonly person?: Person } = {},
): Promise<OpenPage> {
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
  context.setDefaultTimeout(TIMEOUT_MS / 2)
  const page = await context.newPage()
  const consoleErrors: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') consoleErrors.push(message.text())
  })
  page.on('pageerror', (error) => consoleErrors.push(error.message))
  return { context, page, consoleErrors, close: () => context.close() }
}

/** When what the page asked for has come, and is on the page, also what it had looked at: a server, for one. */
export async function waitUntilLoaded(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor()
  await page.waitForFunction(() => document.querySelector('[aria-busy=true]') === null)
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
}
