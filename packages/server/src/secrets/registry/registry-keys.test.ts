import { X509Certificate } from 'node:crypto'
import { expect, test } from 'vitest'
import { createRegistryKeys, generateRegistryKey } from './registry-keys.ts'

const installationKey = generateRegistryKey()
const keys = createRegistryKeys(installationKey, 'a1b2c3')
const authorityOf = (serverId: number) => new X509Certificate(keys.authorityOf(serverId))

test('a server has an authority of its own, the same after each start', () => {
  const again = createRegistryKeys(installationKey, 'a1b2c3')
  expect(again.authorityOf(1)).toEqual(keys.authorityOf(1))
  expect(again.certify(1, '192.0.2.1')).toMatchObject({ certificate: keys.certify(1, '192.0.2.1').certificate })
  expect(createRegistryKeys(generateRegistryKey(), 'a1b2c3').authorityOf(1)).not.toEqual(keys.authorityOf(1))
})

test('the certificate of a registry is for its address, and proves nothing to the nodes of another server', () => {
  const certificate = new X509Certificate(keys.certify(1, '192.0.2.1').certificate)
  expect(certificate.checkIP('192.0.2.1')).toBe('192.0.2.1')
  expect(certificate.checkIP('192.0.2.2')).toBeUndefined()
  expect(certificate.verify(authorityOf(1).publicKey)).toBe(true)
  expect(certificate.checkIssued(authorityOf(1))).toBe(true)
  expect(certificate.verify(authorityOf(2).publicKey)).toBe(false)
  expect([certificate.ca, authorityOf(1).ca]).toEqual([false, true])
})

test.each([
  ['pull', ['pull'], 10 * 365 * 86_400],
  ['push', ['pull', 'push'], 6 * 3_600],
] as const)('a token to %s names its repository, its server and its end', (access, actions, seconds) => {
  const now = 1_700_000_000_500
  const token = keys.signToken({ serverId: 7, repository: 'shipway-a1b2c3-env-3-x', access, now })
  const [, claims = ''] = token.reveal().split('.')
  expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({
    iss: 'shipway-a1b2c3',
    aud: 'server-7',
    exp: 1_700_000_000 + seconds,
    access: [{ type: 'repository', name: 'shipway-a1b2c3-env-3-x', actions }],
  })
  expect(String(token)).toBe('[hidden]')
})

test('an address that is not IPv4 has no certificate', () => {
  expect(() => keys.certify(1, '2001:db8::1')).toThrow('not an IPv4 address')
})
