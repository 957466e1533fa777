// Dialogs, menus and the palette: the focus returns to what opened them, and nothing that was typed or is shown once is lost by accident.
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { TIMEOUT_MS, waitUntilLoaded } from './browser.ts'
import { useTestDashboard } from './test-dashboard.ts'

let environmentId: number
const dashboard = useTestDashboard(async ({ owner, project }) => {
  project.commit('main', 'good', 'Begin')
  environmentId = await project.environment('price-import', 'main')
  await owner.client.changeVariables({ params: { id: environmentId }, body: { set: { OLD: '1', OLDER: '2' } } })
})

const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const { activeElement } = document
    return activeElement?.getAttribute('aria-label') ?? activeElement?.textContent?.trim() ?? ''
  })

/** Every element that opens a dialog, by the name of its button, and of the entry of its menu. */
const OPENERS: readonly { readonly path: () => string; readonly button: string | RegExp; readonly item?: RegExp }[] = [
  { path: () => `/projects/${dashboard.project.id}`, button: 'New environment' },
  { path: () => `/projects/${dashboard.project.id}/settings`, button: 'Delete project…' },
  { path: () => `/environments/${environmentId}`, button: /^More/, item: /^Reset environment/ },
  { path: () => `/environments/${environmentId}`, button: /^More/, item: /^Delete Environment/ },
  { path: () => `/environments/${environmentId}/variables`, button: 'Add variable' },
  { path: () => `/environments/${environmentId}/variables`, button: 'Replace OLD' },
  { path: () => `/environments/${environmentId}/variables`, button: 'Remove OLD' },
  { path: () => '/profile', button: 'New token…' },
  { path: () => '/profile', button: 'Turn on…' },
  { path: () => '/organizations/1/members', button: 'Invite' },
  { path: () => '/organizations/1/servers', button: 'Add server' },
  { path: () => '/organizations/1/servers', button: 'Actions on quay-1', item: /^Edit/ },
]

test(
  'the focus returns to the button that opened a dialog, by Escape and by its own button',
  async () => {
    const { page, consoleErrors, close } = await dashboard.open('/profile')
    const lost: string[] = []
    for (const { path, button, item } of OPENERS) {
      await page.goto(path())
      await waitUntilLoaded(page)
      const opener = page
        .getByRole('button', { name: button, ...(typeof button === 'string' && { exact: true }) })
        .last()
      for (const closing of ['Escape', 'button'] as const) {
        await opener.click()
        if (item !== undefined) await page.getByRole('menuitem', { name: item }).click()
        const dialog = page.getByRole('dialog')
        await dialog.waitFor()
        if (closing === 'Escape') await page.keyboard.press('Escape')
        else await dialog.getByRole('button', { name: /^(Cancel|Keep it|Close|Done)$/ }).click()
        await dialog.waitFor({ state: 'detached' })
        if (!(await isFocused(opener))) lost.push(`${path()} ${button} by ${closing}: ${await focused(page)}`)
      }
    }
    expect(lost).toEqual([])
    expect(consoleErrors).toEqual([])
    await close()
  },
  TIMEOUT_MS * 2,
)

const isFocused = (element: Locator): Promise<boolean> => element.evaluate((one) => one === document.activeElement)

test(
  'the focus goes to the page when the button that opened a dialog is gone',
  async () => {
    const { page, close } = await dashboard.open(`/environments/${environmentId}/variables`)
    await page.getByRole('button', { name: 'Remove OLDER' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click()
    await page.getByRole('button', { name: 'Remove OLDER' }).waitFor({ state: 'detached' })
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).not.toBe('BODY')
    await close()
  },
  TIMEOUT_MS,
)

test(
  'a menu gives the focus back by Escape, by Tab and by a click beside it',
  async () => {
    const { page, close } = await dashboard.open(`/environments/${environmentId}`)
    const opener = page.getByRole('button', { name: /^More/ })
    const menu = page.getByRole('menu', { name: 'More' })
    await opener.press('Enter')
    await page.keyboard.press('Escape')
    await menu.waitFor({ state: 'hidden' })
    await expect.poll(() => isFocused(opener)).toBe(true)
    await opener.press('Enter')
    await menu.waitFor()
    await page.keyboard.press('Tab')
    await menu.waitFor({ state: 'hidden' })
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).not.toBe('BODY')
    await close()
  },
  TIMEOUT_MS,
)

test(
  'text selected in a form and released outside keeps the form and its input',
  async () => {
    const { page, close } = await dashboard.open(`/environments/${environmentId}/variables`)
    await page.getByRole('button', { name: 'Add variable' }).click()
    const dialog = page.getByRole('dialog')
    const key = dialog.getByLabel('Key')
    await key.fill('STRIPE_KEY')
    const box = await key.boundingBox()
    if (box === null) throw new Error('The field is not visible')
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
    await page.mouse.down()
    await page.mouse.move(5, 5, { steps: 4 })
    await page.mouse.up()
    expect(await key.inputValue()).toBe('STRIPE_KEY')
    await page.mouse.click(5, 5)
    expect(await key.inputValue()).toBe('STRIPE_KEY')
    await close()
  },
  TIMEOUT_MS,
)

test(
  'Escape asks before it discards input',
  async () => {
    const { page, consoleErrors, close } = await dashboard.open(`/environments/${environmentId}/variables`)
    const opener = page.getByRole('button', { name: 'Add variable' })
    await opener.click()
    const dialog = page.getByRole('dialog')
    const key = dialog.getByLabel('Key')
    await key.fill('STRIPE_KEY')
    const question = dialog.getByText('Discard what you entered?')
    await page.keyboard.press('Escape')
    await question.waitFor()
    await page.keyboard.press('Escape')
    await question.waitFor({ state: 'detached' })
    expect(await key.inputValue()).toBe('STRIPE_KEY')
    expect(await isFocused(key)).toBe(true)
    await page.keyboard.press('Escape')
    await dialog.getByRole('button', { name: 'Keep editing' }).click()
    expect(await key.inputValue()).toBe('STRIPE_KEY')
    await page.keyboard.press('Escape')
    await dialog.getByRole('button', { name: 'Discard' }).click()
    await dialog.waitFor({ state: 'detached' })
    await expect.poll(() => isFocused(opener)).toBe(true)
    expect(consoleErrors).toEqual([])
    await close()
  },
  TIMEOUT_MS,
)

test(
  'a token that is shown once stays until the user says that it is noted',
  async () => {
    const { page, close } = await dashboard.open('/profile')
    await page.getByRole('button', { name: 'New token…' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('laptop')
    await dialog.getByRole('button', { name: /^Create/ }).click()
    const done = dialog.getByRole('button', { name: 'Done' })
    await done.waitFor()
    await page.mouse.click(5, 5)
    // Chromium insists on closing it after a few.
    for (let times = 0; times < 5; times++) await page.keyboard.press('Escape')
    expect(await dialog.getByLabel('the token', { exact: true }).textContent()).not.toBe('')
    await done.click()
    await dialog.waitFor({ state: 'detached' })
    await close()
  },
  TIMEOUT_MS,
)

test(
  'Enter in the value of a variable saves it, and Shift+Enter starts a line',
  async () => {
    const { page, consoleErrors, close } = await dashboard.open(`/environments/${environmentId}/variables`)
    const bodies: unknown[] = []
    page.on('request', (request) => {
      if (request.method() === 'PATCH' || request.method() === 'PUT') bodies.push(request.postDataJSON())
    })
    for (const [key, press] of [
      ['ONE_LINE', []],
      ['TWO_LINES', ['Shift+Enter', 'b']],
    ] as const) {
      await page.getByRole('button', { name: 'Add variable' }).click()
      await page.getByLabel('Key').fill(key)
      const value = page.getByRole('textbox', { name: 'Value' })
      await value.fill('a')
      for (const name of press) await value.press(name)
      await value.press('Enter')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await page.getByRole('button', { name: `Replace ${key}` }).waitFor()
    }
    expect(bodies).toMatchObject([{ set: { ONE_LINE: 'a' } }, { set: { TWO_LINES: 'a\nb' } }])
    expect(consoleErrors).toEqual([])
    await close()
  },
  TIMEOUT_MS,
)
