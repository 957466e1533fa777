// The Logs tab of an environment. Most tests play what comes of the logs, so that they decide what comes when; the last reads real ones.
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openPage, TIMEOUT_MS } from './browser.ts'
import { type OutputRequest, playOutput, timeOf } from './play-output.ts'
import { useTestDashboard } from './test-dashboard.ts'

let environmentId: number
const dashboard = useTestDashboard(async ({ project }) => {
  project.commit('main', 'good', 'Sell books')
  environmentId = await project.environment('production', 'main')
  await project.deploy(environmentId)
})

const line = (ms: number, text: string, service = 'web') => ({ ms, text, service })
const log = (page: Page) => page.getByRole('log', { name: 'Logs of production' })

async function openLogs(search = '') {
  const opened = await openPage(dashboard.browser, dashboard.platform.url, { person: dashboard.owner })
  const output = await playOutput(opened.page, environmentId)
  await opened.page.goto(`/environments/${environmentId}/logs${search}`)
  return { ...opened, next: output.next }
}

test(
  'lines come with time, service and color, and the newest is visible',
  async () => {
    const { page, consoleErrors, close, next } = await openLogs()
    const request = await next()
    expect(request.options).toEqual({ tail: 10_000 })
    await page.getByText('Connecting …').waitFor()
    request.confirm()
    await page.getByText('Reading the logs …').waitFor()
    request.catchUp()
    await page.getByText('No lines yet. New lines appear here.').waitFor()
    request.print([line(0, 'listening on 3000'), line(1, '\u001b[31mno stock', 'worker'), line(2, 'GET /', 'web')])
    await log(page).getByText('GET /').waitFor()
    expect(await log(page).getByText('no stock').getAttribute('class')).toMatch(/bad/)
    // The color of one service does not run into the line of another.
    expect(await log(page).getByText('GET /').getAttribute('class')).not.toMatch(/bad/)
    request.print(Array.from({ length: 500 }, (_, index) => line(10 + index, `request ${index}`)))
    await expect.poll(() => log(page).getByText('request 499').isVisible()).toBe(true)
    await page.getByText('503 lines').waitFor()
    expect(consoleErrors).toEqual([])
    await close()
  },
  TIMEOUT_MS,
)

test(
  'range and services are asked of the platform, and stand in the address',
  async () => {
    const { page, consoleErrors, close, next } = await openLogs('?services=web,worker')
    const first = await next()
    expect(first.options).toEqual({ services: ['web', 'worker'], tail: 10_000 })
    first.confirm()
    first.print([line(0, 'of two services')])
    await log(page).getByText('of two services').waitFor()
    await page.getByRole('button', { name: 'worker' }).click()
    const second = await next()
    expect(second.options).toEqual({ services: ['web'], tail: 10_000 })
    second.confirm()
    second.print([line(0, 'of one service')])
    await log(page).getByText('of one service').waitFor()
    expect(await log(page).getByText('of two services').count()).toBe(0)
    await page.getByLabel('Time range').selectOption('Last hour')
    const third = await next()
    expect(Date.now() - Date.parse(third.options.since ?? '')).toBeLessThan(3_700_000)
    expect(third.options).toEqual({ services: ['web'], since: expect.any(String) })
    // It begins where the last hour began, so nothing is read again before that changes.
    await page.getByLabel('Time range').selectOption('Custom range')
    await page.getByLabel('From').fill('2026-01-01T12:00:00')
    await page.getByLabel('From').press('Enter')
    await next()
    await page.getByLabel('To').fill('2026-01-01T13:00:00')
    await page.getByLabel('To').press('Enter')
    const custom = await next()
    expect(Date.parse(custom.options.until ?? '') - Date.parse(custom.options.since ?? '')).toBe(3_600_000)
    expect(new URL(page.url()).search).toContain('services=web&range=custom')
    custom.confirm()
    custom.end()
    await page.getByText('Nothing printed in this range.').waitFor()
    expect(consoleErrors).toEqual([])
    await close()
  },
  TIMEOUT_MS,
)

test(
  'a link to a moment shows the lines around it and marks its line',
  async () => {
    const writer = await openLogs()
    const live = await writer.next()
    live.confirm()
    live.print([line(0, 'before'), line(1_000, 'the moment'), line(2_000, 'after')])
    const row = (page: Page) =>
      log(page)
        .locator('div', { hasText: /the moment$/ })
        .last()
    await row(writer.page).getByRole('link').click()
    await writer.page.waitForURL((address) => address.searchParams.get('at') === timeOf(1_000))
    await expect.poll(() => row(writer.page).getAttribute('class')).toMatch(/marked/)
    await writer.close()
    const reader = await openLogs(new URL(writer.page.url()).search)
    const around = await reader.next()
    expect(around.options).toEqual({ since: '2026-01-01T11:55:01.000Z', until: '2026-01-01T12:05:01.000Z' })
    around.confirm()
    around.print(Array.from({ length: 2_000 }, (_, index) => line(index, index === 1_000 ? 'the moment' : 'another')))
    await expect.poll(() => row(reader.page).isVisible()).toBe(true)
    await expect.poll(() => row(reader.page).getAttribute('class')).toMatch(/marked/)
    around.end()
    await reader.page.getByText('End of the range').waitFor()
    expect(await reader.page.getByText('no longer kept').count()).toBe(0)
    await reader.close()
    const late = await openLogs(`?at=${timeOf(5_000)}`)
    const empty = await late.next()
    empty.confirm()
    empty.print([line(1_000, 'another')])
    empty.end()
    await late.page.getByText('The line of this link is no longer kept').waitFor()
    await late.close()
  },
  TIMEOUT_MS,
)

test(
  'states are said as they are: skipped lines, a lost connection, too many readers, lost access',
  async () => {
    const { page, close, next } = await openLogs()
    const first = await next()
    first.refuse('too_many_followers', 'Eight readers follow these logs already. Close one, then try again')
    await page.getByText('Eight readers follow these logs already').waitFor()
    await page.getByRole('button', { name: 'Try again' }).click()
    const second = await next()
    second.confirm()
    second.print([line(0, 'one')])
    second.lag(100, 4_000)
    second.print([line(4_000, 'two')])
    await log(page).getByText('Lines were skipped here').waitFor()
    await page.getByText('Lines were skipped', { exact: true }).waitFor()
    second.cut()
    const third = await next()
    // From a little before the last line on: lines that were shown are sent again, and not shown again.
    expect(third.since?.seq).toBeLessThanOrEqual(Date.parse(timeOf(4_000)) * 1_000)
    third.confirm()
    third.print([line(4_000, 'two'), line(5_000, 'three')])
    await log(page).getByText('three').waitFor()
    expect(await log(page).getByText('two', { exact: true }).count()).toBe(1)
    third.revoke()
    await page.getByText('You no longer have access to these logs').waitFor()
    await close()
  },
  TIMEOUT_MS,
)

test(
  'the lines can be searched and downloaded',
  async () => {
    const { page, consoleErrors, close, next } = await openLogs()
    const request = await next()
    request.confirm()
    request.print(Array.from({ length: 3_000 }, (_, index) => line(index, `request ${index}`)))
    await page.getByText('3,000 lines').waitFor()
    const field = page.getByRole('textbox', { name: 'Search the output' })
    await field.fill('request 77')
    await page.getByText('1 of 11').waitFor()
    await field.press('Enter')
    await page.getByText('2 of 11').waitFor()
    await expect.poll(() => page.locator('mark[data-mark=current]').isVisible()).toBe(true)
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download the lines' }).click(),
    ])
    expect(download.suggestedFilename()).toBe('production.log')
    const text = readFileSync(await download.path(), 'utf8')
    expect(text.split('\n')).toHaveLength(3_001)
    expect(text).toContain('2026-01-01T12:00:00.077Z web request 77\n')
    expect(consoleErrors).toEqual([])
    await close()
  },
  TIMEOUT_MS,
)

test(
  'a hundred thousand lines are followed, and all of them can be scrolled to',
  async () => {
    const { page, close, next } = await openLogs()
    const request = await next()
    request.confirm()
    await page.getByText('Reading the logs …').waitFor()
    for (let count = 0; count < 100_000; count += 10_000) {
      printMany(request, count, 10_000)
      // A page that is far behind reconnects, and the platform goes on from its last line; this one does not.
      await log(page)
        .getByText(`request ${count + 9_999} `)
        .waitFor()
    }
    await page.getByText('100,000 lines').waitFor()
    await page.getByRole('button', { name: 'Following' }).click()
    for (const part of [0.1, 0.5, 0.9, 0.3]) {
      await log(page).evaluate((list, to) => list.scrollTo({ top: list.scrollHeight * to }), part)
      await expect
        .poll(async () => {
          const words =
            (await log(page)
              .getByText(/^request \d+ /)
              .first()
              .textContent()) ?? ''
          return Math.abs(Number(/\d+/.exec(words)?.[0]) / 100_000 - part)
        })
        .toBeLessThan(0.01)
    }
    await close()
  },
  TIMEOUT_MS,
)

test(
  'the logs of a real service are followed over redeployments, each line once',
  async () => {
    const { owner, project } = dashboard
    const id = await project.environment('followed', 'main')
    const visit = async (taskId: number, path: string): Promise<void> => {
      const printed = await owner.client.readTaskLog({ params: { id: taskId } })
      const port = /leads to port ([0-9]+)/.exec(printed)?.[1]
      expect(await (await fetch(`http://127.0.0.1:${port}${path}`)).text()).toBe('books')
    }
    await visit(await project.deploy(id), '/before-the-page')
    const { page, consoleErrors, close } = await dashboard.open(`/environments/${id}/logs`)
    const lines = page.getByRole('log', { name: 'Logs of followed' })
    await lines.getByText('GET /before-the-page').waitFor()
    for (const round of [1, 2, 3]) {
      await visit(await project.deploy(id), `/round-${round}`)
      await lines.getByText(`GET /round-${round}`).waitFor()
    }
    for (const path of ['/before-the-page', '/round-1', '/round-2', '/round-3'])
      expect(await lines.getByText(`GET ${path}`).count(), path).toBe(1)
    expect(await lines.getByText('listening').count()).toBe(4)
    // The address of a line of the first deployment leads to it, also later.
    await lines
      .locator('div', { hasText: /GET \/before-the-page$/ })
      .last()
      .getByRole('link')
      .click()
    await page.reload()
    await page.getByLabel('Time range').getByText('Around').waitFor({ state: 'attached' })
    const linked = lines.locator('div', { hasText: /GET \/before-the-page$/ }).last()
    await expect.poll(() => linked.getAttribute('class')).toMatch(/marked/)
    expect(consoleErrors).toEqual([])
    await close()
  },
  TIMEOUT_MS,
)

function printMany(request: OutputRequest, first: number, count: number): void {
  const text = 'answered with 200 in 12 ms, as services print when they are asked to be verbose'
  const lines = Array.from({ length: count }, (_, index) => first + index).map((number) =>
    line(number, `request ${number} ${text}`, number % 3 === 0 ? 'worker' : 'web'),
  )
  for (let from = 0; from < count; from += 500) request.print(lines.slice(from, from + 500))
}
