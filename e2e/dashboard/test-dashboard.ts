// A platform and a browser for the tests of one file: started before the first test, stopped after the last.
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { type OpenPage, openIsolatedBrowser, openPage, TIMEOUT_MS, type Viewing } from './browser.ts'
import { createOwner, type Person, startTestPlatform, type TestPlatform, type TestProject } from './test-platform.ts'

export type TestDashboard = {
  readonly platform: TestPlatform
  readonly browser: Browser
  /** The first user, and their project on the platform's own machine. */
  readonly owner: Person
  readonly project: TestProject
  /** A page of the owner, unless `person` says otherwise. */
  open(path: string, viewing?: Viewing & { readonly person?: Person }): Promise<OpenPage>
}

export const BOOKSHOP = { name: 'bookshop', domain: 'books.localhost' }

/** `prepare` runs before the first test. */
export function useTestDashboard(
  prepare: (dashboard: TestDashboard) => Promise<void> = async () => undefined,
  project?: { readonly name: string; readonly domain: string },
): TestDashboard {
  let platform: TestPlatform | undefined
  let browser: Browser | undefined
  let staged: { readonly owner: Person; readonly project: TestProject } | undefined
  const dashboard: TestDashboard = {
    get platform() {
      return started(platform)
    },
    get browser() {
      return started(browser)
    },
    get owner() {
      return started(staged).owner
    },
    get project() {
      return started(staged).project
    },
    open: async (path, viewing = {}) => {
      const opened = await openPage(dashboard.browser, dashboard.platform.url, { person: dashboard.owner, ...viewing })
      await opened.page.goto(path)
      return opened
    },
  }
  beforeAll(async () => {
    platform = await startTestPlatform()
    browser = await openIsolatedBrowser()
    staged = await createOwner(platform, project)
    await prepare(dashboard)
  }, TIMEOUT_MS)
  afterAll(async () => {
    await browser?.close()
    await platform?.stop()
  })
  return dashboard
}

function started<Part>(part: Part | undefined): Part {
  if (part === undefined) throw new Error('The dashboard is started before the first test, not while the file is read')
  return part
}
