// `npm run gallery [-- NAME...]`: takes screenshots of all screens, or of these, for docs/dashboard.md: light, dark and on a phone.
import { mkdirSync, writeFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { openBrowser, openPage, waitUntilLoaded } from './browser.ts'
import { createSampleData } from './sample-data.ts'
import { screensOf } from './screens.ts'

const LOOKS = [
  { ending: '', theme: 'light', size: 'desk' },
  { ending: '-dark', theme: 'dark', size: 'desk' },
  { ending: '-phone', theme: 'light', size: 'phone' },
] as const

/** Screens that look like others. */
const LEFT_OUT = new Set([
  'password-reset',
  'set-up-done',
  'project-members',
  'project-variables',
  'environment-new',
  'metrics-new',
])

const docs = fileURLToPath(new URL('../../docs/', import.meta.url))
const wanted = process.argv.slice(2)
mkdirSync(`${docs}pictures`, { recursive: true })
const sample = await createSampleData()
const browser = await openBrowser()
await alertOpens()
const shownScreens = screensOf(sample).filter(({ name }) => !LEFT_OUT.has(name))
try {
  for (const { name, path, isOpenToAll } of shownScreens) {
    if (wanted.length > 0 && !wanted.includes(name)) continue
    for (const { ending, ...look } of LOOKS) {
      const { page, close } = await openPage(browser, sample.platform.url, {
        ...look,
        ...(!isOpenToAll && { person: sample.maren }),
      })
      await hidePaths(page)
      await page.goto(path)
      await waitUntilLoaded(page)
      await page.screenshot({ path: `${docs}pictures/${name}${ending}.png`, fullPage: look.size === 'phone' })
      // Polling requests may be in flight.
      await page.unrouteAll({ behavior: 'ignoreErrors' })
      await close()
    }
  }
  const shown = shownScreens.map(
    ({ name }) =>
      `## ${name.replaceAll('-', ' ')}\n\n| light | dark | phone |\n|---|---|---|\n| ![${name}, light](pictures/${name}.png) | ![${name}, dark](pictures/${name}-dark.png) | ![${name}, phone](pictures/${name}-phone.png) |\n`,
  )
  writeFileSync(
    `${docs}dashboard.md`,
    `# The dashboard in pictures\n\nMade by \`npm run gallery\`.\n\n${shown.join('\n')}`,
  )
} finally {
  await browser.close()
  await sample.platform.stop()
}

/** Of the failed deployment in the sample data: alerts are compared every 30 seconds. */
async function alertOpens(): Promise<void> {
  const { maren, organizationId } = sample
  const request = { params: { id: organizationId }, query: { state: 'open' as const } }
  while ((await maren.client.listAlerts(request)).length === 0) await setTimeout(500)
}

/** Replaces the path of this machine's repositories with an address that readers know. */
async function hidePaths(page: Page): Promise<void> {
  const hidden = (text: string): string =>
    text.replaceAll(/ssh:\/\/[^"\s]*\/([a-z-]+)\/\.git/g, 'git@github.com:tidewater/$1.git')
  await page.route('**/api/**', async (route) => {
    const answer = await route.fetch()
    await route.fulfill({ response: answer, body: hidden(await answer.text()) })
  })
  await page.routeWebSocket('**/api/live', (socket) => {
    const platform = socket.connectToServer()
    platform.onMessage((message) => socket.send(hidden(String(message))))
  })
}
