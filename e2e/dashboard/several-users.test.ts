// Several users at once: live button states, protection, the limit, and escaping of hostile text.
import { expect, test } from 'vitest'
import { openHook, pushTo } from '../webhooks/deliveries.ts'
import { TIMEOUT_MS } from './browser.ts'
import { useTestDashboard } from './test-dashboard.ts'
import { inviteColleague, type Person } from './test-platform.ts'

const HOSTILE_TITLE = '"><img src=x onerror=alert(1)>{{7*7}}'
/** Titles have no marks that turn the direction of text; commits of others may. */
const HOSTILE = `${HOSTILE_TITLE}\u202e`

let colleague: Person
const dashboard = useTestDashboard(async ({ platform, owner }) => {
  colleague = await inviteColleague(platform, owner)
})

test(
  'a push by webhook disables the buttons of an open page until its deployment ends',
  async () => {
    dashboard.project.commit('main', 'good', 'Begin')
    const id = await dashboard.project.environment('main', 'main')
    const { page, close } = await dashboard.open(`/environments/${id}`, { person: colleague })
    const deploy = page.getByRole('button', { name: /^Deploy/ }).first()
    await deploy.waitFor()
    await expect.poll(() => deploy.getAttribute('aria-disabled')).toBeNull()
    const sha = dashboard.project.commit('main', 'endless', 'Go on for a while')
    const hook = openHook(dashboard.project.webhook.url, dashboard.project.webhook.secret)
    await hook.send({ event: 'push', payload: pushTo('main', { after: sha }) })
    hook.close()
    await page.locator('button[aria-disabled=true]', { hasText: 'Deploy' }).first().waitFor()
    await page
      .getByText(/A deployment of this environment is queued or running/i)
      .first()
      .waitFor()
    const active = (await dashboard.owner.client.getEnvironment({ params: { id } })).active_task
    await dashboard.owner.client.cancelTask({ params: { id: active?.id ?? 0 } })
    await page
      .locator('button:not([aria-disabled])', { hasText: /^Deploy$/ })
      .first()
      .waitFor()
    await close()
  },
  TIMEOUT_MS,
)

test(
  'only the owner can deploy a protected environment, and others read why',
  async () => {
    const id = await dashboard.project.environment('demo', 'main', { protected: true })
    const mine = await dashboard.open(`/environments/${id}`)
    const theirs = await dashboard.open(`/environments/${id}`, { person: colleague })
    const deploy = { name: /^Deploy/ }
    await mine.page.getByRole('button', deploy).first().waitFor()
    await theirs.page.getByRole('button', deploy).first().waitFor()
    await expect.poll(() => mine.page.getByRole('button', deploy).first().getAttribute('aria-disabled')).toBeNull()
    await expect.poll(() => theirs.page.getByRole('button', deploy).first().getAttribute('aria-disabled')).toBe('true')
    await theirs.page
      .getByText('Only Maren Okafor can deploy, change or delete it')
      .first()
      .waitFor({ state: 'attached' })
    await mine.close()
    await theirs.close()
  },
  TIMEOUT_MS,
)

test(
  'at the limit no environment can be created, and the page says why',
  async () => {
    const used = (await dashboard.owner.client.getProject({ params: { id: dashboard.project.id } })).environment_count
    await dashboard.owner.client.updateProject({
      params: { id: dashboard.project.id },
      body: { environment_limit: used },
    })
    const { page, close } = await dashboard.open(`/projects/${dashboard.project.id}`, { person: colleague })
    await page.locator('button[aria-disabled=true]', { hasText: 'New environment' }).first().waitFor()
    await page
      .getByText(`The project has reached its limit of ${used} environments`)
      .first()
      .waitFor({ state: 'attached' })
    await dashboard.owner.client.updateProject({
      params: { id: dashboard.project.id },
      body: { environment_limit: 20 },
    })
    await page.locator('button:not([aria-disabled])', { hasText: 'New environment' }).waitFor()
    await close()
  },
  TIMEOUT_MS,
)

test(
  'hostile names and output are shown as text',
  async () => {
    const id = await dashboard.project.environment('hostile', 'main', { title: HOSTILE_TITLE })
    dashboard.project.commit('main', 'hostile', HOSTILE)
    const taskId = await dashboard.project.deploy(id)
    const { page, consoleErrors, close } = await dashboard.open(`/projects/${dashboard.project.id}`, {
      person: colleague,
    })
    page.on('dialog', () => consoleErrors.push('a script ran'))
    for (const path of [
      `/projects/${dashboard.project.id}`,
      `/environments/${id}`,
      `/environments/${id}/tasks/${taskId}`,
    ]) {
      await page.goto(path)
      await page.getByText('onerror=alert(1)').first().waitFor()
      expect(await page.locator('img[src=x], script:not([src])').count()).toBe(0)
    }
    await page
      .getByRole('button', { name: /^Release/ })
      .first()
      .click()
    await page.getByText('<script>alert("printed")</script>').first().waitFor()
    expect(consoleErrors).toEqual([])
    await close()
  },
  TIMEOUT_MS,
)
