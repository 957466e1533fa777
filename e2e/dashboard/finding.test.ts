// What users look for on a page is there: links to the git host, other sources to deploy, state in the tab, keys, all users.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { ended } from '../journey.ts'
import { openPage, TIMEOUT_MS } from './browser.ts'
import { BOOKSHOP, useTestDashboard } from './test-dashboard.ts'
import { PASSWORD, signIn } from './test-platform.ts'

let organizationId: number
let staging: number
let deployedTask: number
let deployedSha: string
const dashboard = useTestDashboard(async ({ owner, project }) => {
  organizationId = (await owner.client.getMe()).organizations[0]?.id ?? 0
  deployedSha = project.commit('main', 'good', 'Round prices after tax')
  staging = await project.environment('staging', 'main', { sticky: true })
  deployedTask = await project.deploy(staging)
}, BOOKSHOP)
const { open } = dashboard

const hrefs = (page: Page, selector: string) =>
  page.locator(selector).evaluateAll((links) => links.map((link) => link.getAttribute('href')))

test(
  'a succeeded deployment leads to its address, and its commit, author and branch to the git host',
  async () => {
    const { page, consoleErrors, close } = await open(`/environments/${staging}/tasks/${deployedTask}`)
    const visit = page.getByRole('link', { name: 'Visit' })
    await visit.waitFor()
    const { url } = await dashboard.owner.client.getEnvironment({ params: { id: staging } })
    expect(await visit.getAttribute('href')).toBe(url)
    await expect.poll(() => hrefs(page, 'main a[href$="/tree/main"]')).toHaveLength(1)
    expect(await page.getByRole('link', { name: deployedSha.slice(0, 7) }).getAttribute('href')).toMatch(
      new RegExp(`^https://127\\.0\\.0\\.1/.*/bookshop/commit/${deployedSha}$`),
    )
    await page.getByText('by Priya Raman').first().waitFor()
    await page.goto(`/environments/${staging}`)
    await page.getByText('by Priya Raman').first().waitFor()
    await expect.poll(() => hrefs(page, `main a[href$="/commit/${deployedSha}"]`)).toHaveLength(1)
    await expect.poll(() => hrefs(page, 'main a[href$="/tree/main"]')).toHaveLength(1)
    expect(consoleErrors).toEqual([])
    await close()
  },
  TIMEOUT_MS,
)

test(
  'another branch is deployed once, and the earlier commit again',
  async () => {
    const hotfix = dashboard.project.commit('hotfix', 'good', 'Fix the price of gift cards')
    const { page, consoleErrors, close } = await open(`/environments/${staging}`)
    await page.getByRole('button', { name: /^More/ }).click()
    await page.getByRole('menuitem', { name: 'Deploy a branch or commit…' }).click()
    const deploy = page.getByRole('dialog').getByRole('button', { name: /^Deploy/ })
    expect(await deploy.getAttribute('aria-disabled')).toBe('true')
    await page.getByRole('textbox', { name: 'Branch' }).fill('hot fix')
    await deploy.click()
    await page.getByText('Give a branch name that git accepts').waitFor()
    await page.getByRole('textbox', { name: 'Branch' }).fill('hotfix')
    await deploy.click()
    await page.getByRole('heading', { name: /^Deployment #\d+$/, level: 1 }).waitFor()
    const taskId = Number(new URL(page.url()).pathname.split('/').at(-1))
    expect(await ended(dashboard.owner.client, taskId)).toMatchObject({
      status: 'succeeded',
      branch: 'hotfix',
      commit: { sha: hotfix },
    })
    expect((await dashboard.owner.client.getEnvironment({ params: { id: staging } })).branch).toBe('main')
    await page.goto(`/environments/${staging}/tasks/${deployedTask}`)
    await page.getByRole('button', { name: `Redeploy ${deployedSha.slice(0, 7)}` }).click()
    await page.waitForURL((address) => !address.pathname.endsWith(`/${deployedTask}`))
    const again = Number(new URL(page.url()).pathname.split('/').at(-1))
    expect(await ended(dashboard.owner.client, again)).toMatchObject({ branch: 'main', commit: { sha: deployedSha } })
    expect(consoleErrors.filter((line) => !line.includes('422'))).toEqual([])
    await close()
  },
  TIMEOUT_MS,
)

test(
  'a pull request of a fork is linked before it is approved, and counted where it waits',
  async () => {
    await dashboard.owner.client.updateProject({
      params: { id: dashboard.project.id },
      body: { fork_pull_requests: 'approval' },
    })
    const title = 'Fix the spelling of “Bokmål”'
    await dashboard.project.openPullRequest({ number: 233, branch: 'bokmal', sha: deployedSha, title, isFork: true })
    const { page, consoleErrors, close } = await open(`/projects/${dashboard.project.id}`)
    const link = page.getByRole('link', { name: '#233' })
    expect(await link.getAttribute('href')).toBe('https://github.com/acme/app/pull/233')
    await page.getByRole('link', { name: /^Environments\s*1 waiting$/ }).waitFor()
    await page.getByRole('button', { name: /^Approve/ }).click()
    expect(await page.getByRole('link', { name: 'pull request #233' }).getAttribute('href')).toBe(
      'https://github.com/acme/app/pull/233',
    )
    await page.keyboard.press('Escape')
    await page.goto(`/organizations/${organizationId}`)
    await page.getByText('1 pull request waits').waitFor()
    expect(consoleErrors).toEqual([])
    await close()
  },
  TIMEOUT_MS,
)

test(
  'the palette finds titles of pull requests, the theme and signing out, and ? lists the keys',
  async () => {
    const { page, consoleErrors, close } = await open(`/organizations/${organizationId}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    const find = async (words: string, name: string | RegExp) => {
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox').fill(words)
      await page.getByRole('option', { name }).first().click()
    }
    await find('spelling bokm', /pr-233 Fix the spelling/)
    await page.waitForURL(/\/environments\/\d+$/)
    await find('theme dark', 'Theme: dark')
    await page.waitForFunction(() => document.documentElement.dataset.theme === 'dark')
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByText('Ctrl K').waitFor()
    await page.keyboard.press('Escape')
    await page.goto(`/projects/${dashboard.project.id}`)
    const field = page.getByRole('textbox', { name: 'Filter environments' })
    await field.fill('a?')
    await field.press('?')
    expect(await page.getByRole('dialog').count()).toBe(0)
    expect(consoleErrors).toEqual([])
    await close()
    // A session of its own: the other tests need theirs.
    const credentials = { email: dashboard.owner.email, password: PASSWORD }
    const leaving = await openPage(dashboard.browser, dashboard.platform.url, {
      person: await signIn(dashboard.platform.url, '/api/session', credentials),
    })
    await leaving.page.goto('/profile')
    await leaving.page.getByRole('heading', { level: 1 }).waitFor()
    await leaving.page.keyboard.press('Control+k')
    await leaving.page.getByRole('combobox').fill('sign out')
    await leaving.page.keyboard.press('Enter')
    await leaving.page.waitForURL(/\/sign-in$/)
    await leaving.close()
  },
  TIMEOUT_MS,
)

test(
  'unsaved settings ask before they are left, and a save button without changes has no padlock',
  async () => {
    const { page, consoleErrors, close } = await open(`/environments/${staging}/settings`)
    const save = page.getByRole('button', { name: 'Save: Source' })
    await save.waitFor()
    await expect.poll(() => save.getAttribute('aria-disabled')).toBe('true')
    expect(await save.locator('svg').count()).toBe(0)
    await page.getByRole('textbox', { name: 'Title' }).fill('The next release')
    // Closing the tab asks, too.
    const [closing] = await Promise.all([page.waitForEvent('dialog'), page.close({ runBeforeUnload: true })])
    expect(closing.type()).toBe('beforeunload')
    await closing.dismiss()
    await page.getByRole('link', { name: 'Deployments', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Leave without saving?' })
    await dialog.getByRole('button', { name: 'Stay here' }).click()
    expect(await page.getByRole('textbox', { name: 'Title' }).inputValue()).toBe('The next release')
    await page.getByRole('link', { name: 'Deployments', exact: true }).click()
    await dialog.getByRole('button', { name: 'Leave without saving' }).waitFor()
    // Goes back as soon as the address has changed, before the next page is drawn: nothing is asked again.
    await page.evaluate(async () => {
      const named = (selector: string, text: string) =>
        [...document.querySelectorAll<HTMLElement>(selector)].find((one) => one.textContent?.trim() === text)
      named('dialog button', 'Leave without saving')?.click()
      for (let turn = 0; turn < 1000 && !location.pathname.endsWith('/deployments'); turn += 1) await undefined
      named('a', 'Settings')?.click()
    })
    await page.waitForURL(/\/settings$/)
    // Saved settings are left without a question.
    await page.getByRole('textbox', { name: 'Title' }).fill('The next release')
    await save.click()
    await page.getByText('Saved', { exact: true }).first().waitFor()
    await page.getByRole('link', { name: 'Deployments', exact: true }).click()
    await page.waitForURL(/\/deployments$/)
    expect(consoleErrors).toEqual([])
    await close()
  },
  TIMEOUT_MS,
)

test(
  'the tab shows how a deployment is doing, and a notification comes only after it was asked for',
  async () => {
    dashboard.project.commit('slow', 'endless', 'Import for a while')
    const id = await dashboard.project.environment('slow', 'slow')
    const { page, context, consoleErrors, close } = await openPage(dashboard.browser, dashboard.platform.url, {
      person: dashboard.owner,
    })
    // Stands in for the window of the operating system: counts what the page asks of the browser.
    await context.addInitScript(() => {
      const seen = { asked: 0, shown: [] as string[] }
      class Shown extends EventTarget {
        static permission = 'default'
        static async requestPermission() {
          seen.asked += 1
          Shown.permission = 'granted'
          return 'granted'
        }
        constructor(title: string) {
          super()
          seen.shown.push(title)
        }
        close(): string {
          return 'closed'
        }
      }
      Object.assign(window, { Notification: Shown, seen })
      document.hasFocus = () => false
    })
    const seen = () => page.evaluate(() => (window as unknown as { seen: { asked: number; shown: string[] } }).seen)
    const iconOf = () => page.evaluate(() => document.querySelector<HTMLLinkElement>('link[rel=icon]')?.href ?? '')
    const start = async () => (await dashboard.owner.client.startDeployment({ params: { id } })).id
    const first = await start()
    await page.goto(`/environments/${id}/tasks/${first}`)
    await page.waitForFunction(() => document.title.startsWith('… Deployment'))
    expect(await iconOf()).toMatch(/active.*\.svg$/)
    await dashboard.owner.client.cancelTask({ params: { id: first } })
    await page.waitForFunction(() => document.title.startsWith('Deployment'))
    expect(await iconOf()).toMatch(/brand.*\.svg$/)
    expect(await seen()).toEqual({ asked: 0, shown: [] })
    const second = await start()
    await page.goto(`/environments/${id}/tasks/${second}`)
    await page.getByRole('button', { name: 'Notify me when it ends' }).click()
    await page.getByRole('button', { name: 'You get a notification when it ends' }).waitFor()
    await dashboard.owner.client.cancelTask({ params: { id: second } })
    await page.waitForFunction(
      () => (window as unknown as { seen: { shown: string[] } }).seen.shown[0] === 'slow: deployment canceled',
    )
    expect(await seen()).toEqual({ asked: 1, shown: ['slow: deployment canceled'] })
    await page.goto(`/environments/${staging}`)
    await page.waitForFunction(() => document.title.startsWith('✓ staging'))
    expect(await iconOf()).toMatch(/good.*\.svg$/)
    await page.goto(`/projects/${dashboard.project.id}`)
    await page.waitForFunction(() => document.title.startsWith('bookshop'))
    expect(await iconOf()).toMatch(/brand.*\.svg$/)
    expect(consoleErrors).toEqual([])
    await close()
  },
  TIMEOUT_MS,
)

test(
  'the notice of changed variables names all of them, and an empty value is not called too short',
  async () => {
    await dashboard.owner.client.changeVariables({ params: { id: staging }, body: { set: { CURRENCY: 'EUR-2' } } })
    const { page, consoleErrors, close } = await open(`/environments/${staging}/variables`)
    await page.getByRole('button', { name: 'Add variable' }).click()
    await page.getByLabel('Key').fill('EMPTY')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByText('EMPTY and CURRENCY were set').waitFor()
    expect(await page.getByText('too short to be masked').count()).toBe(0)
    expect(consoleErrors).toEqual([])
    await close()
  },
  TIMEOUT_MS,
)

test(
  'a protected environment does not wear the tag of automatic deployments',
  async () => {
    const id = await dashboard.project.environment('demo', 'main', { protected: true })
    const { page, close } = await open(`/environments/${id}`)
    await page.getByText('Protected', { exact: true }).first().waitFor()
    await expect.poll(() => page.getByText('Auto-deploy', { exact: true }).count()).toBe(1)
    await page.getByText('Off while protected').waitFor()
    await page.goto(`/environments/${staging}`)
    await page.getByText('Sticky', { exact: true }).first().waitFor()
    await expect.poll(() => page.getByText('Auto-deploy', { exact: true }).count()).toBe(2)
    await close()
  },
  TIMEOUT_MS,
)

test(
  'an invitation names organization, inviter, role and address before it is accepted',
  async () => {
    const body = { email: 'jonas@tidewater.example', role: 'viewer' as const }
    const { url } = await dashboard.owner.client.createInvitation({ params: { id: organizationId }, body })
    const signedIn = await open(url ?? '')
    await signedIn.page.getByText('The invitation is for jonas@tidewater.example').waitFor()
    expect(await signedIn.page.getByRole('button', { name: 'Join' }).count()).toBe(0)
    await signedIn.close()
    const { page, close } = await openPage(dashboard.browser, dashboard.platform.url)
    await page.goto(url ?? '')
    await page.getByRole('heading', { name: 'Join Tidewater Books', level: 1 }).waitFor()
    await page.getByText('Maren Okafor invites jonas@tidewater.example as viewer').waitFor()
    await page.getByRole('textbox', { name: 'Your name' }).fill('Jonas')
    await page.getByLabel('Password', { exact: true }).fill('a quiet harbor at dusk')
    await page.getByRole('button', { name: 'Join' }).click()
    await page.waitForURL(`**/organizations/${organizationId}`)
    await close()
    const used = await openPage(dashboard.browser, dashboard.platform.url)
    await used.page.goto(url ?? '')
    await used.page.getByRole('alert').waitFor()
    expect(await used.page.getByRole('button', { name: 'Join' }).count()).toBe(0)
    await used.close()
  },
  TIMEOUT_MS,
)

test(
  'platform administrators see all users and organizations, and an unknown organization is not there',
  async () => {
    const { page, close } = await open('/admin')
    await page.getByRole('link', { name: 'Users', exact: true }).click()
    const users = page.getByRole('list', { name: 'Users' })
    await users.getByText('jonas@tidewater.example').waitFor()
    await users.getByText('Tidewater Books (viewer)').waitFor()
    await page.getByRole('textbox', { name: 'Filter users' }).fill('maren')
    await expect.poll(() => users.getByRole('listitem').count()).toBe(1)
    await page.getByRole('navigation', { name: 'Platform' }).getByRole('link', { name: 'Organizations' }).click()
    await page.getByRole('list', { name: 'Organizations' }).getByText('Owned by Maren Okafor').waitFor()
    await page.getByText('2 members, 1 project, 1 server').waitFor()
    for (const path of ['/organizations/99', '/organizations/99/servers', '/organizations/99/members']) {
      await page.goto(path)
      await page.getByRole('heading', { name: 'Page not found' }).waitFor()
    }
    await close()
  },
  TIMEOUT_MS,
)
