// Signing in in a real browser: with two-factor codes, and with an OpenID Connect provider.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Secret } from '../../packages/server/src/secrets/secret.ts'
import { codeAt, STEP_MS } from '../../packages/server/src/secrets/sign-in/totp.ts'
import {
  type IdentityProvider,
  PROVIDER_CLIENT,
  startIdentityProvider,
} from '../../packages/server/test/sign-in/identity-provider.ts'
import { openIsolatedBrowser, openPage, TIMEOUT_MS, waitUntilLoaded } from './browser.ts'
import { PASSWORD, type Person, startTestPlatform, type TestPlatform } from './test-platform.ts'

let platform: TestPlatform
let browser: Browser
let identities: IdentityProvider
let maren: Person

beforeAll(async () => {
  identities = await startIdentityProvider(() => `${platform.url}/sign-in/provider`)
  platform = await startTestPlatform({
    SHIPWAY_OIDC_ISSUER: identities.issuer,
    SHIPWAY_OIDC_CLIENT_ID: PROVIDER_CLIENT.id,
    SHIPWAY_OIDC_CLIENT_SECRET: PROVIDER_CLIENT.secret,
    SHIPWAY_OIDC_NAME: 'Tidewater ID',
  })
  browser = await openIsolatedBrowser()
  maren = await platform.signUp()
}, TIMEOUT_MS)

afterAll(async () => {
  await browser.close()
  await platform.stop()
  await identities.close()
})

/** The next one is taken already, too, and works for a minute and more. */
const codeOf = (secret: string, away = 0): string => codeAt(new Secret(secret), Math.floor(Date.now() / STEP_MS) + away)

async function enterPassword(page: Page): Promise<void> {
  await page.goto('/sign-in')
  await page.getByLabel('E-mail').fill(maren.email)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

test(
  'a user links the provider, signs in with it, and unlinks it; a guest without a link reads what to do',
  async () => {
    const ada = { sub: 'ada-1', email: 'somebody@else.example', email_verified: true, name: 'Ada' }
    identities.become(ada)
    const member = await openPage(browser, platform.url, { person: maren })
    const guest = await openPage(browser, platform.url)
    await guest.page.goto('/sign-in')
    await guest.page.getByRole('button', { name: 'Sign in with Tidewater ID' }).click()
    await guest.page.getByText('No user here is linked to this account of the provider').waitFor()
    expect(guest.page.url()).toBe(`${platform.url}/sign-in/provider`)

    await member.page.goto('/profile')
    const section = member.page.getByRole('region', { name: 'Tidewater ID' })
    await section.getByRole('button', { name: 'Link…' }).click()
    await member.page.getByRole('dialog').getByLabel('Password').fill(PASSWORD)
    await member.page.getByRole('button', { name: 'Continue' }).click()
    await section.getByText('somebody@else.example').waitFor()
    await waitUntilLoaded(member.page)

    await guest.page.getByRole('link', { name: 'Back to sign-in' }).click()
    await guest.page.getByRole('button', { name: 'Sign in with Tidewater ID' }).click()
    await guest.page.waitForURL('**/organizations/*')
    await section.getByRole('button', { name: 'Unlink' }).click()
    await section.getByText('Not linked.').waitFor()
    expect(member.consoleErrors).toEqual([])
    await member.close()
    await guest.close()
  },
  TIMEOUT_MS,
)

test(
  'a user turns on two-factor codes, signs in with a code and with a recovery code, and turns them off',
  async () => {
    const { page, close } = await openPage(browser, platform.url, { person: maren })
    await page.goto('/profile')
    const section = page.getByRole('region', { name: 'Two-factor codes' })
    await section.getByRole('button', { name: 'Turn on…' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Password').fill(PASSWORD)
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await dialog.getByRole('img', { name: 'The key as a QR code' }).waitFor()
    const key = await dialog.getByRole('region', { name: 'the key' }).innerText()
    const secret = key.replaceAll(/[^A-Z2-7]/g, '')
    const code = dialog.getByLabel('Code from your authenticator app')
    await code.fill('000000')
    await dialog.getByRole('button', { name: 'Turn on' }).click()
    await dialog.getByText('The code is wrong').waitFor()
    await code.fill(codeOf(secret))
    await dialog.getByRole('button', { name: 'Turn on' }).click()
    const codes = dialog.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')
    await codes.first().waitFor()
    const recovery = await codes.allInnerTexts()
    expect(recovery).toHaveLength(10)
    await dialog.getByRole('button', { name: 'I have saved them' }).click()
    await section.getByText('10 recovery codes are left').waitFor()

    // With a code of the app in one browser, and with a recovery code in another one, on a phone.
    for (const [otp, size] of [
      [codeOf(secret, 1), 'desk'],
      [String(recovery[0]), 'phone'],
    ] as const) {
      const guest = await openPage(browser, platform.url, { size })
      await enterPassword(guest.page)
      await guest.page.getByLabel('Code from your authenticator app').fill(otp)
      await guest.page.getByRole('button', { name: 'Sign in', exact: true }).click()
      await guest.page.waitForURL('**/organizations/*')
      await guest.close()
    }

    await page.goto('/profile')
    await section.getByText('9 recovery codes are left').waitFor()
    await section.getByRole('button', { name: 'Turn off…' }).click()
    await dialog.getByLabel('Password').fill(PASSWORD)
    await dialog.getByLabel('Code from your authenticator app').fill(String(recovery[1]))
    await dialog.getByRole('button', { name: 'Turn off' }).click()
    await section.getByText('Off: your password alone').waitFor()
    await close()
  },
  TIMEOUT_MS,
)
