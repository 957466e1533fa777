// Messages and dialogs of small changes, in a real browser.
import { expect, test } from 'vitest'
import { TIMEOUT_MS } from './browser.ts'
import { BOOKSHOP, useTestDashboard } from './test-dashboard.ts'
import { inviteColleague } from './test-platform.ts'

let builtId: number
const dashboard = useTestDashboard(async ({ project }) => {
  project.commit('main', 'good', 'Round prices after tax')
  await project.environment('staging', 'main')
  builtId = await project.environment('built', 'main')
}, BOOKSHOP)

test(
  'a deployment started in a list shows a toast with a link to it',
  async () => {
    const { page, consoleErrors, close } = await dashboard.open(`/projects/${dashboard.project.id}`)
    await page.getByRole('button', { name: 'Deploy staging' }).click()
    await page.getByRole('link', { name: /^Deployment #\d+$/ }).click()
    await page.getByRole('heading', { name: /^Deployment #\d+$/, level: 1 }).waitFor()
    expect(consoleErrors).toEqual([])
    await close()
  },
  TIMEOUT_MS,
)

test(
  'a list that the platform failed to answer names the request',
  async () => {
    const { page, close } = await dashboard.open('/profile')
    const detail = 'Something failed here. Report it with the request id'
    const problem = {
      type: 'about:blank',
      title: 'Failed',
      status: 500,
      code: 'internal_error',
      instance: 'urn:request:7',
    }
    const body = JSON.stringify({ ...problem, detail, request_id: '7f3e-of-the-log' })
    await page.route('**/api/servers*', (route) =>
      route.fulfill({ status: 500, contentType: 'application/json', body }),
    )
    await page.getByRole('link', { name: 'Servers' }).click()
    await page.getByText('Request id: 7f3e-of-the-log').waitFor()
    await close()
  },
  TIMEOUT_MS,
)

test(
  'a variable is available to builds until that is unset',
  async () => {
    const params = { id: builtId }
    await dashboard.owner.client.updateEnvironment({ params, body: { recipe: 'docker' } })
    const { page, consoleErrors, close } = await dashboard.open(`/environments/${builtId}/variables`)
    await page.getByRole('button', { name: 'Add variable' }).click()
    await page.getByLabel('Key').fill('NODE_VERSION')
    await page.getByRole('textbox', { name: 'Value' }).fill('24')
    await page.getByRole('checkbox', { name: 'Available to builds' }).check()
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByText('available to builds', { exact: true }).waitFor()
    const marks = async () =>
      (await dashboard.owner.client.listVariables({ params })).variables.map(({ key, build }) => ({ key, build }))
    expect(await marks()).toEqual([{ key: 'NODE_VERSION', build: true }])
    await page.getByRole('button', { name: 'Replace NODE_VERSION' }).click()
    await page.getByRole('textbox', { name: 'Value' }).fill('26')
    await page.getByRole('checkbox', { name: 'Available to builds' }).uncheck()
    await page.getByRole('button', { name: 'Replace', exact: true }).click()
    await expect.poll(marks).toEqual([{ key: 'NODE_VERSION', build: false }])
    await page.getByText('available to builds', { exact: true }).waitFor({ state: 'detached' })
    expect(consoleErrors).toEqual([])
    await close()
  },
  TIMEOUT_MS,
)

test(
  'an owner of a protected environment can be removed after a new owner is chosen',
  async () => {
    const maren = dashboard.owner
    const jonas = await inviteColleague(dashboard.platform, maren)
    const guarded = await jonas.client.createEnvironment({
      params: { id: dashboard.project.id },
      body: { name: 'guarded', branch: 'main', protected: true },
    })
    const { page, consoleErrors, close } = await dashboard.open(`/organizations/1/members`)
    await page.getByRole('button', { name: 'Remove Jonas' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Remove', exact: true }).click()
    await dialog.getByText('guarded').first().waitFor()
    expect(await dialog.textContent()).not.toContain('new_owner_id')
    await dialog.getByRole('combobox', { name: 'New owner' }).selectOption({ label: 'Maren Okafor (owner)' })
    await dialog.getByRole('button', { name: 'Remove', exact: true }).click()
    await page.getByText('Jonas is no longer a member').waitFor()
    const { owner } = await maren.client.getEnvironment({ params: { id: guarded.id } })
    expect(owner.name).toBe(maren.name)
    // The browser reports every 409 on the console, also the one that asks for a new owner.
    expect(consoleErrors.filter((consoleError) => !consoleError.includes('409'))).toEqual([])
    await close()
  },
  TIMEOUT_MS,
)
