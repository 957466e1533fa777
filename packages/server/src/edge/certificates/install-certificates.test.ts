// Certificates in a real HAProxy: changed while it runs, kept across restarts, and independent of each other.
import { existsSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { hasHaproxy } from '../../../test/haproxy.ts'
import { type HaproxyHttpsEdge, openHaproxyHttpsEdge, shownFor } from '../../../test/haproxy-https-edge.ts'
import { type MadeCertificate, makeCertificate } from '../../../test/make-certificate.ts'
import { createLocalHost } from '../../../test/processes/local-host.ts'
import { Secret } from '../../secrets/secret.ts'
import { checkCertificate } from './check-certificate.ts'
import { answersChallenges, type EdgeCertificate, installCertificates } from './install-certificates.ts'

const one = makeCertificate({ names: ['one.test'] })
const renewed = makeCertificate({ names: ['one.test'] })
const wild = makeCertificate({ names: ['*.wild.test', 'wild.test'] })
const host = createLocalHost('test server')

function edgeCertificate(id: number, made: MadeCertificate, hosts: readonly string[]): EdgeCertificate {
  const { certificate } = checkCertificate(made.certificate, new Secret(made.privateKey), Date.now())
  if (!certificate) throw new Error('The test made a certificate that cannot be used')
  return {
    id,
    chain: certificate.chain,
    privateKey: certificate.privateKey,
    fingerprint: certificate.fingerprint,
    hosts,
  }
}

describe.skipIf(!hasHaproxy)('certificates of the edge', () => {
  let edge: HaproxyHttpsEdge

  beforeEach(async () => {
    edge = await openHaproxyHttpsEdge()
  })
  afterEach(() => edge.close())

  const install = (...certificates: EdgeCertificate[]) => installCertificates(host, edge.folder, certificates)
  const shown = (name: string) => shownFor(edge.httpsPort, name)
  const first = edgeCertificate(1, one, ['one.test'])
  const second = edgeCertificate(2, wild, ['*.wild.test', 'wild.test'])

  test('each name gets its own certificate, a wildcard covers one label, and other names get none', async () => {
    expect(await install(first, second)).toEqual({ isRunning: true, refused: new Map() })
    expect(await shown('one.test')).toBe(first.fingerprint)
    expect(await shown('any.wild.test')).toBe(second.fingerprint)
    expect(await shown('wild.test')).toBe(second.fingerprint)
    expect(await shown('two.labels.wild.test')).toBeUndefined()
    expect(await shown('other.test')).toBeUndefined()
  })

  test('a certificate is used only for its hosts, whatever else it names', async () => {
    await install(edgeCertificate(1, wild, ['wild.test']))
    expect(await shown('wild.test')).toBe(second.fingerprint)
    expect(await shown('any.wild.test')).toBeUndefined()
  })

  test('a renewed certificate replaces the previous one without a restart', async () => {
    await install(first, second)
    const before = edge.pid()
    const next = edgeCertificate(1, renewed, ['one.test'])
    await install(next, second)
    expect(await shown('one.test')).toBe(next.fingerprint)
    expect(await shown('any.wild.test')).toBe(second.fingerprint)
    expect(/^Pid: (.*)$/m.exec(await edge.say('show info'))?.[1]).toBe(String(before))
  })

  test('hosts and certificates are added and removed', async () => {
    await install(first, second)
    await install({ ...first, hosts: ['one.test', 'also.test'] })
    expect(await shown('also.test')).toBe(first.fingerprint)
    expect(await shown('any.wild.test')).toBeUndefined()
    expect(readdirSync(join(edge.folder, 'certificates'))).toEqual(['1.pem'])
    await install({ ...first, hosts: ['also.test'] })
    expect(await shown('one.test')).toBeUndefined()
    await install()
    expect(await shown('also.test')).toBeUndefined()
    expect((await edge.say('show ssl cert')).trim()).toBe('')
    expect(readFileSync(join(edge.folder, 'certificates.list'), 'utf8')).toBe('')
  })

  test('the certificates are the same after a restart of HAProxy', async () => {
    await install(first, second)
    await edge.stop()
    await edge.start()
    expect(await shown('one.test')).toBe(first.fingerprint)
    expect(await shown('any.wild.test')).toBe(second.fingerprint)
    expect(await install(first, second)).toEqual({ isRunning: true, refused: new Map() })
    expect(await shown('one.test')).toBe(first.fingerprint)
  })

  test('certificates installed while HAProxy is stopped are used when it starts', async () => {
    await edge.stop()
    expect(await install(first)).toEqual({ isRunning: false, refused: new Map() })
    await edge.start()
    expect(await shown('one.test')).toBe(first.fingerprint)
  })

  test('only the platform and HAProxy can read the private keys', async () => {
    await install(first)
    expect(statSync(join(edge.folder, 'certificates/1.pem')).mode & 0o777).toBe(0o600)
    expect(statSync(join(edge.folder, 'certificates')).mode & 0o777).toBe(0o700)
    expect(readdirSync(edge.folder).filter((name) => name.includes('new'))).toEqual([])
  })

  test('a certificate that HAProxy refuses is reported, blocks no other, and its previous version stays', async () => {
    await install(first)
    const weak = makeCertificate({ names: ['weak.test'], key: ['rsa:1024'] })
    const unusable = (id: number, hosts: string[]): EdgeCertificate => ({
      id,
      chain: weak.certificate,
      privateKey: new Secret(weak.privateKey),
      fingerprint: '0'.repeat(40),
      hosts,
    })
    const { refused } = await install(unusable(1, ['one.test']), unusable(3, ['weak.test']), second)
    expect([...refused.keys()]).toEqual([1, 3])
    expect(refused.get(3)).toContain('unable to load SSL certificate')
    expect(refused.get(3)).not.toContain(edge.folder)
    expect(await shown('one.test')).toBe(first.fingerprint)
    expect(await shown('any.wild.test')).toBe(second.fingerprint)
    expect(await shown('weak.test')).toBeUndefined()
    await edge.stop()
    await edge.start()
    expect(await shown('one.test')).toBe(first.fingerprint)
  })

  test('an open transaction of another program is aborted and not committed', async () => {
    await install(first)
    const file = join(edge.folder, 'certificates/1.pem')
    const foreign = `${renewed.certificate}${renewed.privateKey}`
    expect(await edge.say(`set ssl cert ${file} <<\n${foreign}`)).toContain('Transaction created')
    await install(first, second)
    expect(await shown('one.test')).toBe(first.fingerprint)
    expect(await shown('any.wild.test')).toBe(second.fingerprint)
    expect(await edge.say('show ssl cert')).not.toContain('# transaction')
  })

  test('changes made directly in the running HAProxy are corrected', async () => {
    await install(first, second)
    const list = join(edge.folder, 'certificates.list')
    await edge.say(`del ssl crt-list ${list} ${edge.folder}/certificates/1.pem`)
    await edge.say(`add ssl crt-list ${list} <<\n${edge.folder}/certificates/2.pem stray.test\n`)
    expect(await shown('stray.test')).toBe(second.fingerprint)
    await install(first, second)
    expect(await shown('one.test')).toBe(first.fingerprint)
    expect(await shown('stray.test')).toBeUndefined()
  })

  test('concurrent installations run one at a time', async () => {
    const next = edgeCertificate(1, renewed, ['one.test'])
    await Promise.all([install(first), install(first, second), install(next, second)])
    await install(next, second)
    expect(await shown('one.test')).toBe(next.fingerprint)
    expect(await shown('any.wild.test')).toBe(second.fingerprint)
  })

  test('truncated input changes nothing', async () => {
    await install(first)
    const cutOff: typeof host = {
      ...host,
      run: (command, options) => host.run(command, { ...options, input: String(options?.input).slice(0, -9) }),
    }
    await expect(installCertificates(cutOff, edge.folder, [second])).rejects.toThrow('did not arrive whole')
    expect(await shown('one.test')).toBe(first.fingerprint)
  })

  test('a name that HAProxy could misread never reaches it', async () => {
    for (const name of ['a b', 'a\nb', '!a.test', '[alpn h2]', '#a', 'a.test\u0000']) {
      await expect(install({ ...first, hosts: [name] }), name).rejects.toThrow('could misread')
    }
  })

  test('a folder in the home is found, however the path of the home is spelled', async () => {
    const home = `${edge.folder}-home`
    symlinkSync(dirname(edge.folder), home)
    const atHome: typeof host = {
      ...host,
      run: (command, options) => host.run(['env', `HOME=${home}`, ...command], options),
    }
    try {
      const relative = basename(edge.folder)
      expect(await installCertificates(atHome, relative, [first])).toEqual({ isRunning: true, refused: new Map() })
      expect(await shown('one.test')).toBe(first.fingerprint)
      await edge.stop()
      await edge.start()
      expect(await shown('one.test')).toBe(first.fingerprint)
    } finally {
      rmSync(home)
    }
  })

  test('the edge is ready for orders once it answers with this thumbprint', async () => {
    const thumbprint = 'a'.repeat(43)
    expect(await answersChallenges(host, edge.folder, thumbprint)).toBe(false)
    await edge.apply({ acmeThumbprint: thumbprint })
    expect(await answersChallenges(host, edge.folder, thumbprint)).toBe(true)
    expect(await answersChallenges(host, edge.folder, 'b'.repeat(43))).toBe(false)
    await edge.stop()
    expect(await answersChallenges(host, edge.folder, thumbprint)).toBe(false)
  })

  test('an edge without https keeps the files for later', async () => {
    const file = join(edge.folder, 'haproxy.cfg')
    await edge.stop()
    writeFileSync(file, readFileSync(file, 'utf8').replace(/ ssl crt-list .*$/m, ''))
    await edge.start()
    expect(await install(first)).toEqual({ isRunning: false, refused: new Map() })
    expect(existsSync(join(edge.folder, 'certificates/1.pem'))).toBe(true)
  })
})
