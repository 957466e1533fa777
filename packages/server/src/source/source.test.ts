// Fetching from a real host of repositories over a real sshd.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type GitHost, startGitHost } from '../../test/git-host.ts'
import { createOrigin } from '../../test/origin.ts'
import { hasSshd } from '../../test/sshd.ts'
import type { Repository } from './connection.ts'
import { generateRepositoryKey } from './repository-key.ts'
import { createSource } from './source.ts'
import { SourceError } from './source-error.ts'

describe.skipIf(!hasSshd)('fetching from a host of repositories', () => {
  const folder = mkdtempSync(join(tmpdir(), 'source-'))
  const key = generateRepositoryKey('project 1')
  let gitHost: GitHost
  let oldHost: GitHost

  beforeAll(async () => {
    gitHost = await startGitHost({ authorizedKey: key.publicKey })
    oldHost = await startGitHost({ authorizedKey: key.publicKey, protocol: 'old' })
  })
  afterAll(async () => {
    await gitHost.stop()
    await oldHost.stop()
    rmSync(folder, { recursive: true })
  })

  let made = 0
  /** A repository with a mirror of its own to fetch it into. */
  function build({ host = gitHost, maxFileBytes }: { host?: GitHost; maxFileBytes?: number } = {}) {
    made += 1
    const origin = createOrigin(join(host.folder, `${made}.git`))
    const repository: Repository = {
      projectId: made,
      address: host.address(origin.path),
      ...key,
      hostKey: host.hostKey,
    }
    const data = join(folder, `${made}`)
    const limit = maxFileBytes === undefined ? {} : { maxFileBytes }
    const source = createSource({ folder: data, allowedNetworks: ['127.0.0.0/8'], ...limit })
    const mirror = join(data, `${made}.git`)
    return { origin, repository, source, data, mirror }
  }

  const git = (mirror: string, ...words: string[]): string =>
    execFileSync('git', [`--git-dir=${mirror}`, ...words], { encoding: 'utf8' })

  const faultOf = (work: Promise<unknown>): Promise<SourceError> =>
    work.then(
      () => Promise.reject(new Error('It went well')),
      (error: unknown) => (error instanceof SourceError ? error : Promise.reject(error)),
    )

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

  test('a second commit brings only what is new, and its history is left where it is', async () => {
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
    // A commit, the folder at the top and twenty-one files in twenty folders; then a commit, two folders and one file.
    expect(received().map((match) => match[1])).toEqual(['43/43', '4/4'])
  })

  test('a commit that is kept needs no connection, also after a restart and without the host', async () => {
    const { origin, repository, source, data } = build()
    const sha = origin.commit({ 'a.txt': 'one' })
    const commit = await source.fetchCommit(repository, { sha, branch: 'main' })
    const before = gitHost.signIns()
    expect(await source.fetchCommit(repository, { sha, branch: 'main' })).toEqual(commit)
    const elsewhere = { ...repository, address: 'ssh://git@127.0.0.1:1/nowhere.git' }
    expect(await createSource({ folder: data, allowedNetworks: [] }).fetchCommit(elsewhere, { sha })).toEqual(commit)
    expect(gitHost.signIns()).toBe(before)
  })

  test('five fetches of one commit at once open one connection', async () => {
    const { origin, repository, source } = build()
    const sha = origin.commit({ 'a.txt': 'one' })
    const before = gitHost.signIns()
    const commits = await Promise.all(Array.from({ length: 5 }, () => source.fetchCommit(repository, { sha })))
    expect(commits.map((commit) => commit.sha)).toEqual(Array(5).fill(sha))
    expect(gitHost.signIns()).toBe(before + 1)
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
      const { origin, repository, source } = build({ host: oldHost })
      const old = origin.commit({ 'a.txt': 'one' })
      origin.commit({ 'a.txt': 'two' })
      expect((await source.fetchCommit(repository, { sha: old, ...where })).sha).toBe(old)
      const absent = 'a'.repeat(40)
      const fault = await faultOf(source.fetchCommit(repository, { sha: absent, ...where }))
      expect([fault.code, fault.message]).toEqual([
        'commit_not_found',
        `Commit ${absent} does not exist in ${repository.address}`,
      ])
    },
  )

  test("what an earlier search has left counts for nothing and stands in nobody's way", async () => {
    const { origin, repository, source, mirror } = build({ host: oldHost })
    origin.commit({ 'a.txt': 'main' })
    const onGone = origin.commit({ 'a.txt': 'gone' }, { branch: 'gone' })
    origin.commit({ 'a.txt': 'feature' }, { branch: 'feature' })
    const absent = source.fetchCommit(repository, { sha: 'a'.repeat(40) })
    expect((await faultOf(absent)).code).toBe('commit_not_found')
    expect(git(mirror, 'for-each-ref')).toBe('')
    for (const branch of ['gone', 'feature']) origin.git(['update-ref', '-d', `refs/heads/${branch}`])
    const renamed = origin.commit({ 'a.txt': 'renamed' }, { branch: 'feature/login' })
    expect((await faultOf(source.fetchCommit(repository, { sha: onGone, branch: 'main' }))).code).toBe(
      'commit_not_found',
    )
    origin.commit({ 'a.txt': 'newer' }, { branch: 'feature/login' })
    expect((await source.fetchCommit(repository, { sha: renamed })).sha).toBe(renamed)
  })

  test('the sha of a tag leads to its commit, which can be read afterwards', async () => {
    const { origin, repository, source } = build()
    const sha = origin.commit({ 'a.txt': 'one' })
    origin.git(['-c', 'user.name=Ada', 'tag', '--annotate', '--message=One', 'v1', sha])
    const tag = origin.git(['rev-parse', 'v1'])
    expect(tag).not.toBe(sha)
    expect((await source.fetchCommit(repository, { sha: tag })).sha).toBe(sha)
    expect((await source.fetchCommit(repository, { sha })).sha).toBe(sha)
    const file = await source.readFile(repository.projectId, sha, { path: 'a.txt', maxBytes: 10 })
    expect(file?.toString()).toBe('one')
  })

  test('a commit that is not there any more is fetched again', async () => {
    const { origin, repository, source, mirror } = build()
    const sha = origin.commit({ 'a.txt': 'one' })
    const read = () => source.readFile(repository.projectId, sha, { path: 'a.txt', maxBytes: 10 })
    await source.fetchCommit(repository, { sha })
    git(mirror, 'pack-refs', '--all')
    const before = gitHost.signIns()
    await source.fetchCommit(repository, { sha })
    expect(gitHost.signIns()).toBe(before)
    rmSync(mirror, { recursive: true })
    await source.fetchCommit(repository, { sha })
    expect((await read())?.toString()).toBe('one')
  })

  test('a mirror that cannot keep a commit is no fault of the host', async () => {
    const { origin, repository, source, mirror } = build()
    await source.fetchCommit(repository, { sha: origin.commit({ 'a.txt': 'one' }) })
    // A folder where git wants to write the ref.
    const sha = origin.commit({ 'a.txt': 'two' })
    mkdirSync(join(mirror, 'refs/shipway', sha, 'taken'), { recursive: true })
    writeFileSync(join(mirror, 'refs/shipway', sha, 'taken/file'), '')
    const error = await source.fetchCommit(repository, { sha }).catch((fault: unknown) => fault)
    expect(error).not.toBeInstanceOf(SourceError)
    expect(String(error)).toContain('The mirror is broken')
  })

  test('what a killed git left of its packed refs does not stand in the way', async () => {
    const { origin, repository, source, mirror } = build()
    await source.fetchCommit(repository, { sha: origin.commit({ 'a.txt': 'one' }) })
    git(mirror, 'update-ref', 'refs/incoming/dead/one', origin.git(['rev-parse', 'main']))
    git(mirror, 'pack-refs', '--all')
    writeFileSync(join(mirror, 'packed-refs.new'), '')
    const sha = origin.commit({ 'a.txt': 'two' })
    expect((await source.fetchCommit(repository, { sha })).sha).toBe(sha)
    expect(git(mirror, 'for-each-ref', 'refs/incoming')).toBe('')
  })

  test('what does not exist is named', async () => {
    const { origin, repository, source } = build()
    origin.commit({ 'a.txt': 'one' })
    origin.commit({ 'a.txt': 'one' }, { branch: 'other/refs/heads/absent' })
    const absent = `Branch absent does not exist in ${repository.address}. Push it, or choose another branch for the environment`
    expect((await faultOf(source.resolveBranch(repository, 'absent'))).message).toBe(absent)
    expect((await faultOf(source.fetchCommit(repository, { branch: 'absent' }))).message).toBe(absent)
    expect((await faultOf(source.fetchCommit(repository, { sha: 'b'.repeat(40) }))).code).toBe('commit_not_found')
    const nowhere = { ...repository, address: gitHost.address('/nowhere.git') }
    expect((await faultOf(source.fetchCommit(nowhere, { branch: 'main' }))).code).toBe('repository_not_found')
  })

  test('a key that is not authorised is named in full, and the host is not remembered', async () => {
    const { origin, repository, source } = build()
    origin.commit({ 'a.txt': 'one' })
    const stranger = generateRepositoryKey('stranger')
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

  test('the key of a host is kept when it is met first, and another one is refused later', async () => {
    const met: [number, string][] = []
    const io = { onHostKey: (projectId: number, hostKey: string) => void met.push([projectId, hostKey]) }
    const { origin, repository, source } = build()
    const sha = origin.commit({ 'a.txt': 'one' })
    await source.resolveBranch({ ...repository, hostKey: null }, 'main', io)
    expect(met).toEqual([[repository.projectId, gitHost.hostKey]])
    await source.resolveBranch(repository, 'main', io)
    const before = gitHost.signIns()
    const [type, pinned] = generateRepositoryKey('').publicKey.split(' ')
    const fault = await faultOf(source.fetchCommit({ ...repository, hostKey: `${type} ${pinned}` }, { sha }, io))
    expect(fault.code).toBe('host_key_changed')
    expect(fault.message).toContain('shows another host key than before')
    expect([met.length, gitHost.signIns()]).toEqual([1, before])
  })

  test('a host that does not answer and an address that is not allowed are told apart', async () => {
    const { repository, source, data } = build()
    const dead = { ...repository, address: 'ssh://git@127.0.0.1:1/x.git' }
    const fault = await faultOf(source.resolveBranch(dead, 'main'))
    expect([fault.code, fault.message]).toEqual(['unreachable', expect.stringContaining('Connection refused')])
    const strict = createSource({ folder: data, allowedNetworks: [] })
    expect((await faultOf(strict.resolveBranch(repository, 'main'))).code).toBe('address_not_allowed')
  })

  function readIfThere(path: string): string {
    try {
      return readFileSync(path, 'utf8')
    } catch (error) {
      return `${error}`
    }
  }

  test('a fetch that is stopped says so, and the next one works', async () => {
    const { origin, repository, source } = build()
    const sha = origin.commit({ 'large.bin': { content: noise(8) } })
    const stop = new AbortController()
    const fetching = source.fetchCommit(repository, { sha }, { signal: stop.signal, onOutput: () => stop.abort() })
    await expect(fetching).rejects.toThrow('The command was stopped')
    expect((await source.fetchCommit(repository, { sha })).sha).toBe(sha)
  })

  test('a fetch that was killed half-way does not stand in the way of the next one', { timeout: 120_000 }, async () => {
    const { origin, repository, source, mirror } = build()
    const sha = origin.commit({ 'large.bin': { content: noise(60) } })
    let killed = 0
    const onOutput = (): void => {
      if (!existsSync(join(mirror, 'shallow.lock'))) return
      for (const pid of childrenIn(mirror)) {
        process.kill(pid, 'SIGKILL')
        killed += 1
      }
    }
    await faultOf(source.fetchCommit(repository, { sha }, { onOutput }))
    expect(killed).toBeGreaterThan(0)
    expect(existsSync(join(mirror, 'shallow.lock'))).toBe(true)
    expect((await source.fetchCommit(repository, { sha })).sha).toBe(sha)
    expect(readdirSync(join(mirror, 'objects/pack')).filter((name) => name.startsWith('tmp_'))).toEqual([])
  })

  /** The processes that have the mirror among their words. */
  function childrenIn(mirror: string): number[] {
    const processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
    return processes.filter((pid) => readIfThere(`/proc/${pid}/cmdline`).includes(`--git-dir=${mirror}`)).map(Number)
  }

  test('a repository that is larger than allowed is refused', async () => {
    const { origin, repository, source, mirror } = build({ maxFileBytes: 1024 * 1024 })
    const sha = origin.commit({ 'large.bin': { content: noise(4) } })
    expect((await faultOf(source.fetchCommit(repository, { sha }))).code).toBe('too_large')
    expect(git(mirror, 'for-each-ref')).toBe('')
  })

  test('only the newest fifty commits are kept, and nothing of a fetch that died', async () => {
    const { origin, repository, source, mirror } = build()
    const first = origin.commit({ 'a.txt': 'one' })
    await source.fetchCommit(repository, { sha: first })
    for (let index = 0; index < 60; index += 1) {
      git(mirror, 'update-ref', `refs/shipway/${index.toString(16).padStart(40, '0')}`, first)
    }
    git(mirror, 'update-ref', 'refs/incoming/1000-dead', first)
    const sha = origin.commit({ 'a.txt': 'two' })
    await source.fetchCommit(repository, { sha })
    const refs = git(mirror, 'for-each-ref', '--format=%(refname)').trim().split('\n')
    expect(refs).toHaveLength(50)
    expect(refs).toContain(`refs/shipway/${sha}`)
  })

  /** Mebibytes that do not compress. */
  function noise(mebibytes: number): Uint8Array {
    return execFileSync('head', ['-c', `${mebibytes * 1024 * 1024}`, '/dev/urandom'], { maxBuffer: 2 ** 30 })
  }
})
