// The output of a task: the right lines are rendered at every scroll position, and the newest while following.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { type OpenPage, TIMEOUT_MS, waitUntilLoaded } from './browser.ts'
import { useTestDashboard } from './test-dashboard.ts'

const dashboard = useTestDashboard()

/** First and last visible line, and whether the rows fill the viewport. */
const inView = (page: Page) =>
  page.getByRole('log').evaluate((log) => {
    const viewport = log.getBoundingClientRect()
    const rows = [...log.querySelectorAll('a[href^="#L"], button[aria-expanded]')]
    const boxes = rows.map((row) => ({ row, box: row.getBoundingClientRect() }))
    const seen = boxes.filter(({ box }) => box.bottom > viewport.top && box.top < viewport.bottom)
    const numbers = seen.flatMap(({ row }) => (row instanceof HTMLAnchorElement ? [Number(row.textContent)] : []))
    const top = Math.min(...seen.map(({ box }) => box.top))
    const bottom = Math.max(...seen.map(({ box }) => box.bottom))
    // The list has margins.
    return {
      first: numbers.at(0),
      last: numbers.at(-1),
      isFilled: top < viewport.top + 20 && bottom > viewport.bottom - 20,
    }
  })

async function open(environmentId: number, taskId: number): Promise<OpenPage> {
  const visited = await dashboard.open(`/environments/${environmentId}/tasks/${taskId}`)
  await waitUntilLoaded(visited.page)
  return visited
}

test.each(['cut', 'wrapped'])(
  'all of a hundred thousand lines can be scrolled and linked to, %s',
  async (way) => {
    dashboard.project.commit(`long-${way}`, 'long', 'Print much')
    const environmentId = await dashboard.project.environment(`long-${way}`, `long-${way}`)
    const { page, consoleErrors, close } = await open(environmentId, await dashboard.project.deploy(environmentId))
    const release = page.getByRole('log').getByRole('button', { name: /^Release/ })
    await release.click()
    await page.getByText(/\b100.?\d{3} lines/).waitFor()
    if (way === 'wrapped') await page.getByRole('button', { name: 'Wrap long lines' }).click()
    for (const part of [0.1, 0.5, 0.9, 0.3]) {
      await page.getByRole('log').evaluate((log, to) => log.scrollTo({ top: log.scrollHeight * to }), part)
      await expect
        .poll(async () => {
          const { first = 0, isFilled } = await inView(page)
          return isFilled && Math.abs(first / 100_000 - part) < 0.01
        })
        .toBe(true)
    }
    await page.evaluate(() => {
      location.hash = '#L54321'
    })
    await expect
      .poll(async () => {
        const { first = 0, last = 0, isFilled } = await inView(page)
        return isFilled && first <= 54_321 && last >= 54_321
      })
      .toBe(true)
    expect(consoleErrors).toEqual([])
    await close()
  },
  TIMEOUT_MS * 2,
)

test(
  'while following, the newest line is visible and the viewport is filled',
  async () => {
    dashboard.project.commit('clock', 'clock', 'Print the time')
    const environmentId = await dashboard.project.environment('clock', 'clock')
    const { id } = await dashboard.owner.client.startDeployment({ params: { id: environmentId } })
    const { page, close } = await open(environmentId, id)
    const lines: number[] = []
    for (let round = 0; round < 5; round++) {
      const before = lines.at(-1) ?? 50
      await expect
        .poll(async () => (await inView(page)).last ?? 0, { timeout: TIMEOUT_MS / 4 })
        .toBeGreaterThan(before + 7)
      const { last = 0, isFilled } = await inView(page)
      expect(isFilled, `at line ${last}`).toBe(true)
      lines.push(last)
    }
    await dashboard.owner.client.cancelTask({ params: { id } })
    await close()
  },
  TIMEOUT_MS * 2,
)
