// Fetching from a real git host over a real sshd.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Fetching, faultOf, inMirror, noise, openFetching } from '../../test/fetching.ts'
import { hasSshd } from '../../test/sshd.ts'
import { generateSshKey } from '../secrets/ssh-key.ts'
import { createSource } from './source.ts'

describe.skipIf(!hasSshd)('fetching from a git host', () => {
  let fetching: Fetching

  beforeAll(async () => {
    fetching = await openFetching()
  })
  afterAll(() => fetching.close())

  const build: Fetching['build'] = (options) => fetching.build(options)

  test('the newest commit of a branch is found, and fetched with its author and the first line of its message', async () => {
    const { origin, repository, source } = build()
    origin.commit({ 'a.txt': 'one' })
    const sha = origin.commit({ 'a.txt': 'two' }, { message: 'Say two\n\nAt length', author: 'Grace Ünal' })
    expect(await source.resolveBranch(repository, 'main')).toBe(sha)
    expect(await source.fetchCommit(repository, { branch: 'main' })).toEqual({
      sha,
      message: 'Say two',
      author: 'Grace Ünal',
    })
    expect((await source.readFile(repository.projectId, sha, { path: 'a.txt', maxBytes: 10 }))?.toString()).toBe('two')
  })

  test('a second commit brings only what is new, without its history', async () => {
    const { origin, repository, source } = build()
    const output: Buffer[] = []
    const io = { onOutput: (bytes: Buffer) => void output.push(bytes) }
    const received = () => [
      ...Buffer.concat(output)
        .toString()
        .matchAll(/Receiving objects: 100% \((.*?)\).*done/g),
    ]
    const files = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`folder-${index}/file`, `${index}`]))
    for (const text of ['a', 'b', 'c']) origin.commit({ ...files, 'top.txt': text })
    await source.fetchCommit(repository, { branch: 'main' }, io)
    const sha = origin.commit({ ...files, 'folder-3/file': 'changed' })
    await source.fetchCommit(repository, { sha }, io)
    // A commit, the top folder and twenty-one files in twenty folders; then a commit, two folders and one file.
    expect(received().map((match) => match[1])).toEqual(['43/43', '4/4'])
  })

  test('five fetches of one commit at once open one connection', async () => {
    const { origin, repository, source } = build()
    const sha = origin.commit({ 'a.txt': 'one' })
    const before = fetching.gitHost.signIns()
    const commits = await Promise.all(
      Array.from({ length: 5 }, () => source.fetchCommit(repository, { sha, isAdmitted: true })),
    )
    expect(commits.map((commit) => commit.sha)).toEqual(Array(5).fill(sha))
    expect(fetching.gitHost.signIns()).toBe(before + 1)
  })

  test('a prefetched commit is used only for a request that reports it', async () => {
    const { origin, repository, source } = build()
    const reported = origin.commit({ 'a.txt': 'one' })
    const before = fetching.gitHost.signIns()
    const begun = source.fetchEarly(repository, 'main', {})
    const found = await source.fetchCommit(repository, { branch: 'main', reportedSha: reported })
    await begun
    expect([found.sha, fetching.gitHost.signIns()]).toEqual([reported, before + 1])
    // The branch has moved: a request for its new commit, or without a reported commit, gets that one.
    const next = origin.commit({ 'a.txt': 'two' })
    expect((await source.fetchCommit(repository, { branch: 'main', reportedSha: next })).sha).toBe(next)
    expect((await source.fetchCommit(repository, { branch: 'main' })).sha).toBe(next)
    const moved = { ...repository, address: `${repository.address}x` }
    expect(await faultOf(source.fetchCommit(moved, { branch: 'main', reportedSha: reported }))).toMatchObject({
      code: 'repository_not_found',
    })
  })

  test('two platform processes on one folder fetch different commits at once', async () => {
    const { origin, repository, source, data } = build()
    const shas = ['one', 'two', 'three', 'four'].map((text) => origin.commit({ 'a.txt': text }))
    const other = createSource({ folder: data, allowedNetworks: ['127.0.0.1'] })
    const fetched = await Promise.all(
      shas.map((sha, index) => (index % 2 === 0 ? source : other).fetchCommit(repository, { sha })),
    )
    expect(fetched.map((commit) => commit.sha)).toEqual(shas)
  })

  test.each([{ branch: 'main' }, {}])(
    'an older commit comes with the branches where the host gives only these: %j',
    async (where) => {
      const { origin, repository, source } = build({ host: fetching.oldHost })
      const old = origin.commit({ 'a.txt': 'one' })
      origin.commit({ 'a.txt': 'two' })
      expect((await source.fetchCommit(repository, { sha: old, ...where })).sha).toBe(old)
      const absent = 'a'.repeat(40)
      const fault = await faultOf(source.fetchCommit(repository, { sha: absent, isAdmitted: true, ...where }))
      expect([fault.code, fault.message]).toEqual([
        'commit_not_found',
        `Commit ${absent} does not exist in ${repository.address}. Push it, or choose another commit`,
      ])
    },
  )

  test('errors name what does not exist', async () => {
    const { origin, repository, source } = build()
    origin.commit({ 'a.txt': 'one' })
    origin.commit({ 'a.txt': 'one' }, { branch: 'other/refs/heads/absent' })
    const absent = `Branch absent does not exist in ${repository.address}. Push it, or choose another branch for the environment`
    expect((await faultOf(source.resolveBranch(repository, 'absent'))).message).toBe(absent)
    expect((await faultOf(source.fetchCommit(repository, { branch: 'absent' }))).message).toBe(absent)
    const sha = 'b'.repeat(40)
    expect((await faultOf(source.fetchCommit(repository, { sha, isAdmitted: true }))).code).toBe('commit_not_found')
    expect((await faultOf(source.fetchCommit(repository, { sha }))).code).toBe('commit_in_no_branch')
    const nowhere = { ...repository, address: fetching.gitHost.address('/nowhere.git') }
    expect((await faultOf(source.fetchCommit(nowhere, { branch: 'main' }))).code).toBe('repository_not_found')
  })

  test('a key that is not authorized is named in full, and the host is not remembered', async () => {
    const { origin, repository, source } = build()
    origin.commit({ 'a.txt': 'one' })
    const stranger = generateSshKey('stranger')
    const met: string[] = []
    const io = { onHostKey: (_: number, hostKey: string) => void met.push(hostKey) }
    const fault = await faultOf(
      source.fetchCommit({ ...repository, ...stranger, hostKey: null }, { branch: 'main' }, io),
    )
    expect(fault.code).toBe('key_refused')
    expect(fault.message).toBe(
      `The host of ${repository.address} refuses the key of this project. ` +
        `Add this key to the repository, read-only: ${stranger.publicKey}`,
    )
    expect(met).toEqual([])
  })

  test('the host key is pinned at the first connection, and another one is refused later', async () => {
    const met: [number, string][] = []
    const io = { onHostKey: (projectId: number, hostKey: string) => void met.push([projectId, hostKey]) }
    const { origin, repository, source } = build()
    const sha = origin.commit({ 'a.txt': 'one' })
    await source.resolveBranch({ ...repository, hostKey: null }, 'main', io)
    expect(met).toEqual([[repository.projectId, fetching.gitHost.hostKey]])
    await source.resolveBranch(repository, 'main', io)
    const before = fetching.gitHost.signIns()
    const [type, pinned] = generateSshKey('').publicKey.split(' ')
    const fault = await faultOf(source.fetchCommit({ ...repository, hostKey: `${type} ${pinned}` }, { sha }, io))
    expect(fault.code).toBe('host_key_changed')
    expect(fault.message).toContain('shows another host key than before')
    expect([met.length, fetching.gitHost.signIns()]).toEqual([1, before])
  })

  test('a host that does not answer and an address that is not allowed have different errors', async () => {
    const { repository, source, data } = build()
    const dead = { ...repository, address: 'ssh://git@127.0.0.1:1/x.git' }
    const fault = await faultOf(source.resolveBranch(dead, 'main'))
    expect([fault.code, fault.message]).toEqual(['unreachable', expect.stringContaining('Connection refused')])
    const strict = createSource({ folder: data, allowedNetworks: [] })
    expect((await faultOf(strict.resolveBranch(repository, 'main'))).code).toBe('address_not_allowed')
  })

  test('a repository that is larger than allowed is refused', async () => {
    const { origin, repository, source, mirror } = build({ maxFileBytes: 1024 * 1024 })
    const sha = origin.commit({ 'large.bin': { content: noise(4) } })
    expect((await faultOf(source.fetchCommit(repository, { sha }))).code).toBe('too_large')
    expect(inMirror(mirror, 'for-each-ref')).toBe('')
  })
})
