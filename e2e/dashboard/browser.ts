// A real Chromium, and pages in it that belong to somebody.
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { hasOwnNetwork } from '../../tools/real-parts/programs.ts'
import type { Person } from './stage.ts'
import { openWayOut } from './way-out.ts'

// Chromium without the window around its pages, which nobody sees here: the tests take a seventh less of the processor.
const PLACES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'].map(
  (name) => `/usr/bin/${name}`,
)
const chromiumPath = PLACES.find((place) => existsSync(place))

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
export async function openBrowserApart(): Promise<Browser> {
  if (!hasOwnNetwork || chromiumPath === undefined) return openBrowser()
  const wayOut = await openWayOut()
  const browser = await chromium.launch({
    executablePath: fileURLToPath(new URL('apart.sh', import.meta.url)),
    args: [...ARGUMENTS, '--proxy-server=socks5://127.0.0.1:1080', '--proxy-bypass-list=<-loopback>'],
    env: { ...process.env, WAY_OUT: wayOut.path, CHROMIUM: chromiumPath },
  })
  browser.once('disconnected', wayOut.close)
  return browser
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
