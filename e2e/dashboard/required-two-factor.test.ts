// Required two-factor codes and ended sessions in a real browser: what owners, members and administrators see.
import { expect, test } from 'vitest'
import { Secret } from '../../packages/server/src/secrets/secret.ts'
import { codeAt, STEP_MS } from '../../packages/server/src/secrets/sign-in/totp.ts'
import { TIMEOUT_MS } from './browser.ts'
import { useTestDashboard } from './test-dashboard.ts'
import { inviteColleague, PASSWORD, type Person } from './test-platform.ts'

let colleague: Person
const dashboard = useTestDashboard(async ({ platform, owner }) => {
  colleague = await inviteColleague(platform, owner)
})

const codeOf = (secret: string): string => codeAt(new Secret(secret), Math.floor(Date.now() / STEP_MS))

test(
  'an owner requires codes, and a member without them is led to the profile, turns them on, and is back',
  async () => {
    const { owner } = dashboard
    const theirs = await dashboard.open('/', { person: colleague })
    await theirs.page.getByRole('link', { name: 'shop' }).first().waitFor()
    const organizationId = (await owner.client.getMe()).organizations[0]?.id ?? 0
    const settings = await dashboard.open(`/organizations/${organizationId}/settings`)
    const section = settings.page.getByRole('region', { name: 'Required two-factor codes' })
    await section.getByRole('button', { name: 'Require codes…' }).click()
    const dialog = settings.page.getByRole('dialog')
    await dialog.getByText('jonas@tidewater.example').waitFor()
    await dialog.getByRole('button', { name: 'Require codes' }).click()
    // The owner has none either.
    await dialog.getByText('This would lock you out').waitFor()
    const { secret } = await owner.client.startSecondFactor({ body: { password: PASSWORD } })
    await owner.client.confirmSecondFactor({ body: { otp: codeOf(secret) } })
    await dialog.getByRole('button', { name: 'Require codes' }).click()
    await section.getByText('Required.').waitFor()
    await settings.close()

    // The open page of the member changes by itself.
    await theirs.page.getByRole('heading', { name: 'Turn on two-factor codes to continue' }).waitFor()
    await expect.poll(() => theirs.page.getByRole('link', { name: 'shop' }).count()).toBe(0)
    await theirs.page.getByRole('link', { name: 'Turn on two-factor codes' }).click()
    await theirs.page.getByText('Turn them on below to get access.').waitFor()
    const codes = theirs.page.getByRole('region', { name: 'Two-factor codes' })
    await codes.getByRole('button', { name: 'Turn on…' }).click()
    const turnOn = theirs.page.getByRole('dialog')
    await turnOn.getByLabel('Password').fill(PASSWORD)
    await turnOn.getByRole('button', { name: 'Continue' }).click()
    const key = await turnOn.getByRole('region', { name: 'the key' }).innerText()
    await turnOn.getByLabel('Code from your authenticator app').fill(codeOf(key.replaceAll(/[^A-Z2-7]/g, '')))
    await turnOn.getByRole('button', { name: 'Turn on' }).click()
    // The recovery codes stay until they are saved.
    await turnOn.getByRole('list', { name: 'Recovery codes' }).waitFor()
    await turnOn.getByRole('button', { name: 'I have saved them' }).click()
    await theirs.page.getByText('Turn them on below to get access.').waitFor({ state: 'detached' })
    await theirs.page.goto('/')
    await theirs.page.getByRole('link', { name: 'shop' }).first().waitFor()
    await theirs.close()
  },
  TIMEOUT_MS,
)

test(
  'a platform administrator sees where a user is signed in, and signs them out everywhere',
  async () => {
    const theirs = await dashboard.open('/', { person: colleague })
    await theirs.page.getByRole('link', { name: 'shop' }).first().waitFor()
    const { page, close } = await dashboard.open('/admin/users')
    await page.getByRole('button', { name: 'Sessions of Jonas' }).click()
    const dialog = page.getByRole('dialog')
    await dialog
      .getByRole('button', { name: /^Sign out / })
      .first()
      .waitFor()
    await dialog.getByRole('button', { name: 'Revoke personal tokens' }).click()
    await page.getByText(/personal tokens? of Jonas revoked/).waitFor()
    await dialog.getByRole('button', { name: 'Sign out everywhere' }).click()
    await page.getByText('Jonas is signed out everywhere').waitFor()
    await theirs.page.waitForURL(/sign-in/)
    await theirs.close()
    await close()
  },
  TIMEOUT_MS,
)
