import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { generateSshKey } from '../../secrets/ssh-key.ts'
import { createSshAuthority, generateSshAuthorityKey } from './ssh-authority.ts'

const folder = mkdtempSync(join(tmpdir(), 'shipway-certificate-'))
afterAll(() => rmSync(folder, { recursive: true }))

const authority = createSshAuthority(generateSshAuthorityKey())
const keygen = (...words: string[]): string =>
  execFileSync('ssh-keygen', words, { encoding: 'utf8', env: { TZ: 'UTC' } })
const write = (name: string, text: string): string => {
  writeFileSync(join(folder, name), `${text}\n`)
  return join(folder, name)
}
const request = {
  publicKey: generateSshKey('somebody').publicKey,
  principals: ['deploy', 'root'],
  keyId: 'user=7;task:12_a-b',
  validForMs: 600_000,
}
/** The lines that ssh-keygen shows of a certificate, without their indentation. */
const shown = (line: string): string[] =>
  keygen('-L', '-f', write('cert.pub', line))
    .split('\n')
    .map((one) => one.trim())

test('ssh-keygen shows what was certified, and by whom', () => {
  const certificate = authority.certify({
    ...request,
    criticalOptions: { 'source-address': '10.0.0.0/8', 'force-command': 'tail -f "a b"' },
    extensions: ['permit-pty', 'permit-agent-forwarding'],
  })
  const time = (date: Date): string => date.toISOString().slice(0, 19)
  const lines = shown(certificate.line)
  expect(lines.slice(1)).toEqual([
    'Type: ssh-ed25519-cert-v01@openssh.com user certificate',
    expect.stringMatching(/^Public key: ED25519-CERT SHA256:/),
    `Signing CA: ED25519 ${authority.fingerprint} (using ssh-ed25519)`,
    'Key ID: "user=7;task:12_a-b"',
    `Serial: ${certificate.serial}`,
    `Valid: from ${time(certificate.validAfter)} to ${time(certificate.validBefore)}`,
    'Principals:',
    'deploy',
    'root',
    'Critical Options:',
    'force-command tail -f "a b"',
    'source-address 10.0.0.0/8',
    'Extensions:',
    'permit-agent-forwarding',
    'permit-pty',
    '',
  ])
})

test('a certificate begins a minute ago and lasts as long as was asked', () => {
  const before = Date.now()
  const { validAfter, validBefore } = authority.certify(request)
  expect(validBefore.getTime() - validAfter.getTime()).toBe(660_000)
  expect(validAfter.getTime()).toBeLessThanOrEqual(Date.now() - 59_000)
  expect(validAfter.getTime()).toBeGreaterThan(before - 62_000)
})

test.each([
  ['ecdsa', '256', 'ECDSA-CERT'],
  ['ecdsa', '521', 'ECDSA-CERT'],
  ['rsa', '3072', 'RSA-CERT'],
])('a key of the type %s with %s bits can be certified', (type, bits, shownType) => {
  const path = join(folder, `${type}-${bits}`)
  keygen('-q', '-t', type, '-b', bits, '-N', '', '-f', path)
  const { line } = authority.certify({ ...request, publicKey: readFileSync(`${path}.pub`, 'utf8').trim() })
  const fingerprint = keygen('-l', '-f', `${path}.pub`).split(' ')[1]
  expect(shown(line)).toContain(`Public key: ${shownType} ${fingerprint}`)
})

test('the type of a security key keeps its place in the name of the certificate', () => {
  const inner = (text: string | Buffer): Buffer =>
    Buffer.concat([Buffer.from([0, 0, 0, text.length]), Buffer.from(text)])
  const type = 'sk-ssh-ed25519@openssh.com'
  const blob = Buffer.concat([inner(type), inner(Buffer.alloc(32, 7)), inner('ssh:')])
  const { line } = authority.certify({ ...request, publicKey: `${type} ${blob.toString('base64')}` })
  expect(shown(line)[1]).toBe('Type: sk-ssh-ed25519-cert-v01@openssh.com user certificate')
})

test.each([
  ['no principal', { principals: [] }],
  ['an empty principal', { principals: ['root', ''] }],
  ['a key id with a line break', { keyId: 'a\nb' }],
  ['an empty key id', { keyId: '' }],
  ['no time to live', { validForMs: -61_000 }],
  ['a key of another type than it says', { publicKey: request.publicKey.replace('ssh-ed25519', 'ssh-rsa') }],
  ['no key', { publicKey: '' }],
])('a certificate with %s is not made', (_what, change) => {
  expect(() => authority.certify({ ...request, ...change })).toThrow(TypeError)
})

test('every certificate has a serial of its own, greater than zero and below 2^63', () => {
  const serials = Array.from({ length: 50 }, () => authority.certify(request).serial)
  expect(new Set(serials).size).toBe(50)
  for (const serial of serials) expect(serial > 0n && serial < 2n ** 63n).toBe(true)
})

test('the same private key makes the same authority, and another key another one', () => {
  const key = generateSshAuthorityKey()
  expect(createSshAuthority(key).publicKey).toBe(createSshAuthority(key).publicKey)
  expect(createSshAuthority(key).publicKey).not.toBe(authority.publicKey)
  expect(keygen('-l', '-f', write('authority.pub', authority.publicKey))).toContain(` ${authority.fingerprint} `)
})

test('an authority shows nothing of its private key', () => {
  const key = generateSshAuthorityKey()
  expect(inspect(createSshAuthority(key), { showHidden: true, depth: 5 })).not.toContain('PRIVATE')
  expect(`${key} ${inspect(key)}`).toBe('[hidden] [hidden]')
})
