// Certificates from a real authority through a real HAProxy, in a network of their own.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasOwnNetwork } from '../../../../tools/real-parts/programs.ts'
import { hasCaddy } from '../caddy-authority.ts'
import { hasHaproxy } from '../haproxy.ts'
import { runInOwnNetwork } from './own-network.ts'

/** The second name leads to something that the test can turn off, the third to nothing. */
const HOSTS = '127.0.0.1 localhost app.example.test\n127.0.0.2 two.example.test\n127.0.0.3 bad.example.test'

describe.skipIf(!hasHaproxy || !hasCaddy || !hasOwnNetwork)('certificates of a project with automatic tls', () => {
  const folder = mkdtempSync(join(tmpdir(), 'shipway-acme-'))
  let facts: Record<string, unknown> = {}

  beforeAll(async () => {
    facts = JSON.parse(await runInOwnNetwork('life-of-a-certificate.ts', folder, HOSTS))
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const refused = (failures: number, nextInMinutes: number) => ({
    failures,
    nextInMinutes,
    error: 'The certificate authority localhost refused: The server could not connect to validation target',
  })

  test('nothing is ordered before the edge answers challenges', () => {
    expect(facts.beforeTheEdgeIsReady).toMatchObject(
      ['app', 'bad', 'two'].map((name) => ({
        domain: `${name}.example.test`,
        isIssued: false,
        failures: 0,
        error: expect.stringMatching(/^The edge of Server \d+ does not answer yet/),
      })),
    )
  })

  test('each domain gets a certificate that visitors trust, and one that fails delays no other', () => {
    const issued = { isIssued: true, issuer: 'Test authority - ECC Intermediate', failures: 0, isKeySealed: true }
    expect(facts.ordered).toMatchObject([
      { domain: 'app.example.test', ...issued, error: null },
      { domain: 'bad.example.test', isIssued: false, ...refused(1, 5) },
      { domain: 'two.example.test', ...issued, error: null },
    ])
    expect(facts.answers).toEqual([200, 200, null])
    expect(facts.secureDomains).toEqual(['app.example.test', 'two.example.test'])
  })

  test('another look orders nothing again, neither what is there nor what has just failed', () => {
    expect(facts.afterAnotherLook).toEqual(facts.ordered)
    expect(facts.isSameAfterAnotherLook).toBe(true)
  })

  test('with a third of its life left it is renewed under requests, and none of them fails', () => {
    expect(facts.isRenewed).toBe(true)
    expect(facts.visits).toEqual({ isAny: true, failed: 0 })
    expect(facts.isSameProcess).toBe(true)
  })

  test('a renewal that fails leaves the certificate that is there, and waits longer each time', () => {
    expect(facts.isSameWhereRenewalFailed).toBe(true)
    expect(facts.afterRenewal).toMatchObject([{ failures: 0 }, refused(2, 15), { isIssued: true, ...refused(1, 5) }])
  })

  test('a restart of HAProxy shows the renewed one', () => {
    expect(facts.isSameAfterRestart).toBe(true)
  })

  test('while the authority is away nothing is lost, and no other order is tried', () => {
    const error = expect.stringMatching(/^The certificate authority localhost could not be reached: .*ECONNREFUSED/)
    expect(facts.whileAway).toMatchObject([{ isIssued: true, failures: 1, error }, { failures: 2 }, { failures: 1 }])
    expect(facts.whenBack).toMatchObject([{ failures: 0, error: null }, refused(3, 45), refused(2, 15)])
  })

  test('a project that turns tls off has its certificates taken from the server, once no route leads there', () => {
    expect(facts.justAfterOff).toEqual([true, []])
    expect(facts.whenOff).toEqual([null, []])
  })
})
