// The set-up script and people: a real sshd lets in only people whom the platform certified, for what it certified.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Forged, forgeSshCertificate } from '../../../test/access/forge-ssh-certificate.ts'
import { authority, canSetUp, machineToSetUp, principal } from '../../../test/machine-to-set-up.ts'
import { termsOf } from '../../domain/ssh-access.ts'
import { generateSshKey } from '../../secrets/ssh-key.ts'
import { readOutputCommand } from '../access/read-output-command.ts'
import { encodeRevocationList } from '../access/revocation-list.ts'
import { createSshAuthority, generateSshAuthorityKey } from '../ssh/ssh-authority.ts'

const peopleKey = generateSshAuthorityKey()
const people = createSshAuthority(peopleKey)
const strangersKey = generateSshAuthorityKey()
const access = '/home/shipway/.shipway/a1b2c3/access'
const command = readOutputCommand('.shipway/a1b2c3', 7)
/** As a shell would read it. */
const IFS = '$' + '{IFS}'

const key = generateSshKey('somebody')

const terms = (purpose: 'logs' | 'shell', serial = 1) =>
  termsOf({
    purpose,
    userId: 3,
    serial,
    requestId: 'r',
    principal,
    now: Date.now(),
    ttlSeconds: undefined,
    forcedCommand: command,
  })
const issue = (purpose: 'logs' | 'shell', serial = 1): string =>
  people.sign({ ...terms(purpose, serial), publicKey: key.publicKey })
const forge = (changes: Partial<Forged>, by = peopleKey): string =>
  forgeSshCertificate(by, { publicKey: key.publicKey, principals: [`${principal}-shell`], ...changes })
const denied = { exitCode: 255, stderr: expect.stringContaining('Permission denied') }

type SignIn = { readonly options?: readonly string[]; readonly command?: readonly string[]; readonly user?: string }

/** Call it in a `describe`: a machine that was set up for people, with its sshd running. */
function machineForPeople(options: { readonly isForAll: boolean }) {
  const { machine, setUp, shell, start, state } = machineToSetUp(options)
  const files = mkdtempSync(join(tmpdir(), 'shipway-people-'))
  beforeAll(() => writeFileSync(join(files, 'key'), key.privateKey.reveal(), { mode: 0o600 }))
  afterAll(() => rmSync(files, { recursive: true }))

  const begin = options.isForAll ? beforeAll : beforeEach
  begin(async () => {
    expect(letPeopleIn()).toMatchObject({ stderr: '' })
    shell(`cat >/home/shipway/.shipway/a1b2c3/read-output.sh <<'END'
printf 'read %s [%s]\\n' "$1" "$SSH_ORIGINAL_COMMAND"
[ -t 0 ] && echo terminal
[ -z "$SSH_AUTH_SOCK$DISPLAY" ] || echo forwarded
true
END`)
    start(['/usr/sbin/sshd', '-D', '-e'])
    await vi.waitUntil(() => shell('grep -l ":0016 .* 0A " /proc/net/tcp') !== '', { timeout: 120_000 })
  })
  const letPeopleIn = (...more: string[]) => setUp('--edge', 'none', '--people', people.publicKey, ...more)

  const signIn = (certificate: string, { options = [], command: words = [], user = 'shipway' }: SignIn = {}) => {
    writeFileSync(join(files, 'key-cert.pub'), `${certificate}\n`)
    const settings = {
      IdentitiesOnly: 'yes',
      BatchMode: 'yes',
      StrictHostKeyChecking: 'no',
      UserKnownHostsFile: '/dev/null',
    }
    const all = Object.entries({ ...settings, LogLevel: 'ERROR' }).flatMap(([name, value]) => [
      '-o',
      `${name}=${value}`,
    ])
    const own = ['-F', 'none', ...all, '-i', join(files, 'key'), ...options, '-l', user, '--', '127.0.0.1']
    return machine().run(['ssh', ...own, ...words])
  }
  return { setUp, shell, state, letPeopleIn, signIn }
}

describe.skipIf(!canSetUp)('a machine that lets people in', () => {
  const { signIn, letPeopleIn } = machineForPeople({ isForAll: true })

  test('accepts certificates of the platform, and none that differs in any field', () => {
    expect(signIn(issue('shell'), { command: ['id', '-un'] })).toMatchObject({ exitCode: 0, stdout: 'shipway\n' })
    expect(signIn(issue('logs'))).toMatchObject({ exitCode: 0, stdout: 'read 7 []\n' })
    const refused: Record<string, string> = {
      'of another server': forge({ principals: [`${principal.replace(/.$/, '0')}-shell`] }),
      'of another organization': forge({ principals: [`${principal.replace('-7-', '-8-')}-shell`] }),
      'with the name of the user': forge({ principals: ['shipway'] }),
      'of another purpose': forge({ principals: [`${principal}-root`] }),
      'without a principal': forge({ principals: [] }),
      expired: forge({ from: -600, until: -1 }),
      'not valid yet': forge({ from: 600, until: 1200 }),
      'for a host': forge({ isHost: true }),
      'of another authority': forge({}, strangersKey),
      'with an option that sshd does not know': forge({ criticalOptions: { 'only-on-sunday@example.com': 'yes' } }),
      'for another address': forge({ criticalOptions: { 'source-address': '192.0.2.0/24' } }),
      altered: issue('shell').replace(/.{8}$/, 'AAAAAAAA'),
    }
    for (const [name, certificate] of Object.entries(refused))
      expect(signIn(certificate, { command: ['id'] }), name).toMatchObject(denied)
    expect(signIn(issue('shell'), { command: ['id'], user: 'root' })).toMatchObject(denied)
  })

  test('allows what the principals file says, whatever the certificate says', () => {
    const all = [
      'permit-X11-forwarding',
      'permit-agent-forwarding',
      'permit-port-forwarding',
      'permit-pty',
      'permit-user-rc',
    ]
    const logs = forge({
      principals: [`${principal}-logs`],
      extensions: all,
      criticalOptions: { 'force-command': command },
    })
    expect(signIn(logs, { options: ['-tt'] })).toMatchObject({ stdout: '', stderr: expect.stringContaining('PTY') })
    const tunnel = signIn(forge({ extensions: all }), { options: ['-W', '127.0.0.1:22'] })
    expect(tunnel).toMatchObject({ exitCode: 255, stderr: expect.stringContaining('forwarding failed') })
  })

  test('runs the forced command of a certificate for logs, whatever is requested', () => {
    const asked = [
      ...['id', 'web;id', '-n5;id', `-n${IFS}2||${IFS}ps${IFS}aux${IFS}||echo`, '--since=1h\nid', '../other', '$(id)'],
      ...['web --follow --tail=999999999', '`id`', "'; id; '", '\\', 'sh -c id', '/usr/lib/openssh/sftp-server'],
    ]
    for (const words of asked)
      expect(signIn(issue('logs'), { command: [words] })).toEqual({
        exitCode: 0,
        stdout: `read 7 [${words}]\n`,
        stderr: '',
      })
  })

  test('gives a certificate for logs no terminal, no files and no forwarding', () => {
    const logs = issue('logs')
    expect(signIn(logs, { options: ['-tt'] })).toMatchObject({ stdout: '', stderr: expect.stringContaining('PTY') })
    expect(signIn(logs, { options: ['-s'], command: ['sftp'] }).stdout).toMatch(/^read 7 \[/)
    expect(signIn(logs, { options: ['-W', '127.0.0.1:22'] })).toMatchObject({ exitCode: 255, stdout: '' })
    expect(
      signIn(logs, { options: ['-N', '-o', 'ExitOnForwardFailure=yes', '-R', '4711:127.0.0.1:22'] }).exitCode,
    ).toBe(255)
    expect(signIn(logs, { options: ['-A', '-X'] }).stdout).toBe('read 7 []\n')
  })

  test('gives a certificate for a shell a terminal, and no forwarding', () => {
    const certificate = issue('shell')
    expect(signIn(certificate, { options: ['-tt'], command: ['[ -t 0 ] && echo terminal'] }).stdout).toContain(
      'terminal',
    )
    expect(signIn(certificate, { options: ['-W', '127.0.0.1:22'] }).exitCode).toBe(255)
    const remote = ['-N', '-o', 'ExitOnForwardFailure=yes', '-R', '4711:127.0.0.1:22']
    expect(signIn(certificate, { options: remote }).exitCode).toBe(255)
  })

  test.each([
    ['--people', 'ssh-rsa AAAA', 12],
    ['--people', `${people.publicKey}\nssh-ed25519 AAAA`, 12],
    ['--break-glass', 'command="id" ssh-ed25519 AAAA', 2],
    ['--break-glass', 'ssh-ed25519 AAAA\nssh-ed25519 AAAA', 2],
  ])('takes nothing strange after %s', (name, value, exitCode) => {
    expect(letPeopleIn(name, value).exitCode).toBe(exitCode)
  })
})

describe.skipIf(!canSetUp)('a machine that lets people in, and is changed', () => {
  const { setUp, shell, state, signIn, letPeopleIn } = machineForPeople({ isForAll: false })

  test('refuses a revoked serial, and accepts the same key with another serial', () => {
    const revoke = (...serials: number[]): void => {
      const list = encodeRevocationList({ authorityKey: people.publicKey, serials }).toString('base64')
      shell(
        `echo ${list} | base64 -d >${access}/revoked.new; chown shipway ${access}/revoked.new; mv ${access}/revoked.new ${access}/revoked`,
      )
    }
    const code = (serial: number) => signIn(issue('shell', serial), { command: ['true'] }).exitCode
    revoke(5, 8, 70_000)
    expect([4, 5, 6, 8, 70_000].map(code)).toEqual([0, 255, 0, 255, 255])
    expect(
      signIn(
        authority.certify({ publicKey: key.publicKey, principals: [principal], keyId: 'p', validForMs: 60_000 }).line,
        { command: ['true'] },
      ).exitCode,
    ).toBe(0)
    revoke()
    expect(code(5)).toBe(0)
    // With half a list, sshd refuses everybody: running the set-up line fixes it.
    shell(`printf 'SSHKRL\\n\\0half' >${access}/revoked`)
    expect(code(4)).toBe(255)
    letPeopleIn()
    expect(code(4)).toBe(0)
  })

  test('keeps the list, and changes nothing when the script is run again', () => {
    const list = encodeRevocationList({ authorityKey: people.publicKey, serials: [5] }).toString('base64')
    shell(`echo ${list} | base64 -d >${access}/revoked`)
    const before = state()
    expect(letPeopleIn()).toMatchObject({ stderr: '' })
    expect(state()).toBe(before)
  })

  test('lets in only the platform after an earlier line was run', async () => {
    setUp('--edge', 'none')
    await vi.waitUntil(() => signIn(issue('logs')).exitCode === 255, { timeout: 120_000 })
    expect(shell(`ls ${access}`)).toBe('revoked\n')
    const own = authority.certify({ publicKey: key.publicKey, principals: [principal], keyId: 'p', validForMs: 60_000 })
    expect(signIn(own.line, { command: ['true'] }).exitCode).toBe(0)
  })

  test('lets in no user of its previous organization', () => {
    const other = createSshAuthority(strangersKey).publicKey
    setUp('--edge', 'none', '--principal', principal.replace('-7-', '-8-'), '--people', other)
    expect(signIn(issue('shell'), { command: ['true'] }).exitCode).toBe(255)
  })

  test('ignores keys in the home, and accepts the break-glass key', () => {
    const plain = (): number | null => signIn('', { command: ['true'] }).exitCode
    shell(
      `mkdir -p /home/shipway/.ssh; echo '${key.publicKey}' >/home/shipway/.ssh/authorized_keys; chown -R shipway /home/shipway/.ssh`,
    )
    expect(plain()).toBe(255)
    expect(letPeopleIn('--break-glass', key.publicKey).stdout).toContain(
      'Keys that sign in as shipway without the platform',
    )
    expect(plain()).toBe(0)
    letPeopleIn()
    expect(plain()).toBe(0)
  })

  test('still lets people in when the folder in the home is gone, and the line restores it', () => {
    shell('rm -rf /home/shipway/.shipway')
    expect(signIn(issue('shell'), { command: ['true'] }).exitCode).toBe(0)
    letPeopleIn()
    expect(shell(`ls ${access}/`)).toBe('revoked\ntrusted\n')
  })

  test('does not follow links that its user puts in place of the list', () => {
    shell(`rm -f ${access}/revoked; ln -s /etc/shadow ${access}/revoked`)
    const before = shell('cat /etc/shadow; stat -c %U:%a /etc/shadow')
    letPeopleIn()
    expect(shell('cat /etc/shadow; stat -c %U:%a /etc/shadow')).toBe(before)
    expect(signIn(issue('shell'), { command: ['true'] }).exitCode).toBe(0)
    // A listener that never answers must not block the script.
    shell(
      `rm ${access}/revoked; mkfifo ${access}/revoked; rm ${access}; mkdir -p ${access}/x; mkfifo ${access}/trusted; chown -R shipway ${access}`,
    )
    expect(letPeopleIn()).toMatchObject({ stderr: '' })
    expect(signIn(issue('shell'), { command: ['true'] }).exitCode).toBe(0)
  })

  test('reports an existing list of revoked keys, and changes nothing if that one has precedence', () => {
    shell(
      "echo 'RevokedKeys /etc/ssh/others' >>/etc/ssh/sshd_config; : >/etc/ssh/others; rm /etc/ssh/sshd_config.d/50-shipway-*",
    )
    expect(letPeopleIn().stdout).toContain('and no more by /etc/ssh/others')
    shell("printf 'Match User shipway\\n  RevokedKeys /etc/ssh/others\\n' >/etc/ssh/sshd_config.d/10-other.conf")
    const { exitCode, stderr } = letPeopleIn()
    expect({ exitCode, stderr }).toEqual({
      exitCode: 13,
      stderr: expect.stringContaining('another list of revoked keys, /etc/ssh/others'),
    })
  })

  test('keeps the existing keys of an account', () => {
    shell(
      `useradd -m -s /bin/sh other; mkdir /home/other/.ssh; echo '${key.publicKey}' >/home/other/.ssh/authorized_keys; chown -R other /home/other/.ssh`,
    )
    letPeopleIn('--user', 'other')
    expect(signIn('', { command: ['id', '-un'], user: 'other' }).stdout).toBe('other\n')
  })
})

test('ssh-keygen reads the list correctly', () => {
  const folder = mkdtempSync(join(tmpdir(), 'shipway-list-'))
  const list = join(folder, 'list')
  const asks = (serial: number): boolean => {
    writeFileSync(
      join(folder, 'c.pub'),
      `${forgeSshCertificate(peopleKey, { publicKey: generateSshKey('').publicKey, principals: ['p'], serial })}\n`,
    )
    try {
      execFileSync('ssh-keygen', ['-Q', '-f', list, join(folder, 'c.pub')], { stdio: 'pipe' })
      return false
    } catch {
      return true
    }
  }
  writeFileSync(list, encodeRevocationList({ authorityKey: people.publicKey, serials: [3, 2 ** 40] }))
  expect([1, 3, 2 ** 40].map(asks)).toEqual([false, true, true])
  rmSync(folder, { recursive: true })
})
