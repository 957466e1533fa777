// The client on the oldest Node that it supports, which Debian 13 has: it installs, signs in, and follows a deployment over a WebSocket.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, constants, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildClient } from '../../packages/cli/build.ts'
import { newToken } from '../../packages/server/src/secrets/token.ts'
import { openDatabase } from '../../packages/server/src/store/database.ts'
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
  })
  afterAll(async () => {
    await journey.stop()
    rmSync(folder, { recursive: true })
  })

  const signIn = async (): Promise<void> => {
    const { url, address, filled } = journey.platform
    const database = await openDatabase(address)
    const { token, digest } = newToken('shw_session_')
    const now = Date.now()
    const times = { created_at: now, last_seen_at: now, expires_at: now + 3_600_000 }
    await database.db
      .insertInto('sessions')
      .values({ user_id: filled.id, token_digest: digest, ...times })
      .execute()
    await database.close()
    const environment = { PATH: process.env.PATH, HOME: folder }
    const words = [join(folder, 'bin/shipway'), 'login', url]
    const child = spawn(olderNode ?? '', words, { cwd: folder, env: environment, stdio: 'pipe' })
    child.stdin.end()
    child.stdout.resume()
    const ended = once(child, 'exit')
    let said = ''
    let isAnswered = false
    for await (const bytes of child.stderr) {
      said += bytes
      const code = /\b[A-Z0-9]{4}-[A-Z0-9]{4}\b/.exec(said)?.[0]
      if (code === undefined || isAnswered) continue
      isAnswered = true
      const headers = { cookie: `shipway_session=${token.reveal()}`, origin: url, 'content-type': 'application/json' }
      const body = JSON.stringify({ decision: 'approve' })
      const answer = await fetch(`${url}/api/device-requests/${code}/answer`, { method: 'POST', headers, body })
      expect(answer.status).toBe(204)
    }
    expect(await ended, said).toEqual([0, null])
  }

  const run = async (...words: readonly string[]) => {
    const environment = { PATH: process.env.PATH, HOME: folder }
    const program = join(folder, 'bin/shipway')
    const child = spawn(olderNode ?? '', [program, ...words], { cwd: folder, env: environment, stdio: 'pipe' })
    child.stdin.end()
    const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
    return { code, out, err }
  }

  test('it installs without a warning, signs in and deploys', async () => {
    const archive = `${journey.platform.url}/client/shipway.tgz`
    const words = ['install', '--global', '--no-audit', '--no-fund', '--engine-strict', '--prefix', folder, archive]
    execFileSync('npm', words, {
      stdio: 'pipe',
      env: { ...process.env, PATH: `${dirname(olderNode ?? '')}:/usr/bin:/bin` },
    })
    expect(await run('--version')).toMatchObject({ code: 0, err: '' })
    await signIn()
    journey.commit({ '.service.yml': 'services:\n  web: {}\nmanual:\n  deploy:\n    - run: echo hello\n' })
    await journey.createEnvironment('main')
    const deployed = await run('deploy', '-p', 'Hello', '-e', 'main', '--wait')
    expect(deployed).toMatchObject({ code: 0, out: expect.stringContaining('hello.localhost') })
    expect(deployed.err).not.toContain('Warning')
    expect(await run('deploy', '-p', 'Hello', '-e', 'nowhere', '--wait')).toMatchObject({ code: 5 })
  })
})
