// The line to paste, and how the script handles unexpected arguments.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { authority, principal, script, words } from '../../../test/machine-to-set-up.ts'
import { Secret } from '../../secrets/secret.ts'
import { joinLine, setUpLine } from './server-set-up.ts'

describe('the line to paste', () => {
  const installation = {
    baseUrl: 'https://ship.example.com',
    installationId: 'a1b2c3',
    sshAuthorityKey: authority.publicKey,
    registryAuthority: () => Buffer.from('authority'),
  }
  const server = {
    id: 7,
    connection: 'ssh',
    runtime: 'compose',
    unixUser: 'shipway',
    principal,
    peopleAuthorityKey: null,
  } as const

  test('runs the script with what the server needs', () => {
    expect(setUpLine(installation, server)).toBe(
      'curl -fsSL https://ship.example.com/server.sh | sudo sh -s -- --installation a1b2c3 --user shipway ' +
        `--principal ${principal} --authority '${authority.publicKey}'`,
    )
  })

  test('names the authority for the people of the organization where there is one', () => {
    expect(setUpLine(installation, { ...server, peopleAuthorityKey: 'ssh-ed25519 AAAA' })).toBe(
      `${setUpLine(installation, server)} --people 'ssh-ed25519 AAAA'`,
    )
  })

  test('of a Swarm makes a manager, and a worker learns nothing of how the platform signs in', () => {
    const swarm = { ...server, runtime: 'swarm' } as const
    const words = `--registry-authority ${Buffer.from('authority').toString('base64')}`
    expect(setUpLine(installation, swarm)).toBe(`${setUpLine(installation, server)} --swarm manager ${words}`)
    const join = { token: new Secret('SWMTKN-1-a-b'), address: '2001:db8::1' }
    expect(joinLine(installation, swarm, { ...join, role: 'worker' })).toBe(
      'curl -fsSL https://ship.example.com/server.sh | sudo sh -s -- --installation a1b2c3 --swarm worker ' +
        `${words} --join SWMTKN-1-a-b --manager '[2001:db8::1]:2377'`,
    )
    expect(joinLine(installation, swarm, { ...join, role: 'manager' })).toContain(setUpLine(installation, swarm))
  })

  test("there is none for the platform's own machine", () => {
    expect(setUpLine(installation, { ...server, connection: 'local' })).toBeNull()
  })

  test('is quoted correctly, whatever the address contains', () => {
    const baseUrl = "https://$(id)'x`id`.example.com"
    const line = setUpLine({ ...installation, baseUrl }, server) ?? ''
    const functions = 'curl() { printf "%s\\n" "$@"; }; sudo() { cat; printf "%s\\n" "$@"; };'
    const read = execFileSync('sh', ['-c', `${functions} ${line}`], { encoding: 'utf8' })
    expect(read.split('\n')).toEqual(['-fsSL', `${baseUrl}/server.sh`, 'sh', '-s', '--', ...words, ''])
  })
})

describe('the arguments of the script', () => {
  const run = (...given: string[]) =>
    spawnSync('sh', ['-s', '--', '--dry-run', ...given], { input: script, encoding: 'utf8' })
  const folder = mkdtempSync(join(tmpdir(), 'shipway-words-'))
  const mark = join(folder, 'mark')
  afterAll(() => rmSync(folder, { recursive: true }))

  test.each([
    ['an unknown word', ['--force'], 2],
    ['a word without its value', ['--user'], 2],
    ['no installation', ['--authority', authority.publicKey], 2],
    ['an edge that there is not', [...words, '--edge', 'nginx'], 2],
    ['a port of letters', [...words, '--edge-http-port', '8o'], 2],
    ['a port beyond the last', [...words, '--edge-http-port', '65536'], 2],
    ['one port for both', [...words, '--edge-http-port', '443'], 2],
    ['no principal, as in lines of earlier versions', words.toSpliced(4, 2), 2],
    ['the user as principal', [...words, '--principal', 'shipway'], 2],
    ['half a principal', [...words, '--principal', principal.slice(0, -1)], 2],
    ['a principal of no organization', [...words, '--principal', principal.replace('-7-', '--')], 2],
    ['two principals', [...words, '--principal', `${principal}\n${principal}`], 2],
    ['no authority', words.slice(0, 6), 12],
    ['an authority of another type', [...words, '--authority', 'ssh-rsa AAAAB3NzaC1yc2E'], 12],
    ['an authority with options before it', [...words, '--authority', `cert-authority ${authority.publicKey}`], 12],
    ['two authorities', [...words, '--authority', `${authority.publicKey}\n${authority.publicKey}`], 12],
    ['an authority with a comment', [...words, '--authority', `${authority.publicKey} me`], 12],
    ['half an authority', [...words, '--authority', authority.publicKey.slice(0, -4)], 12],
  ])('%s is refused with a sentence, and nothing is done', (_, given, exitCode) => {
    const { status, stdout, stderr } = run(...given)
    expect({ status, stdout }).toEqual({ status: exitCode, stdout: '' })
    expect(stderr).toMatch(/^[A-Z-].*\.\n$/)
  })

  const hostile = [
    `$(touch ${mark})`,
    `\`touch ${mark}\``,
    `a;touch ${mark}`,
    `a\ntouch ${mark}`,
    `'; touch ${mark}; '`,
    `"a`,
    '-rf',
    'a b',
    'é',
    '',
  ]
  const options = [
    '--installation',
    '--user',
    '--principal',
    '--edge',
    '--edge-http-port',
    '--edge-https-port',
    '--authority',
    '--other',
  ]
  test.each(options)('the value of %s is only data', (option) => {
    for (const value of hostile) {
      const { status, stdout } = run(...words, option, value)
      expect([2, 12], value).toContain(status)
      expect(stdout).toBe('')
    }
    expect(existsSync(mark)).toBe(false)
  })

  test('a wrong argument is shown without control characters', () => {
    expect(run('--\u001b[2Jx').stderr).toContain("'--[2Jx'")
  })

  test('a truncated download does nothing', () => {
    for (const share of [0.1, 0.4, 0.6, 0.8, 0.95, 0.999]) {
      const input = script.slice(0, Math.floor(script.length * share))
      const { stdout } = spawnSync('sh', ['-s', '--', '--dry-run', ...words], { input, encoding: 'utf8' })
      expect(stdout, `${share}`).toBe('')
    }
  })

  test.each(shells)('%s can read it', (shell, ...more) => {
    const { status, stderr } = spawnSync(shell, [...more, '-n'], { input: script, encoding: 'utf8' })
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  })
})

const shells = [['dash'], ['bash', '--posix'], ['busybox', 'sh']].filter(
  ([shell = '']) => spawnSync('which', [shell]).status === 0,
) as [string, ...string[]][]
