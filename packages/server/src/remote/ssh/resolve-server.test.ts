// Which addresses of a server the platform connects to, and for whom.
import { describe, expect, test } from 'vitest'
import type { ServerAddress } from '../../domain/server-address.ts'
import { resolveServer } from './resolve-server.ts'

const server: ServerAddress = {
  id: 1,
  name: 'One',
  connection: 'ssh',
  hostname: 'one.example.com',
  port: 22,
  unixUser: 'shipway',
  hostKey: null,
  principal: 'shipway-1-0',
  hasSignedIn: true,
  mayBePrivate: false,
  runtime: 'compose',
}
const resolve = (
  changes: Partial<ServerAddress>,
  { leads = [], allowed = [] }: { leads?: readonly string[]; allowed?: readonly string[] } = {},
) => resolveServer({ ...server, ...changes }, { allowedNetworks: allowed, lookup: async () => leads })
const refused = expect.objectContaining({ name: 'ServerUnreachable', stage: 'connect' })

const privateOnes = ['10.1.2.3', '172.16.0.1', '192.168.1.1', '100.64.0.1', 'fd00::1', '::ffff:10.0.0.1']
const reserved = [
  '127.0.0.1',
  '127.8.8.8',
  '::1',
  '0.0.0.0',
  '169.254.169.254',
  'fe80::1',
  '::ffff:127.0.0.1',
  '224.0.0.1',
]

describe('an address of a server', () => {
  test('that is public is allowed for everybody', async () => {
    expect(await resolve({ hostname: '198.41.0.4' })).toEqual(['198.41.0.4'])
    expect(await resolve({}, { leads: ['198.41.0.4', '2001:500:2::c'] })).toEqual(['198.41.0.4', '2001:500:2::c'])
  })

  test.each(privateOnes)('%s is allowed for servers of platform administrators', async (address) => {
    await expect(resolve({ hostname: address })).rejects.toEqual(refused)
    await expect(resolve({}, { leads: [address] })).rejects.toEqual(refused)
    expect(await resolve({ hostname: address, mayBePrivate: true })).toEqual([address])
    expect(await resolve({ mayBePrivate: true }, { leads: [address] })).toEqual([address])
  })

  test.each(reserved)('%s is refused unless a setting allows it', async (address) => {
    await expect(resolve({ hostname: address, mayBePrivate: true })).rejects.toEqual(refused)
    await expect(resolve({ mayBePrivate: true }, { leads: [address] })).rejects.toEqual(refused)
    const allowed = ['127.0.0.0/8', '::1', '0.0.0.0/8', '169.254.0.0/16', 'fe80::/10', '224.0.0.0/4']
    expect(await resolve({ hostname: address }, { allowed })).toEqual([address])
  })

  test('a name with one address that is not allowed is not used at all', async () => {
    await expect(resolve({}, { leads: ['198.41.0.4', '10.0.0.1'] })).rejects.toEqual(refused)
    await expect(resolve({}, { leads: [] })).rejects.toEqual(refused)
  })

  test.each(['one', 'db.internal', 'nas.local', 'localhost', 'a.localhost'])(
    '%s is a name of private networks',
    async (hostname) => {
      await expect(resolve({ hostname }, { leads: ['198.41.0.4'] })).rejects.toEqual(refused)
      expect(await resolve({ hostname }, { leads: ['127.0.0.1'], allowed: [hostname] })).toEqual(['127.0.0.1'])
    },
  )

  test('a name that cannot be resolved is a failure to connect', async () => {
    const lookup = () => Promise.reject(new Error('ENOTFOUND'))
    await expect(resolveServer(server, { allowedNetworks: [], lookup })).rejects.toEqual(refused)
  })
})
