// The page of a running task: its times count, its newest line is visible, and nothing moves when it ends.
import { mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { ended } from '../journey.ts'
import { type OpenPage, openPage, TIMEOUT_MS, type Viewing, waitUntilLoaded } from './browser.ts'
import { type LayoutShift, noteShifts, shiftsOf } from './layout-shifts.ts'
import type { Outcome } from './repository.ts'
import { useTestDashboard } from './test-dashboard.ts'

const dashboard = useTestDashboard()

/** An empty page of the owner, for what has to be in place before the first address. */
const openEmpty = (look: Viewing = {}): Promise<OpenPage> =>
  openPage(dashboard.browser, dashboard.platform.url, { person: dashboard.owner, ...look })

type GatedTask = {
  readonly environmentId: number
  readonly id: number
  readonly path: string
  openGate(): Promise<void>
}

/** A deployment that runs until its gate is opened. */
async function startGated(name: string, outcome: Outcome): Promise<GatedTask> {
  const gate = join(mkdtempSync(join(dashboard.platform.folder, 'gate-')), 'open')
  dashboard.project.commit(name, outcome, `Deploy ${name}`)
  const environmentId = await dashboard.project.environment(name, name)
  await dashboard.owner.client.changeVariables({ params: { id: environmentId }, body: { set: { GATE: gate } } })
  const { id } = await dashboard.owner.client.startDeployment({ params: { id: environmentId } })
  return {
    environmentId,
    id,
    path: `/environments/${environmentId}/tasks/${id}`,
    openGate: async () => {
      writeFileSync(gate, '')
      await ended(dashboard.owner.client, id)
    },
  }
}

const lines = (page: Page) => page.getByRole('log').getByText(/^line \d+ before the gate$/)

async function watch(task: GatedTask, look: Viewing = {}) {
  const visited = await openEmpty(look)
  await visited.page.addInitScript(noteShifts)
  await visited.page.goto(task.path)
  await lines(visited.page).nth(3).waitFor()
  return visited
}

test(
  'the times of what runs go on',
  async () => {
    const task = await startGated('times', 'gated-good')
    const { page, consoleErrors, close } = await watch(task)
    const times = {
      task: page.locator('main .figures').first(),
      fold: page
        .getByRole('log')
        .getByRole('button', { name: /^Running Release|Release/ })
        .last(),
      step: page.getByRole('region', { name: 'Phases and steps' }).getByRole('link', { name: /Release/ }),
      phase: page.getByRole('list', { name: 'Phases' }).getByRole('listitem').filter({ hasText: 'running' }),
    }
    // While following, the fold of a step scrolls out of view.
    await page.getByRole('button', { name: 'Following' }).click()
    await page.getByRole('log').evaluate((log) => log.scrollTo({ top: 0 }))
    for (const [name, place] of Object.entries(times)) {
      const before = await place.textContent()
      await expect.poll(() => place.textContent(), { message: `${name} stays at ${before}` }).not.toBe(before)
    }
    await page.goto(`/environments/${task.environmentId}`)
    const row = page
      .getByRole('listitem')
      .filter({ hasText: `#${task.id}` })
      .first()
    const before = await row.textContent()
    await expect.poll(() => row.textContent(), { message: 'the list stays' }).not.toBe(before)
    await task.openGate()
    expect(consoleErrors).toEqual([])
    await close()
  },
  TIMEOUT_MS,
)

test.each([
  { width: 390, height: 844 },
  { width: 360, height: 600 },
])(
  'the newest line is visible above the toolbar of a phone of $width by $height',
  async (viewport) => {
    const task = await startGated(`phone-${viewport.height}`, 'gated-good')
    const { page, close } = await openEmpty({ size: 'phone' })
    await page.setViewportSize(viewport)
    await page.goto(task.path)
    await lines(page).nth(3).waitFor()
    const bottoms = () =>
      page.evaluate(() => {
        const links = document.querySelectorAll('[role=log] a[href^="#L"]')
        const dock = [...document.querySelectorAll('button')].find((button) => button.textContent === 'Cancel…')
        return {
          line: links[links.length - 1]?.getBoundingClientRect().bottom ?? Number.NaN,
          dock: dock?.getBoundingClientRect().top ?? Number.NaN,
        }
      })
    await expect
      .poll(async () => {
        const { line, dock } = await bottoms()
        return line < dock
      })
      .toBe(true)
    await task.openGate()
    await close()
  },
  TIMEOUT_MS,
)

test(
  'a step with output is not called silent while its output has not arrived',
  async () => {
    dashboard.project.commit('late', 'good', 'Print something')
    const environmentId = await dashboard.project.environment('late', 'late')
    const id = await dashboard.project.deploy(environmentId)
    const { page, close } = await openEmpty()
    const held: (() => void)[] = []
    let isOpen = false
    await page.routeWebSocket('**/api/live', (socket) => {
      const server = socket.connectToServer()
      server.onMessage((message) => {
        if (isOpen || !String(message).includes('log.append')) socket.send(message)
        else held.push(() => socket.send(message))
      })
    })
    await page.goto(`/environments/${environmentId}/tasks/${id}`)
    await expect.poll(() => held.length).toBeGreaterThan(0)
    const log = page.getByRole('log')
    await log.getByRole('button', { name: /Release/ }).waitFor()
    expect(await log.getByRole('button', { name: /Release/ }).textContent()).not.toContain('no output')
    expect(await page.getByText('No output.').count()).toBe(0)
    isOpen = true
    for (const send of held) send()
    await log.getByRole('button', { name: /Release/ }).click()
    await log.getByText('Release is in place').waitFor()
    await close()
  },
  TIMEOUT_MS,
)

test(
  'typing in the search goes to the first match',
  async () => {
    dashboard.project.commit('search', 'long', 'Print much')
    const environmentId = await dashboard.project.environment('search', 'search')
    const id = await dashboard.project.deploy(environmentId)
    const { page, close } = await openEmpty()
    await page.goto(`/environments/${environmentId}/tasks/${id}`)
    await page.getByText(/\b100.?\d{3} lines/).waitFor()
    const field = page.getByRole('textbox', { name: 'Search the output' })
    await field.pressSequentially('line 7777')
    await page.locator('mark[data-mark=current]').waitFor()
    await expect.poll(() => page.locator('mark[data-mark=current]').textContent()).toBe('line 7777')
    await page.getByText('1 of 11').waitFor()
    await field.press('Enter')
    await page.getByText('2 of 11').waitFor()
    await close()
  },
  TIMEOUT_MS,
)

const SHIFT = 0.02

test.each([
  { outcome: 'gated-good', word: 'Succeeded', size: 'desk' },
  { outcome: 'gated-good', word: 'Succeeded', size: 'phone' },
  { outcome: 'gated-bad', word: 'Failed', size: 'desk' },
  { outcome: 'gated-bad', word: 'Failed', size: 'phone' },
] as const)(
  'nothing moves when a deployment ends: $outcome on a $size',
  async ({ outcome, word, size }) => {
    const task = await startGated(`ends-${outcome}-${size}`, outcome)
    const { page, close } = await watch(task, { size })
    // The list of steps and the output come by two messages; only a desk shows the list.
    if (size === 'desk') await page.getByRole('region', { name: 'Phases and steps' }).getByText('Release').waitFor()
    // The first lines may be in a frame whose shifts are not reported yet.
    const before = (await shiftsOf(page)).length
    await task.openGate()
    await page.locator('main').getByText(word, { exact: true }).first().waitFor()
    await waitUntilLoaded(page)
    if (word === 'Failed') await page.getByText('ConfigError: STRIPE_WEBHOOK_SECRET is not set').last().waitFor()
    else
      await page
        .locator('button:not([aria-disabled])', { hasText: /^Deploy$/ })
        .first()
        .waitFor()
    const shifted = (await shiftsOf(page)).slice(before)
    expect(total(shifted), JSON.stringify(shifted)).toBeLessThanOrEqual(SHIFT)
    await close()
  },
  TIMEOUT_MS,
)

/** Holds back what the page gets about environments until `release`. */
async function holdEnvironments(page: Page): Promise<{ count(): number; release(): void }> {
  const held: (() => void)[] = []
  const topics = new Set<string>()
  let [isHolding, count] = [true, 0]
  await page.routeWebSocket('**/api/live', (socket) => {
    const server = socket.connectToServer()
    const mustWait = (line: string): boolean => {
      const { type, event, topic } = JSON.parse(line)
      // Whatever comes later in the topic, or says that nothing does, would make the page drop what was held.
      if (event === 'environment.updated') {
        topics.add(topic)
        count += 1
      }
      return isHolding && (type === 'current' || topics.has(topic))
    }
    server.onMessage((message) => {
      for (const line of String(message).split('\n')) {
        if (mustWait(line)) held.push(() => socket.send(line))
        else socket.send(line)
      }
    })
  })
  return {
    count: () => count,
    release: () => {
      isHolding = false
      for (const send of held.splice(0)) send()
    },
  }
}

test(
  'a rollback is not offered to the deployment that has just succeeded, while the environment still has the one before',
  async () => {
    const task = await startGated('late-environment', 'gated-good')
    const { page, close } = await openEmpty()
    const environments = await holdEnvironments(page)
    await page.goto(task.path)
    await lines(page).nth(3).waitFor()
    const history = page.waitForResponse((response) => response.url().includes(`/${task.environmentId}/tasks`))
    await task.openGate()
    const main = page.locator('main')
    await main.getByText('Succeeded', { exact: true }).first().waitFor()
    await history
    await waitUntilLoaded(page)
    await expect.poll(environments.count).toBeGreaterThan(0)
    await main.getByRole('button', { name: /^Redeploy/ }).waitFor()
    expect(await main.getByRole('button', { name: /^Roll back/ }).count()).toBe(0)
    environments.release()
    await main.getByRole('link', { name: 'Visit' }).waitFor()
    expect(await main.getByRole('button', { name: /^Roll back/ }).count()).toBe(0)
    await close()
  },
  TIMEOUT_MS,
)

test(
  'what a canceled task leaves is said in the place of the lock, once the environment has followed',
  async () => {
    const task = await startGated('late-lock', 'gated-good')
    const { page, close } = await openEmpty()
    const environments = await holdEnvironments(page)
    await page.goto(task.path)
    await lines(page).nth(3).waitFor()
    const main = page.locator('main')
    const [lock, notice] = [main.getByText(/^Deploy and Delete Environment are/), main.getByText('Canceled by a user.')]
    await lock.waitFor()
    await dashboard.owner.client.cancelTask({ params: { id: task.id } })
    await main.getByText('Canceled', { exact: true }).first().waitFor()
    await expect.poll(environments.count).toBeGreaterThan(0)
    expect([await lock.count(), await notice.count()]).toEqual([1, 0])
    environments.release()
    await notice.waitFor()
    expect(await lock.count()).toBe(0)
    await close()
  },
  TIMEOUT_MS,
)

test(
  'the page of a task offers nothing more for an environment that is removed meanwhile',
  async () => {
    const { client } = dashboard.owner
    dashboard.project.commit('removed', 'good', 'Sell books')
    const environmentId = await dashboard.project.environment('removed', 'removed')
    const id = await dashboard.project.deploy(environmentId)
    const { page, close } = await openEmpty()
    await page.goto(`/environments/${environmentId}/tasks/${id}`)
    const main = page.locator('main')
    const redeploy = main.getByRole('button', { name: /^Redeploy/ })
    await redeploy.waitFor()
    await ended(client, (await client.deleteEnvironment({ params: { id: environmentId } })).id)
    await redeploy.waitFor({ state: 'detached' })
    expect(await main.getByRole('button', { name: 'Deploy', exact: true }).count()).toBe(0)
    expect(await main.getByText(/^Deploy and Delete Environment are/).count()).toBe(0)
    await close()
  },
  TIMEOUT_MS,
)

test(
  'the diagnosis of a second failure comes in one piece, though that of the first is known',
  async () => {
    const name = 'fails-again'
    const gate = join(mkdtempSync(join(dashboard.platform.folder, 'gate-')), 'open')
    dashboard.project.commit(name, 'bad', 'Take payments')
    const environmentId = await dashboard.project.environment(name, name)
    const first = await dashboard.project.deploy(environmentId)
    const { page, close } = await openEmpty()
    await page.goto(`/environments/${environmentId}/tasks/${first}`)
    const [main, excerpt] = [page.locator('main'), page.getByRole('list', { name: 'Output around the error' })]
    await excerpt.waitFor()
    dashboard.project.commit(name, 'gated-bad', 'Take more payments')
    await dashboard.owner.client.changeVariables({ params: { id: environmentId }, body: { set: { GATE: gate } } })
    // By the button and not by an address: a page that is loaded anew knows nothing.
    await main.getByRole('button', { name: 'Deploy', exact: true }).first().click()
    await page.waitForURL(({ pathname }) => !pathname.endsWith(`/${first}`))
    await lines(page).nth(3).waitFor()
    const [asked, allowed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    await page.route('**/diagnostics', async (route) => {
      asked.resolve()
      await allowed.promise
      await route.continue()
    })
    writeFileSync(gate, '')
    await main.getByText('Failed', { exact: true }).first().waitFor()
    await asked.promise
    expect(await page.locator('#diagnosis').count()).toBe(0)
    allowed.resolve()
    await page.locator('#diagnosis').waitFor()
    expect(await excerpt.count()).toBe(1)
    await close()
  },
  TIMEOUT_MS,
)

test.each(['desk', 'phone'] as const)(
  'nothing moves while the page of a failed task loads on a %s',
  async (size) => {
    dashboard.project.commit(`failed-${size}`, 'bad', 'Take payments')
    const environmentId = await dashboard.project.environment(`failed-${size}`, `failed-${size}`)
    const id = await dashboard.project.deploy(environmentId)
    const { page, close } = await openEmpty({ size })
    await page.addInitScript(noteShifts)
    // Answers come one after the other, as over a slow line.
    let turn = Promise.resolve()
    await page.route('**/api/**', async (route) => {
      const before = turn
      turn = (async () => {
        await before
        await route.continue()
        await route.request().response()
        await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
      })()
      await turn
    })
    await page.goto(`/environments/${environmentId}/tasks/${id}`)
    await waitUntilLoaded(page)
    await page.getByRole('list', { name: 'Output around the error' }).waitFor()
    await page.getByRole('link', { name: /^Line \d+ in the output/ }).waitFor()
    const shifted = await shiftsOf(page)
    expect(total(shifted), JSON.stringify(shifted)).toBeLessThanOrEqual(SHIFT)
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await close()
  },
  TIMEOUT_MS,
)

const total = (all: readonly LayoutShift[]): number => all.reduce((sum, { value }) => sum + value, 0)
