// A git host is connected in the browser; a project from it gets its key and webhook, which a real sshd and the API of the host prove.
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ConnectedHostServer, startConnectedHost } from '../../packages/server/test/connections/connected-host.ts'
import { createOrigin } from '../../packages/server/test/origin.ts'
import { openIsolatedBrowser, openPage, TIMEOUT_MS } from './browser.ts'
import { createOwner, type Person, startTestPlatform, type TestPlatform } from './test-platform.ts'

let platform: TestPlatform
let browser: Browser
let owner: Person
let host: ConnectedHostServer
let organizationId: number

beforeAll(async () => {
  platform = await startTestPlatform()
  browser = await openIsolatedBrowser()
  owner = (await createOwner(platform)).owner
  organizationId = (await owner.client.getMe()).organizations[0]?.id ?? 0
  host = await startConnectedHost('gitea')
  const origin = createOrigin(join(platform.gitHost.folder, 'connected.git'))
  origin.commit({ 'readme.md': 'A shop' })
  host.sshAddressOf = () => platform.gitHost.address(origin.path)
  // The sshd lets in whichever key the host has.
  host.onAnswer = () => platform.gitHost.authorize(host.keys[0]?.key ?? 'none')
}, TIMEOUT_MS)

afterAll(async () => {
  await browser?.close()
  await platform?.stop()
  await host?.stop()
})

test(
  'a token is entered, tried, and used for a project whose key and webhook come back when they are deleted',
  async () => {
    const { page, close, consoleErrors } = await openPage(browser, platform.url, { person: owner })
    await page.goto(`/organizations/${organizationId}/connections`)
    await page.getByText('No connections yet').waitFor()
    await page.getByRole('button', { name: 'Add connection' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Git host').selectOption('gitea')
    await dialog.getByLabel('Address').fill(host.base)
    await dialog.getByLabel('Access token').fill('a-wrong-one')
    await dialog.getByRole('button', { name: 'Connect' }).click()
    await dialog.getByText('The git host refuses this token').waitFor()
    await dialog.getByLabel('Access token').fill(host.token)
    await dialog.getByRole('button', { name: 'Connect' }).click()
    await page.getByRole('button', { name: 'Open the connection Gitea' }).waitFor()
    expect(await page.getByText(/127\.0\.0\.1:\d+ · ada/).count()).toBe(1)

    const [connection] = await owner.client.listConnections({ params: { id: organizationId } })
    const [server] = await owner.client.listServers()
    const project = await owner.client.createProject({
      body: {
        name: 'connected',
        connection_id: connection?.id ?? 0,
        repository: 'acme/shop',
        domain: 'connected.localhost',
        server_ids: [server?.id ?? 0],
        default_branch: 'main',
      },
    })
    expect(project.repository_access).toMatchObject({ status: 'ready', reason: null })
    await page.goto(`/projects/${project.id}/connect`)
    const step = page.getByRole('region', { name: 'Repository' })
    await step.getByText(/^Connected, last proven/).waitFor()
    // The git host lists the webhook, and has sent nothing yet.
    await step.getByText('No event has arrived yet').waitFor()
    host.keys.splice(0)
    host.hooks.splice(0)
    host.onAnswer()
    // The button takes no click before the first check is over.
    await Promise.all([
      page.waitForResponse((response) => response.url().endsWith(`/api/projects/${project.id}/repository-check`)),
      step.getByRole('button', { name: 'Check now' }).click(),
    ])
    expect([host.keys.length, host.hooks.length]).toEqual([1, 1])
    await step.locator('button:not([aria-busy])', { hasText: 'Check now' }).waitFor()
    // The key is refused although the host lists it.
    host.onAnswer = () => platform.gitHost.authorize('none')
    await step.getByRole('button', { name: 'Check now' }).click()
    await step.getByText('refuses the key of this project').first().waitFor()
    // The refused token is one.
    expect(consoleErrors.filter((line) => !line.includes('status of 422'))).toEqual([])

    await page.goto(`/organizations/${organizationId}/connections`)
    await page.getByRole('button', { name: 'Open the connection Gitea' }).click()
    await dialog.getByRole('button', { name: 'Delete…' }).click()
    await dialog.getByRole('button', { name: 'Delete connection' }).click()
    await dialog.getByText('Projects use this connection: connected').waitFor()
    await close()
  },
  TIMEOUT_MS,
)
