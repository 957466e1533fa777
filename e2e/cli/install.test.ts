// A new user takes the client from the platform, as the README says, and signs in with it.
import { execFile, execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BUILT_CLIENT, buildClient } from '../../packages/cli/build.ts'
import { buildId } from '../../tools/build-id.ts'
import { type Platform, startPlatform } from '../../tools/platform.ts'
import { buildOwner } from '../journey.ts'
import { type Relay, startRelay } from './relay.ts'

let platform: Platform & { filled: { token: string } }
const folder = mkdtempSync(join(tmpdir(), 'shipway-install-'))

beforeAll(async () => {
  await buildClient()
  platform = await startPlatform('embedded', buildOwner)
})
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

describe('upgrade', () => {
  /** The platform as it would be after its next release: only its version differs. */
  let relay: Relay
  let isAltered = false
  const program = join(folder, 'older-shipway')
  const run = (file: string, ...words: string[]) => {
    const { SHIPWAY_URL: _none, ...env } = settings()
    return promisify(execFile)(process.execPath, [file, 'upgrade', ...words], { cwd: folder, env, encoding: 'utf8' })
  }
  const install = () => {
    // Other bytes than the platform serves.
    writeFileSync(program, `${readFileSync(BUILT_CLIENT, 'utf8')}\n// older\n`, { mode: 0o755 })
    writeFileSync(join(folder, 'package.json'), '{"type": "module"}')
  }
  beforeAll(async () => {
    relay = await startRelay(platform.url)
    relay.interfere = (line, answer) => {
      if (line === 'GET /healthz') answer.end('{"status":"ok","version":"v9.9.9"}')
      else if (isAltered && line === 'GET /client/shipway.mjs') answer.end('console.log("altered")')
      else return false
      return true
    }
  })
  afterAll(() => relay.stop())

  test('replaces the file by the verified one of the platform, and keeps its mode', async () => {
    install()
    const { stdout } = await run(program, '--url', relay.url)
    expect(stdout).toBe(`Replaced 1.15.0+${buildId()} by 1.15.0+${buildId()}: ${realpathSync(program)}\n`)
    expect(readFileSync(program)).toEqual(readFileSync(BUILT_CLIENT))
    expect(statSync(program).mode & 0o777).toBe(0o755)
    expect(readdirSync(folder).filter((name) => name.startsWith('older-shipway'))).toEqual(['older-shipway'])
  })

  test('changes nothing if the checksum differs, or if the client fits already', async () => {
    install()
    const before = readFileSync(program)
    isAltered = true
    await expect(run(program, '--url', relay.url)).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/does not have the checksum that the platform names\nNothing was changed/),
    })
    isAltered = false
    const { stdout } = await run(program, '--url', platform.url)
    expect(stdout).toBe(`1.15.0+${buildId()} fits the platform\n`)
    expect(readFileSync(program)).toEqual(before)
  })

  test('never replaces what npm installed, and takes no address from a file of the repository', async () => {
    await expect(run(join(folder, 'bin/shipway'), '--url', relay.url)).rejects.toMatchObject({
      code: 1,
      stderr: `npm installed this client, so npm replaces it\nnpm i -g ${relay.url}/client/shipway.tgz\n`,
    })
    install()
    const passed = relay.passed.length
    writeFileSync(join(folder, '.shipway'), JSON.stringify({ project: 'x', url: relay.url }))
    await expect(run(program)).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^Only .*\.shipway names .*\n.*--url/),
    })
    expect(relay.passed).toHaveLength(passed)
  })
})
