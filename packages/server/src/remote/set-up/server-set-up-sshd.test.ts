// The set-up script and sshd: who can sign in afterwards, and what happens if sshd refuses the settings.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { authority, canSetUp, machineToSetUp, principal as own } from '../../../test/machine-to-set-up.ts'
import { generateSshKey } from '../../secrets/ssh-key.ts'
import { createSshAuthority, generateSshAuthorityKey, type SshAuthority } from '../ssh/ssh-authority.ts'

describe.skipIf(!canSetUp)('a machine with sshd', () => {
  const { machine, setUp, shell, start } = machineToSetUp()
  const files = mkdtempSync(join(tmpdir(), 'shipway-keys-'))
  const key = generateSshKey('test')
  beforeAll(() => writeFileSync(join(files, 'key'), key.privateKey.reveal(), { mode: 0o600 }))
  afterAll(() => rmSync(files, { recursive: true }))

  const startSshd = async (): Promise<void> => {
    shell('mkdir -p /run/sshd')
    start(['/usr/sbin/sshd', '-D', '-e'])
    await vi.waitUntil(() => shell('grep -l ":0016 .* 0A " /proc/net/tcp') !== '', waiting)
  }
  const signIn = (by: SshAuthority, user: string, principal = own) => {
    const certificate = by.certify({
      publicKey: key.publicKey,
      principals: [principal],
      keyId: 'test',
      validForMs: 60_000,
    })
    writeFileSync(join(files, 'certificate'), `${certificate.line}\n`)
    const options = {
      IdentitiesOnly: 'yes',
      BatchMode: 'yes',
      StrictHostKeyChecking: 'no',
      UserKnownHostsFile: '/dev/null',
    }
    const settings = Object.entries(options).flatMap(([name, value]) => ['-o', `${name}=${value}`])
    const own = ['-i', join(files, 'key'), '-o', `CertificateFile=${join(files, 'certificate')}`]
    return machine().run(['ssh', '-F', 'none', ...settings, ...own, `${user}@127.0.0.1`, 'id -un'])
  }

  test('lets in only the platform, as its user', async () => {
    // As on machines whose other users sign in with certificates as well.
    shell("echo 'AuthorizedPrincipalsFile /etc/ssh/principals/%u' >>/etc/ssh/sshd_config")
    await startSshd()
    expect(signIn(authority, 'shipway').exitCode).toBe(255)
    expect(setUp('--edge', 'none').stdout).toContain('Telling sshd to read its settings.')
    await vi.waitUntil(() => signIn(authority, 'shipway').exitCode === 0, waiting)
    expect(signIn(authority, 'shipway').stdout).toBe('shipway\n')
    const denied = { exitCode: 255, stderr: expect.stringContaining('Permission denied') }
    expect(signIn(createSshAuthority(generateSshAuthorityKey()), 'shipway')).toMatchObject(denied)
    for (const other of ['root', 'shipway', otherServer])
      expect(signIn(authority, 'shipway', other)).toMatchObject(denied)
    expect(signIn(authority, 'root')).toMatchObject(denied)
    const settingsOf = (user: string) => shell(`/usr/sbin/sshd -T -C user=${user},host=localhost,addr=127.0.0.1`)
    expect(settingsOf('shipway')).toMatch(/^clientaliveinterval 60\nclientalivecountmax 3$/m)
    expect(settingsOf('root')).toMatch(/^clientaliveinterval 0$/m)
  })

  test('that an earlier version set up no longer lets in the user by name', async () => {
    shell('mkdir -p /etc/ssh/sshd_config.d; echo shipway >/etc/ssh/shipway-a1b2c3.principals')
    setUp('--edge', 'none')
    await startSshd()
    expect(signIn(authority, 'shipway').exitCode).toBe(0)
    expect(signIn(authority, 'shipway', 'shipway').exitCode).toBe(255)
    expect(shell('cat /etc/ssh/shipway-a1b2c3.principals')).toBe(`${own}\n`)
  })

  test('that is two servers of an organization lets in both, and none of another organization', async () => {
    await startSshd()
    setUp('--edge', 'none')
    setUp('--edge', 'none', '--principal', otherServer)
    const codes = () => [own, otherServer, stranger].map((name) => signIn(authority, 'shipway', name).exitCode)
    await vi.waitUntil(() => codes().every((code, index) => code === [0, 0, 255][index]), waiting)
    // The operator gives the machine to another organization: the first one loses access.
    setUp('--edge', 'none', '--principal', stranger)
    expect(codes()).toEqual([255, 255, 0])
  })

  test('unlocks an account that was there, and leaves a password that it has', async () => {
    shell("useradd -m -s /bin/sh shipway; useradd -m -s /bin/sh other; usermod -p '$6$kept' other")
    await startSshd()
    setUp('--edge', 'none')
    await vi.waitUntil(() => signIn(authority, 'shipway').exitCode === 0, waiting)
    setUp('--edge', 'none', '--user', 'other')
    expect(shell('getent shadow shipway other | cut -d : -f 1,2')).toBe('shipway:*\nother:$6$kept\n')
  })

  test('that refuses the settings gets the previous ones back', () => {
    shell(`mkdir -p /etc/ssh/sshd_config.d; echo '# before' >/etc/ssh/sshd_config.d/50-shipway-a1b2c3.conf
        rm -f /run/bin/sshd
        printf '%s\\n' '#!/bin/sh' 'grep -q Match /etc/ssh/sshd_config.d/50-* && { echo "line 2: bad" >&2; exit 255; }' 'exec /usr/sbin/sshd "$@"' >/run/bin/sshd
        chmod +x /run/bin/sshd`)
    const { exitCode, stderr } = setUp()
    expect({ exitCode, stderr }).toEqual({
      exitCode: 13,
      stderr: expect.stringContaining('sshd refuses the settings: line 2: bad'),
    })
    expect(shell('cat /etc/ssh/sshd_config.d/50-*; ls /etc/ssh/shipway* 2>&1')).toMatch(/^# before\nls: cannot access/)
  })

  test.each([
    [
      'does not read the folder of settings',
      "sed -i '/^Include/d' /etc/ssh/sshd_config",
      'Include /etc/ssh/sshd_config.d/*.conf',
    ],
    ['is broken already', "echo 'Nonsense yes' >>/etc/ssh/sshd_config", 'not valid as they are'],
    [
      'trusts another authority for the user',
      "printf 'Match User shipway\\nTrustedUserCAKeys /etc/passwd\\n' >/etc/ssh/sshd_config.d/10-other.conf",
      'choose another user',
    ],
  ])('that %s is left as it was', (_, change, sentence) => {
    shell(`mkdir -p /etc/ssh/sshd_config.d; ${change}`)
    const was = shell('ls -R /etc/ssh')
    expect(setUp()).toMatchObject({ exitCode: 13, stderr: expect.stringContaining(sentence) })
    expect(shell('ls -R /etc/ssh')).toBe(was)
  })

  test('with restrictions on users is reported', () => {
    shell("echo 'AllowUsers root' >>/etc/ssh/sshd_config")
    expect(setUp().stdout).toContain('Add shipway to them.')
  })
})

const otherServer = own.replace(/.$/, '0')
const stranger = own.replace('-7-', '-77-')

/** Far longer than needed, also on a busy machine. */
const waiting = { timeout: 120_000 }
