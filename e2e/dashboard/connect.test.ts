// The checklist of a new project: a step is ticked when it is done, without a click.
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openIsolatedBrowser, openPage, TIMEOUT_MS } from './browser.ts'
import { createOwner, createProject, type Person, startTestPlatform, type TestPlatform } from './test-platform.ts'

let platform: TestPlatform
let browser: Browser
let owner: Person

beforeAll(async () => {
  platform = await startTestPlatform()
  browser = await openIsolatedBrowser()
  owner = (await createOwner(platform)).owner
}, TIMEOUT_MS)

afterAll(async () => {
  await browser?.close()
  await platform?.stop()
})

test(
  'the repository key is ticked once the git host accepts it',
  async () => {
    const [server] = await owner.client.listServers()
    const scene = { domain: 'blog.localhost', serverIds: [server?.id ?? 0] }
    const blog = await createProject(platform, owner, { name: 'blog', ...scene })
    blog.commit('main', 'good', 'Begin')
    // The git host accepts one key: that of the newest project.
    await createProject(platform, owner, { name: 'other', ...scene, domain: 'other.localhost' })
    const { page, close } = await openPage(browser, platform.url, { person: owner })
    await page.goto(`/projects/${blog.id}/connect`)
    const step = page.getByRole('region', { name: 'Repository key' })
    await step.getByText('Cannot read the repository').waitFor()
    const { repository_key } = await owner.client.getProject({ params: { id: blog.id } })
    platform.gitHost.authorize(repository_key)
    await step.getByText(/^1 branch, newest commit/).waitFor()
    await expect.poll(() => step.getByText('Done').count()).toBe(1)
    await close()
  },
  TIMEOUT_MS,
)
