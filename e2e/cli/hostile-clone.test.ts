// A clone whose link file names a platform of the attacker's, which shows codes that it asked the real platform for.
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Platform, startPlatform } from '../../tools/platform.ts'
import { isOnThePath } from '../../tools/real-parts/programs.ts'
import { openProgram, type Program } from './program.ts'
import { openTerminal, type Screen } from './terminal.ts'

let platform: Platform
/** The address that the real platform has as its own. */
let real: string
let attacker: Server
let hostile: string
/** What the attacker makes of the real platform's answer. */
let forge: (answer: Record<string, unknown>) => unknown
let asked: string[]
let program: Program
let clone: string

beforeAll(async () => {
  platform = await startPlatform('embedded', async () => undefined)
  real = platform.url.replace('127.0.0.1', 'localhost')
  attacker = createServer(async (request, response) => {
    asked.push(`${request.method} ${request.url}`)
    const body = new URLSearchParams({ client_id: 'shipway-cli', scope: 'read' })
    const answer = await fetch(`${platform.url}/oauth/device_authorization`, { method: 'POST', body })
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify(forge(Object(await answer.json()))))
  })
  attacker.listen(0, '127.0.0.1')
  await once(attacker, 'listening')
  hostile = `http://127.0.0.1:${(attacker.address() as AddressInfo).port}`
  program = openProgram({})
  clone = join(program.home, 'clone')
  mkdirSync(clone)
  writeFileSync(join(clone, '.shipway'), JSON.stringify({ project: 'shop', url: hostile }))
  asked = []
  forge = (answer) => answer
})
afterEach(() => {
  asked = []
  forge = (answer) => answer
})
afterAll(async () => {
  program.stop()
  attacker.close()
  await platform.stop()
})

const credentials = () => join(program.home, 'config/shipway/credentials.json')

describe('the address of a link file', () => {
  test('is refused without a terminal', async () => {
    const { code, out, err } = await program.inProcess.run(['login'], { folder: clone })
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain(`Only the file ${join(clone, '.shipway')} names ${hostile}`)
    expect(err).toContain('--url ADDRESS or SHIPWAY_URL')
    expect(asked).toEqual([])
    expect(existsSync(credentials())).toBe(false)
  })

  test('is in no suggested command', async () => {
    const { code, err } = await program.inProcess.run(['deploy'], { folder: clone })
    expect(code).toBe(4)
    expect(err).toContain('.shipway names it. If it is your platform, sign in first: shipway login\n')
    expect(err).not.toContain(`login ${hostile}`)
    expect(asked).toEqual([])
  })

  test('gets no token from other commands, and no prompt', async () => {
    mkdirSync(join(program.home, 'config/shipway'), { recursive: true })
    const signIn = { access_token: 'shw_at_x', refresh_token: 'shw_rt_x', expires_at: 0, scope: 'read' }
    const kept = JSON.stringify({ version: 1, current: real, instances: { [real]: signIn } })
    writeFileSync(credentials(), kept, { mode: 0o600 })
    for (const words of [['deploy'], ['whoami'], ['logout'], ['envs', 'list'], ['open'], ['ssh', '--server', 'x']]) {
      await program.inProcess.run(words, { folder: clone })
    }
    const withToken = { SHIPWAY_TOKEN: 'shw_pat_x' }
    expect(await program.inProcess.run(['deploy'], { folder: clone, env: withToken })).toMatchObject({ code: 2 })
    expect(asked).toEqual([])
    expect(readFileSync(credentials(), 'utf8')).toBe(kept)
  })

  describe.runIf(isOnThePath('script'))('on a terminal', () => {
    let screen: Screen
    afterEach(() => screen.stop())
    // Wide enough that the question is never wrapped, however long the folder's path is.
    const login = () => openTerminal(program, ['login'], { columns: 250, rows: 24, folder: clone })

    test('needs confirmation, which names the file', async () => {
      screen = login()
      const shown = await screen.shows(/\[y\/N\]/)
      expect(shown.replaceAll('\n', '')).toContain(`names ${hostile}`)
      screen.type('n\r')
      expect(await screen.ended).toBe(1)
      expect(screen.lines().join('\n')).toContain('You were not signed in')
      expect(asked).toEqual([])
    })

    test('is used after a yes, if its codes are its own', async () => {
      forge = (answer) => ({ ...answer, verification_uri: `${hostile}/device`, verification_uri_complete: undefined })
      screen = login()
      await screen.shows(/\[y\/N\]/)
      screen.type('y\r')
      const shown = await screen.shows(/Waiting …/)
      expect(shown).toContain(`Signing in to ${hostile}\nOpen ${hostile}/device and enter`)
      screen.type('\u0003')
      expect(await screen.ended).toBe(130)
    })
  })
})

describe('a platform that shows the code of another one', () => {
  test.each<[string, (answer: Record<string, unknown>) => unknown]>([
    ['both addresses', (answer) => answer],
    ['the address', (answer) => ({ ...answer, verification_uri_complete: `${hostile}/device` })],
    ['the address with the code', (answer) => ({ ...answer, verification_uri: `${hostile}/device` })],
  ])('is refused by %s', async (_name, forged) => {
    forge = forged
    const { code, err } = await program.inProcess.run(['login', hostile])
    expect(code).toBe(4)
    expect(err).toContain(`wants you to approve its code at ${real}, so you were not signed in`)
    expect(err).toContain(`shipway login ${real}\n`)
    expect(err).not.toMatch(/[A-Z]{4}-[A-Z]{4}/)
    expect(asked).toEqual(['POST /oauth/device_authorization'])
  })

  test.each<[string, object]>([
    ['an address that no browser should open', { verification_uri: 'javascript:alert(1)' }],
    ['a file', { verification_uri: 'file:///etc/passwd' }],
    ['no address at all', { verification_uri: 'device' }],
    ['a code that is none', { user_code: 'ABCD. Then open http://elsewhere.example' }],
    ['a code with an escape', { user_code: '\u001b]0;title\u0007ABCD' }],
  ])('or %s shows no code', async (_name, fields) => {
    forge = (answer) => ({
      ...answer,
      verification_uri: `${hostile}/device`,
      verification_uri_complete: undefined,
      ...fields,
    })
    const { code, out, err } = await program.inProcess.run(['login', hostile])
    expect(code).not.toBe(0)
    expect(out).toBe('')
    expect(err).not.toContain('Waiting')
    expect(err).not.toContain('\u001b')
  })
})
