// A new user takes the client from the platform, as the README says, and signs in with it.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildClient } from '../../packages/cli/build.ts'
import { buildId } from '../../tools/build-id.ts'
import { type Platform, startPlatform } from '../../tools/platform.ts'
import { buildOwner } from '../journey.ts'

let platform: Platform & { filled: { token: string } }
const folder = mkdtempSync(join(tmpdir(), 'shipway-install-'))

beforeAll(async () => {
  await buildClient()
  platform = await startPlatform('embedded', buildOwner)
}, 60_000)
afterAll(async () => {
  await platform.stop()
  rmSync(folder, { recursive: true })
})

const settings = () => ({
  ...process.env,
  SHIPWAY_URL: platform.url,
  SHIPWAY_TOKEN: platform.filled.token,
  NO_COLOR: '1',
})

test('npm installs it from the platform', () => {
  const words = [
    'install',
    '--global',
    '--no-audit',
    '--no-fund',
    '--prefix',
    folder,
    `${platform.url}/client/shipway.tgz`,
  ]
  execFileSync('npm', words, { stdio: 'pipe' })
  const whoami = execFileSync(process.execPath, [join(folder, 'bin/shipway'), 'whoami'], {
    env: settings(),
    encoding: 'utf8',
  })
  expect(whoami).toContain('User')
})

test('the single file works too', async () => {
  const answer = await fetch(`${platform.url}/client/shipway.mjs`)
  expect(answer.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
  const file = join(folder, 'shipway.mjs')
  writeFileSync(file, await answer.text())
  expect(execFileSync(process.execPath, [file, '--version'], { env: settings(), encoding: 'utf8' })).toBe(
    `shipway 1.15.0+${buildId()}\n`,
  )
  // The platform serves the client of its own build.
  expect(answer.headers.get('x-service-version')).toBe(`v1.15.0+${buildId()}`)
})
