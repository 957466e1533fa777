// The palette: takes any input, returns the focus, and keeps its faults to itself.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openPage, TIMEOUT_MS, waitUntilLoaded } from './browser.ts'
import { useTestDashboard } from './test-dashboard.ts'

let environmentId: number
const dashboard = useTestDashboard(async ({ project }) => {
  project.commit('main', 'good', 'Begin')
  environmentId = await project.environment('price-import', 'main')
})

const field = (page: Page) => page.getByRole('combobox', { name: 'Search or go to' })

test(
  'every printable character can be typed, alone and behind others',
  async () => {
    const { page, consoleErrors, close } = await dashboard.open(`/environments/${environmentId}`)
    await waitUntilLoaded(page)
    await page.keyboard.press('Control+k')
    for (let code = 0x20; code < 0x7f; code++) {
      const character = String.fromCharCode(code)
      for (const typed of [character, `price${character}`, `\\${character}`]) await field(page).fill(typed)
    }
    await field(page).fill('price-')
    await page.getByRole('option', { name: 'shop / price-import' }).waitFor()
    await expect
      .poll(() => page.getByRole('option', { name: 'shop / price-import' }).locator('mark').textContent())
      .toBe('price-')
    await page.keyboard.press('Enter')
    await field(page).waitFor({ state: 'detached' })
    await page.getByRole('heading', { level: 1, name: 'price-import' }).waitFor()
    expect(consoleErrors).toEqual([])
    await close()
  },
  TIMEOUT_MS,
)

test(
  'the focus returns to what had it, and a click beside closes it',
  async () => {
    const { page, close } = await dashboard.open(`/environments/${environmentId}`)
    const opener = page.getByRole('button', { name: /^Search or go to/ })
    const isFocused = () => opener.evaluate((one) => one === document.activeElement)
    for (const leave of [() => page.keyboard.press('Escape'), () => page.mouse.click(5, 5)]) {
      await opener.click()
      await field(page).waitFor()
      await leave()
      await field(page).waitFor({ state: 'detached' })
      expect(await isFocused()).toBe(true)
    }
    await close()
  },
  TIMEOUT_MS,
)

test(
  'a fault in the palette or the menu leaves the rest of the page',
  async () => {
    const { page, close } = await openPage(dashboard.browser, dashboard.platform.url, { person: dashboard.owner })
    // No page would show such a server: an answer that the dashboard does not expect.
    await page.route('**/api/servers?**', async (route) => {
      const answer = await route.fetch()
      const servers = JSON.parse(await answer.text())
      await route.fulfill({ response: answer, json: servers.map((server: object) => ({ ...server, name: null })) })
    })
    await page.goto(`/environments/${environmentId}`)
    await waitUntilLoaded(page)
    await page.keyboard.press('Control+k')
    const alert = page.getByRole('dialog').getByRole('alert')
    await alert.getByText('The search cannot be shown').waitFor()
    await alert.getByRole('button', { name: 'Close' }).click()
    await expect.poll(() => page.getByRole('heading', { level: 1, name: 'price-import' }).isVisible()).toBe(true)
    await page.getByRole('link', { name: 'Variables' }).click()
    await page.getByRole('button', { name: 'Add variable' }).waitFor()
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await close()
  },
  TIMEOUT_MS,
)
