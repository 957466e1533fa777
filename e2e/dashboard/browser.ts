// A real Chromium, and pages in it for a signed-in person or a guest.
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { hasOwnNetwork } from '../../tools/real-parts/programs.ts'
import { startSocksProxy } from './socks-proxy.ts'
import type { Person } from './test-platform.ts'

// The headless shell comes first: without a window the tests take a seventh less CPU.
const PATHS = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'].map(
  (name) => `/usr/bin/${name}`,
)
const chromiumPath = PATHS.find((place) => existsSync(place))

// Chromium loads pages for its address bar in every window; they cost more than most of our pages.
const ADDRESS_BAR = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup']
// Repeats Playwright's list, because Chromium only takes the last --disable-features.
const OFF = [
  ...['AvoidUnnecessaryBeforeUnloadCheckSync', 'DestroyProfileOnBrowserClose', 'HttpsUpgrades', 'LensOverlay'],
  ...['HttpsFirstBalancedModeAutoEnable', 'MediaRouter', 'PaintHolding', 'ThirdPartyStoragePartitioning'],
  ...['AvoidCorsURLLoaderRestartOnRedirect', 'OptimizationHints', 'NetworkTimeServiceQuerying', 'AimEnabled'],
  'PreconnectToSearch',
]

// Tests run as root; Chromium makes no requests of its own.
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

/** For tests that run beside others that start containers. Without the right to make a network namespace it shares the machine's network. */
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

/** Pages take many times as long on a busy machine. */
export const TIMEOUT_MS = 240_000

export type Viewing = {
  readonly theme?: 'light' | 'dark'
  readonly size?: 'desk' | 'phone'
  /** For hosts of the test whose certificates no browser knows. */
  readonly trustsAllHosts?: boolean
}

const SIZES = { desk: { width: 1280, height: 900 }, phone: { width: 390, height: 844 } } as const

/** Collects errors and warnings of the console: tests treat them as failures. */
export type OpenPage = {
  readonly context: BrowserContext
  readonly page: Page
  readonly consoleErrors: string[]
  close(): Promise<void>
}

export async function openPage(
  browser: Browser,
  url: string,
  { person, theme = 'light', size = 'desk', trustsAllHosts = false }: Viewing & { readonly person?: Person } = {},
): Promise<OpenPage> {
  const context = await browser.newContext({
    baseURL: url,
    viewport: SIZES[size],
    colorScheme: theme,
    reducedMotion: 'reduce',
    deviceScaleFactor: 1,
    hasTouch: size === 'phone',
    ignoreHTTPSErrors: trustsAllHosts,
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

/** Resolves when everything that the page requested is shown, including server checks. */
export async function waitUntilLoaded(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor()
  await page.waitForFunction(() => document.querySelector('[aria-busy=true]') === null)
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
}
