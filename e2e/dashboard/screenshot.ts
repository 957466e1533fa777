// `node e2e/dashboard/screenshot.ts URL COOKIE PATH FILE [light|dark] [desk|phone]`: takes a screenshot of one page.
import { openBrowser, openPage } from './browser.ts'

const [url = '', cookie = '', path = '/', file = 'page.png', theme = 'light', size = 'desk'] = process.argv.slice(2)
const browser = await openBrowser()
const look = { theme: theme === 'dark' ? 'dark' : 'light', size: size === 'phone' ? 'phone' : 'desk' } as const
const person = { name: '', email: '', cookie, client: undefined as never }
const { page, consoleErrors } = await openPage(browser, url, { ...(cookie !== '' && { person }), ...look })
await page.goto(path, { waitUntil: 'load' })
await page.waitForTimeout(1_500)
await page.screenshot({ path: file, fullPage: true })
for (const consoleError of consoleErrors) console.log(consoleError)
await browser.close()
