// The client on the oldest Node that it supports, which Debian 13 has: it installs, and follows a deployment over a WebSocket.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, constants, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildClient } from '../../packages/cli/build.ts'
import { beginJourney, type Journey } from '../journey.ts'

/** The machine's own Node, if it is an older one than the tests run on. */
const olderNode = (process.env.PATH ?? '')
  .split(delimiter)
  .map((folder) => join(folder, 'node'))
  .find(
    (program) => isRunnable(program) && /^v2[0-3]\./.test(execFileSync(program, ['--version'], { encoding: 'utf8' })),
  )

function isRunnable(program: string): boolean {
  try {
    accessSync(program, constants.X_OK)
    return true
  } catch {
    return false
  }
}

describe.skipIf(olderNode === undefined)('the client on an older Node', () => {
  const folder = mkdtempSync(join(tmpdir(), 'shipway-older-node-'))
  let journey: Journey
  beforeAll(async () => {
    await buildClient()
    journey = await beginJourney('embedded', 'ssh')
  }, 120_000)
  afterAll(async () => {
    await journey.stop()
    rmSync(folder, { recursive: true })
  })

  const run = async (...words: readonly string[]) => {
    const { url, filled } = journey.platform
    const environment = { PATH: process.env.PATH, HOME: folder, SHIPWAY_URL: url, SHIPWAY_TOKEN: filled.token }
    const program = join(folder, 'bin/shipway')
    const child = spawn(olderNode ?? '', [program, ...words], { cwd: folder, env: environment, stdio: 'pipe' })
    child.stdin.end()
    const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
    return { code, out, err }
  }

  test('it installs without a warning, and deploys', { timeout: 120_000 }, async () => {
    const archive = `${journey.platform.url}/client/shipway.tgz`
    const words = ['install', '--global', '--no-audit', '--no-fund', '--engine-strict', '--prefix', folder, archive]
    execFileSync('npm', words, {
      stdio: 'pipe',
      env: { ...process.env, PATH: `${dirname(olderNode ?? '')}:/usr/bin:/bin` },
    })
    expect(await run('--version')).toMatchObject({ code: 0, err: '' })
    journey.commit({ '.service.yml': 'services:\n  web: {}\nmanual:\n  deploy:\n    - run: echo hello\n' })
    await journey.createEnvironment('main')
    const deployed = await run('deploy', '-p', 'Hello', '-e', 'main', '--wait')
    expect(deployed).toMatchObject({ code: 0, out: expect.stringContaining('hello.localhost') })
    expect(deployed.err).not.toContain('Warning')
    expect(await run('deploy', '-p', 'Hello', '-e', 'nowhere', '--wait')).toMatchObject({ code: 5 })
  })
})
