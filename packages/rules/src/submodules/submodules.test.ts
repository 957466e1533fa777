import { expect, test } from 'vitest'
import { checkSubmodules, withSubmodules } from './check-submodules.ts'
import { readSubmodules } from './read-submodules.ts'
import { findSubmoduleAddress } from './submodule-address.ts'

const read = (text: string) => readSubmodules(new TextEncoder().encode(text))
const section = (more: Readonly<Record<string, string>> = {}, name = 'lib'): string => {
  const values = { path: 'lib', url: '../lib.git', ...more }
  return `[submodule "${name}"]\n${Object.entries(values)
    .map(([key, value]) => `\t${key} = ${value}\n`)
    .join('')}`
}

test('what git writes is read, with comments, quotes and settings that do not matter here', () => {
  const text = `# Vendored\n${section({ branch: 'main', shallow: 'true' })}\n; more\n${section(
    { Path: 'a', path: '"themes/a b"', url: 'https://git.example.com/acme/theme/', update: 'none' },
    'themes/a b',
  ).replace('\tPath = a\n', '')}[other]\n\tkey = value\n`
  expect(read(text)).toEqual({
    submodules: [
      { path: 'lib', url: '../lib.git', isLeftOut: false, line: 2 },
      { path: 'themes/a b', url: 'https://git.example.com/acme/theme', isLeftOut: true, line: 9 },
    ],
    faults: [],
  })
})

test.each<[what: string, text: string, sentence: RegExp]>([
  ['a command as update', section({ update: '!touch canary' }), /update would run a command/],
  ['another update', section({ update: 'custom' }), /update is "custom"/],
  ['an address that is an option', section({ url: '-u./payload' }), /is not used as an address/],
  ['an option after a protocol', section({ url: 'ssh://-oProxyCommand=x/y' }), /is not used as an address/],
  ['ext::', section({ url: 'ext::sh -c touch% canary' }), /is not used as an address/],
  ['file:', section({ url: 'file:///etc' }), /is not used as an address/],
  ['a path of the machine', section({ url: '/etc/passwd' }), /is not used as an address/],
  ['http', section({ url: 'http://git.example.com/a/b' }), /is not used as an address/],
  ['git:', section({ url: 'git://git.example.com/a/b' }), /is not used as an address/],
  ['a password', section({ url: 'https://me:secret@git.example.com/a/b' }), /is not used as an address/],
  ['a line feed in an address', section({ url: '"https://git.example.com/a%0ab"' }), /is not used as an address/],
  ['a relative option', section({ url: '../-u/x' }), /is not used as an address/],
  ['a relative address that turns back', section({ url: '../a/../../b' }), /is not used as an address/],
  ['a path above the repository', section({ path: '../lib' }), /not a folder inside the repository/],
  ['a path through a parent', section({ path: 'a/../../lib' }), /not a folder inside the repository/],
  ['an absolute path', section({ path: '/lib' }), /not a folder inside the repository/],
  ['a path into git', section({ path: '.git/hooks' }), /not a folder inside the repository/],
  ['a path into git, spelled otherwise', section({ path: 'a/.GIT /hooks' }), /not a folder inside the repository/],
  ['a path that is an option', section({ path: '-rf' }), /not a folder inside the repository/],
  ['a name that leaves git', section({}, '../../hooks'), /its name would lead out/],
  ['an empty name', section({}, ''), /its name would lead out/],
  ['a carriage return in a path', section({ path: 'lib\r' }).replace('lib\r\n', '"lib\r"\n'), /not a folder inside/],
  ['a backslash', section({ path: 'a\\b' }), /This line is not read/],
  ['no url', '[submodule "lib"]\n\tpath = lib\n', /has no path or no url/],
  ['a name twice', `${section()}${section({ path: 'b' })}`, /is named twice/],
  ['a path twice', `${section()}${section({}, 'b')}`, /Two submodules have the path/],
  ['a setting twice', section({ URL: '../other.git' }), /stands twice/],
  ['an old kind of header', '[submodule.lib]\n\tpath = lib\n', /This line is not read/],
])('%s is refused', (_, text, sentence) => {
  const { faults } = read(text)
  expect(faults[0]?.sentence).toMatch(sentence)
  expect(faults[0]?.file).toBe('.gitmodules')
})

const scp = 'git@git.example.com:acme/shop.git'
const ssh = 'ssh://git@git.example.com:2222/acme/shop.git'
const https = 'https://git.example.com/acme/shop.git'

test.each<[project: string, url: string, address: string, withCredentials: boolean]>([
  [scp, '../lib.git', 'git@git.example.com:acme/lib.git', true],
  [scp, './lib.git', 'git@git.example.com:acme/shop.git/lib.git', true],
  [scp, '../../other/lib.git', 'git@git.example.com:other/lib.git', true],
  [ssh, '../lib', 'ssh://git@git.example.com:2222/acme/lib', true],
  [https, '../../b/lib.git', 'https://git.example.com/b/lib.git', true],
  [scp, 'git@git.example.com:b/lib.git', 'git@git.example.com:b/lib.git', true],
  [scp, 'ssh://git@git.example.com/b/lib.git', 'ssh://git@git.example.com/b/lib.git', true],
  // The key of the project is for ssh.
  [scp, 'https://git.example.com/b/lib.git', 'https://git.example.com/b/lib.git', false],
  // A project that is read over https has no key, and may have tokens.
  [https, 'git@git.example.com:b/lib.git', 'https://git.example.com/b/lib.git', true],
  [https, 'ssh://git@git.example.com:2222/b/lib.git', 'https://git.example.com/b/lib.git', true],
])('of %s, %s is %s', (project, url, address, withCredentials) => {
  const found = findSubmoduleAddress({ url, parent: project, project, isAnonymous: false })
  expect(found).toEqual({ address, withCredentials })
  const ofFork = findSubmoduleAddress({ url, parent: project, project, isAnonymous: true })
  expect(ofFork).toEqual({ address: expect.stringMatching(/^https:\/\/git\.example\.com\//), withCredentials: false })
})

test.each<[project: string, url: string, fault: RegExp]>([
  [scp, '../../../lib.git', /leads out of git@git\.example\.com:acme\/shop\.git/],
  [https, '../../../../lib.git', /leads out of/],
  [scp, '../..', /leads out of/],
  [scp, 'git@github.com:b/lib.git', /is not at git\.example\.com, the git host of the project/],
  [https, 'https://169.254.169.254/latest', /is not at git\.example\.com/],
  [https, 'https://git.example.com.evil.example/b', /is not at git\.example\.com/],
  [https, 'https://git.example.com:8443/b/lib', /another port or user/],
  [ssh, 'git@git.example.com:b/lib.git', /another port or user/],
  [ssh, 'ssh://root@git.example.com:2222/b/lib.git', /another port or user/],
  [scp, 'https://git.example.com:9200/b', /another port or user/],
])('of %s, %s is refused with what to do', (project, url, fault) => {
  const found = findSubmoduleAddress({ url, parent: project, project, isAnonymous: false })
  expect(found.fault).toMatch(fault)
  expect(found.fault).toContain('update = none')
})

test('a check reports the faults, and what only a deployment can decide', async () => {
  const tree = (text: string | undefined, links: readonly string[] = []) => ({
    read: async () => (text === undefined ? undefined : new TextEncoder().encode(text)),
    kindOf: async () => 'absent' as const,
    links: new Set(links),
  })
  expect(await checkSubmodules(tree(undefined))).toEqual({ faults: [], later: [], paths: [] })
  expect((await checkSubmodules(tree(undefined, ['.gitmodules']))).faults).toHaveLength(1)
  expect((await checkSubmodules(tree(section({ update: '!x' })))).faults).toHaveLength(1)
  const { later, paths, faults } = await checkSubmodules(
    tree(`${section()}${section({ path: 'b', url: 'git@github.com:b/lib.git' }, 'b')}`),
  )
  expect([faults, paths, later.map(({ sentence }) => sentence)]).toEqual([
    [],
    ['lib', 'b'],
    ['Submodule b: whether git@github.com:b/lib.git is at the git host of the project. Others are not fetched'],
  ])
  const kindOf = withSubmodules(tree(''), paths)
  expect([await kindOf('lib'), await kindOf('lib/Dockerfile'), await kindOf('library')]).toEqual([
    'folder',
    'file',
    'absent',
  ])
})

test('blanks before a character that is refused take a time that grows with their length alone', () => {
  expect(read(`[submodule "lib"]\n\turl = ${' '.repeat(600_000)}#\n`).faults).toHaveLength(2)
})
