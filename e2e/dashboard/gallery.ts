// `npm run gallery [-- NAME...]`: takes screenshots of all screens, or of these, for docs/dashboard.md: light, dark and on a phone.
import { mkdirSync, writeFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { openBrowser, openPage, waitUntilLoaded } from './browser.ts'
import { hidePaths } from './hide-paths.ts'
import { createSampleData } from './sample-data.ts'
import { screensOf } from './screens.ts'

const VIEWS = [
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
  for (const { ending, ...view } of VIEWS) {
    const member = await openPage(browser, sample.platform.url, { ...view, person: sample.maren })
    const guest = await openPage(browser, sample.platform.url, view)
    for (const { name, path, isOpenToAll, act } of shownScreens) {
      if (wanted.length > 0 && !wanted.includes(name)) continue
      const { page } = isOpenToAll ? guest : member
      await hidePaths(page, sample.swarmPort)
      sample.renewMetrics()
      await page.goto(path)
      await waitUntilLoaded(page)
      await act?.(page)
      await waitUntilLoaded(page)
      await shootAll(page, `${docs}pictures/${name}${ending}.png`)
      // Polling requests may be in flight.
      await page.unrouteAll({ behavior: 'ignoreErrors' })
    }
    await member.close()
    await guest.close()
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

/** With the whole page in the window, what sticks to its edges covers nothing. */
async function shootAll(page: Page, path: string): Promise<void> {
  const size = page.viewportSize() ?? { width: 0, height: 0 }
  const height = Math.max(size.height, await page.evaluate(() => document.documentElement.scrollHeight))
  await page.setViewportSize({ ...size, height })
  await waitUntilLoaded(page)
  await page.screenshot({ path })
  await page.setViewportSize(size)
}
