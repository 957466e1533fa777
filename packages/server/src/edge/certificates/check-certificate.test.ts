// Which certificates are accepted, and the errors for others.
import { execFileSync } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { expect, test } from 'vitest'
import { makeCertificate } from '../../../test/make-certificate.ts'
import { Secret } from '../../secrets/secret.ts'
import { checkCertificate } from './check-certificate.ts'

const DAY_MS = 86_400_000
const root = makeCertificate({ names: ['authority.test'], isAuthority: true })
const middle = makeCertificate({ names: ['middle.test'], isAuthority: true, issuer: root })
const site = makeCertificate({ names: ['*.Example.com', 'example.com'], issuer: middle })
const chain = `${site.certificate}${middle.certificate}`

const check = (certificate: string, privateKey: string, now = Date.now()) =>
  checkCertificate(certificate, new Secret(privateKey), now)

const codes = (...words: Parameters<typeof check>) => check(...words).faults.map(({ code }) => code)

test('a certificate with its chain and key is read', () => {
  const { certificate, faults } = check(chain, site.privateKey)
  expect(faults).toEqual([])
  expect(certificate).toMatchObject({ names: ['*.example.com', 'example.com'], issuer: 'Test, middle.test' })
  expect(certificate?.fingerprint).toMatch(/^[0-9A-F]{40}$/)
  expect((certificate?.notAfter ?? 0) - (certificate?.notBefore ?? 0)).toBe(90 * DAY_MS)
})

test('text around the certificates and blank lines are removed', () => {
  const untidy = `subject=CN = example.com\r\n\r\n${site.certificate.replaceAll('\n', '\r\n\r\n')}\n\nissuer\n${middle.certificate}\n`
  const untidyKey = `  ${site.privateKey.replaceAll('\n', '\r\n\r\n  ')}`
  expect(check(untidy, untidyKey).certificate?.chain).toBe(chain)
})

test('a private key in the field of the certificate is not kept', () => {
  const kept = check(`${site.privateKey}${chain}`, site.privateKey).certificate?.chain
  expect(kept).not.toContain('PRIVATE')
})

test('the private key prints as hidden', () => {
  const { certificate } = check(chain, site.privateKey)
  expect(JSON.stringify(certificate)).not.toContain(site.privateKey.split('\n')[1])
})

test('a key of another certificate is refused', () => {
  expect(check(chain, middle.privateKey).faults).toEqual([
    {
      field: 'private_key',
      code: 'other_private_key',
      sentence: 'The private key belongs to another certificate',
    },
  ])
})

test('a certificate that is expired or not yet valid is refused with the time', () => {
  const [ended] = check(chain, site.privateKey, Date.now() + 91 * DAY_MS).faults
  expect(ended?.code).toBe('expired')
  expect(ended?.sentence).toMatch(/^The certificate ended at 20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ\. Supply its successor$/)
  expect(codes(chain, site.privateKey, Date.now() - DAY_MS)).toEqual(['not_yet_valid'])
})

test('a chain in the wrong order, or with an unrelated certificate, is refused', () => {
  expect(codes(`${middle.certificate}${site.certificate}`, site.privateKey)).toEqual(['chain_order'])
  expect(codes(`${site.certificate}${root.certificate}`, site.privateKey)).toEqual(['chain_order'])
  expect(codes(`${chain}${root.certificate}`, site.privateKey)).toEqual([])
  expect(codes(`${site.certificate}${site.certificate}`, site.privateKey)).toEqual(['chain_order'])
})

test('an issuer of the same name that did not sign is refused', () => {
  const impostor = makeCertificate({ names: ['middle.test'], isAuthority: true, issuer: root })
  expect(codes(`${site.certificate}${impostor.certificate}`, site.privateKey)).toEqual(['chain_order'])
})

test('a certificate without a domain is refused', () => {
  const unnamed = makeCertificate({ names: [] })
  expect(codes(unnamed.certificate, unnamed.privateKey)).toEqual(['no_names'])
})

test('keys that browsers or HAProxy do not support are refused', () => {
  for (const key of [['rsa:1024'], ['ed25519'], ['ec', '-pkeyopt', 'ec_paramgen_curve:secp256k1']]) {
    const weak = makeCertificate({ names: ['example.com'], key })
    expect(codes(weak.certificate, weak.privateKey), key.join(' ')).toEqual(['unsupported_private_key'])
  }
  const rsa = makeCertificate({ names: ['example.com'], key: ['rsa:2048'] })
  expect(codes(rsa.certificate, rsa.privateKey)).toEqual([])
})

test('a key with a passphrase is refused', () => {
  for (const words of [
    ['pkcs8', '-topk8', '-passout', 'pass:secret'],
    ['ec', '-aes128', '-passout', 'pass:secret'],
  ]) {
    const locked = execFileSync('openssl', words, { input: site.privateKey, encoding: 'utf8', stdio: 'pipe' })
    expect(codes(chain, locked), words.join(' ')).toEqual(['encrypted_private_key'])
  }
})

test('an invalid certificate and an invalid key are reported together', () => {
  expect(codes('hello', 'hello')).toEqual(['invalid_certificate', 'invalid_private_key'])
  const broken = site.certificate.replace(/\n.{10}/, '\nAAAAAAAAAA')
  expect(codes(broken, site.privateKey)).toEqual(['invalid_certificate'])
  expect(codes('', '')).toEqual(['invalid_certificate', 'invalid_private_key'])
})

test('a chain too long for HAProxy is refused', () => {
  const many = makeCertificate({ names: Array.from({ length: 700 }, (_, index) => `name-${index}.example.com`) })
  expect(codes(many.certificate, many.privateKey)).toEqual(['too_long'])
  expect(codes(site.certificate.repeat(11), site.privateKey)).toEqual(['too_long'])
})

test('a certificate with invalid dates is refused', () => {
  const made = makeCertificate({ names: ['app.example.com'] })
  const der = new X509Certificate(made.certificate).raw
  // Its second date, as YYMMDD…, in a thirteenth month.
  const times = [...der.toString('latin1').matchAll(/\r\d{12}Z/g)]
  der.write('2613', (times[1]?.index ?? 0) + 1, 'latin1')
  const pem = `-----BEGIN CERTIFICATE-----\n${der.toString('base64')}\n-----END CERTIFICATE-----\n`
  expect(times).toHaveLength(2)
  expect(codes(pem, made.privateKey)).toEqual(['invalid_certificate'])
})
