// `npm run recording`: records a deployment for the README, from its button to what is live, as an animated PNG.
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { animatePng, type Frame } from './animated-png.ts'
import { openBrowser, openPage, waitUntilLoaded } from './browser.ts'
import { hidePaths } from './hide-paths.ts'
import { createOwner, startTestPlatform } from './test-platform.ts'

const FILE = fileURLToPath(new URL('../../docs/pictures/deployment.png', import.meta.url))
const SIZE = { width: 1120, height: 800 }
const PAUSE_MS = 1_200
/** A busy machine takes longer for a screenshot than readers should wait. */
const LONGEST_FRAME_MS = 500
const LONGEST_MS = 15_000
const MOST_BYTES = 3_000_000

const platform = await startTestPlatform()
const browser = await openBrowser()
try {
  const { owner, project } = await createOwner(platform, { name: 'bookshop', domain: 'books.localhost' })
  project.commit('main', 'good', 'Round prices after tax, not before')
  const names = { demo: 'For customers and the sales team', staging: 'What the next release will be' }
  for (const [name, title] of Object.entries(names)) {
    await project.deploy(await project.environment(name, 'main', { sticky: true, title }))
  }
  const title = 'Show gift wrapping in the basket'
  const sha = project.commit('gift-wrapping', 'good', title)
  await project.openPullRequest({ number: 228, branch: 'gift-wrapping', sha, title })
  project.commit('main', 'migrating', 'Let readers share their wish lists')
  const { page } = await openPage(browser, platform.url, { person: owner })
  await page.setViewportSize(SIZE)
  await hidePaths(page)
  const frames = await record(page, `/projects/${project.id}`)
  const picture = animatePng(frames)
  const ms = frames.reduce((sum, frame) => sum + frame.ms, 0)
  console.log(`${frames.length} screenshots, ${(ms / 1000).toFixed(1)} s, ${picture.length} bytes`)
  if (ms > LONGEST_MS || picture.length > MOST_BYTES) throw new Error('The recording is too long or too large')
  writeFileSync(FILE, picture)
  await page.unrouteAll({ behavior: 'ignoreErrors' })
} finally {
  await browser.close()
  await platform.stop()
}

async function record(page: Page, path: string): Promise<Frame[]> {
  const frames: Frame[] = []
  const chromium = await page.context().newCDPSession(page)
  // Packs the picture loosely, since it is packed again: more of them a second.
  const shoot = async (): Promise<Buffer> => {
    const { data } = await chromium.send('Page.captureScreenshot', { format: 'png', optimizeForSpeed: true })
    return Buffer.from(data, 'base64')
  }
  const show = async (ms: number): Promise<void> => void frames.push({ png: await shoot(), ms })
  await page.goto(path)
  await waitUntilLoaded(page)
  await page.getByText('pr-228.books.localhost').waitFor()
  await show(PAUSE_MS)
  const deploy = page.getByRole('button', { name: 'Deploy staging' })
  await deploy.hover()
  await show(PAUSE_MS / 2)
  await deploy.click()
  const task = page.getByRole('link', { name: /^Deployment #\d+$/ })
  await task.waitFor()
  await show(PAUSE_MS / 2)
  await task.click()
  await page.mouse.move(0, 0)
  const cancel = page.getByRole('button', { name: 'Cancel…' })
  await cancel.waitFor()
  while (await cancel.isVisible()) {
    const start = performance.now()
    const png = await shoot()
    await page.waitForTimeout(50)
    frames.push({ png, ms: Math.min(performance.now() - start, LONGEST_FRAME_MS) })
  }
  await show(PAUSE_MS)
  await page.getByRole('link', { name: 'staging', exact: true }).first().click()
  await page.getByText('Went live').waitFor()
  await waitUntilLoaded(page)
  await show(2 * PAUSE_MS)
  return frames
}
