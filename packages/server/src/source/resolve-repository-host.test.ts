import { expect, test } from 'vitest'
import { resolveRepositoryHost } from './resolve-repository-host.ts'

const leadsTo =
  (...addresses: string[]) =>
  () =>
    Promise.resolve(addresses)

test.each([
  ['git@github.com:o/r.git', [], ['140.82.121.4', '2606:50c0:8000::154']],
  ['https://git.example.com/o/r.git', ['10.0.0.0/8'], ['10.1.2.3']],
  ['git@gitea:o/r.git', ['gitea'], ['172.17.0.2']],
])('%s with %j allowed is reached at %j', async (repository, allowed, addresses) => {
  expect(await resolveRepositoryHost(repository, { allowedNetworks: allowed, resolve: leadsTo(...addresses) })).toEqual(
    addresses,
  )
})

test('an IP address is used without resolving', async () => {
  const never = () => Promise.reject(new Error('asked'))
  expect(
    await resolveRepositoryHost('ssh://git@127.0.0.1:2222/x.git', { allowedNetworks: ['127.0.0.1'], resolve: never }),
  ).toEqual(['127.0.0.1'])
})

test.each([
  ['127.0.0.1'],
  ['::1'],
  ['169.254.169.254'],
  ['10.0.0.5'],
  ['::ffff:10.0.0.5'],
  ['fd00::1'],
  ['140.82.121.4', '192.168.1.1'],
])('a public name that leads to %s and %s is not followed', async (...addresses) => {
  const found = addresses.filter((address) => address !== undefined)
  await expect(
    resolveRepositoryHost('https://rebind.attacker.test/x.git', { allowedNetworks: [], resolve: leadsTo(...found) }),
  ).rejects.toThrow(/^rebind\.attacker\.test leads to .*, which is in a private network; an administrator can allow/)
})

test.each(['ext::sh -c id', '--upload-pack=x', 'file:///etc', 'https://127.0.0.1/x.git', 'git@gitea:x.git'])(
  '%j is refused before a name is asked for',
  async (repository) => {
    const never = () => Promise.reject(new Error('asked'))
    await expect(resolveRepositoryHost(repository, { allowedNetworks: [], resolve: never })).rejects.toMatchObject({
      code: 'address_not_allowed',
    })
  },
)

test('a name that cannot be resolved is unreachable', async () => {
  const failing = () => Promise.reject(new Error('ENOTFOUND'))
  await expect(
    resolveRepositoryHost('git@git.example.com:x.git', { allowedNetworks: [], resolve: failing }),
  ).rejects.toMatchObject({
    code: 'unreachable',
    message: 'The name git.example.com cannot be resolved. Check the address of the repository, or try again later',
  })
})
