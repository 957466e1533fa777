// The real client requests a sign-in, which a user approves in a real browser.
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openProgram, type Program } from '../cli/program.ts'
import { openIsolatedBrowser, openPage, TIMEOUT_MS } from './browser.ts'
import { PASSWORD, startTestPlatform, type TestPlatform } from './test-platform.ts'

let platform: TestPlatform
let browser: Browser
let program: Program

beforeAll(async () => {
  platform = await startTestPlatform()
  browser = await openIsolatedBrowser()
  program = openProgram({})
  await platform.signUp()
}, TIMEOUT_MS)

afterAll(async () => {
  program.stop()
  await browser.close()
  await platform.stop()
})

test(
  'a guest opens the printed address, signs in and approves, and the client is signed in',
  async () => {
    const { child, ended } = program.start(['login', platform.url])
    let printed = ''
    const code = await new Promise<string>((resolve) => {
      child.stderr?.on('data', (chunk) => {
        printed += chunk
        const found = /^\s+([A-Z]{4}-[A-Z]{4})$/m.exec(printed)?.[1]
        if (found !== undefined) resolve(found)
      })
    })
    const { page, close } = await openPage(browser, platform.url)
    expect(printed).toContain(`Signing in to ${platform.url}\nOpen ${platform.url}/device and enter`)
    await page.goto('/device')
    await page.getByLabel('E-mail').fill('maren@tidewater.example')
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('textbox', { name: 'Code' }).fill(code)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('Approve only if you have just started this yourself').waitFor()
    const facts = await page.locator('dl').innerText()
    for (const fact of [code, platform.url, 'Shipway command line', 'from the address 127.0.0.1', 'Maren Okafor']) {
      expect(facts).toContain(fact)
    }
    expect(await page.locator('dl li').allInnerTexts()).toHaveLength(5)
    await page.getByRole('button', { name: 'Approve' }).click()
    await page.getByRole('heading', { name: 'You are signed in' }).waitFor()
    expect((await ended).code).toBe(0)
    expect((await program.run(['whoami'], { env: { SHIPWAY_URL: platform.url } })).out).toContain('Maren Okafor')
    await close()
  },
  TIMEOUT_MS,
)
