import { expect, test } from 'vitest'
import { modelOf } from '../../../../../rules/test/compose.ts'
import { createFakeHost } from '../../../../test/fake-host.ts'
import { checkIpv6Networks } from './check-ipv6-networks.ts'

const check = async (version: string, network: object, grants: readonly 'external_networks'[] = []) => {
  const lines: string[] = []
  const host = createFakeHost({ 'docker version': { stdout: `${version}\n` } }, lines)
  const checking = checkIpv6Networks(host, modelOf({ web: {} }, { networks: { default: network } }), {
    grants: new Set(grants),
  })
  return checking.then(
    () => lines,
    (error: Error) => error.message,
  )
}

test('a network with IPv6 is refused where Docker would not keep it apart from those of other environments', async () => {
  expect(await check('26.1.5+dfsg1', { enable_ipv6: true })).toBe(
    'networks.default.enable_ipv6 needs Docker 27 or newer on fake server, which has 26.1.5+dfsg1: an older one does not keep IPv6 ' +
      'networks of different environments apart. Remove it, or update Docker. An organization owner can grant "external_networks" to ' +
      'this environment',
  )
  expect(await check('27.0.1', { enable_ipv6: true })).toHaveLength(1)
  expect(await check('26.1.5', { enable_ipv6: true }, ['external_networks'])).toEqual([])
  expect(await check('26.1.5', { enable_ipv6: false })).toEqual([])
  expect(await check('26.1.5', {})).toEqual([])
})
