// A commit given by sha must be in a branch of the repository itself, whatever else the host serves: on real hosts over ssh.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Fetching, faultOf, inMirror, openFetching } from '../../test/fetching.ts'
import type { Origin } from '../../test/origin.ts'
import { hasSshd } from '../../test/sshd.ts'

/** As a git host keeps the commit of a fork: below the pull request, on top of a commit of the repository. */
function openPullRequest(origin: Origin, ref = 'refs/pull/7/head'): string {
  const tree = origin.git(['rev-parse', 'main^{tree}'])
  const sha = origin.git(['-c', 'user.name=Mallory', 'commit-tree', '-p', 'main', tree], 'Of a fork')
  origin.git(['update-ref', ref, sha])
  return sha
}

describe.skipIf(!hasSshd)('a commit requested by sha', () => {
  let fetching: Fetching

  beforeAll(async () => {
    fetching = await openFetching()
  })
  afterAll(() => fetching.close())

  const hosts = ['newest', 'filtering', 'old'] as const
  const build = (host: (typeof hosts)[number] = 'newest') => {
    const built = fetching.build({ host: host === 'old' ? fetching.oldHost : fetching.gitHost })
    if (host === 'filtering') built.origin.git(['config', 'uploadpack.allowFilter', 'true'])
    return built
  }

  test.each(hosts)('is fetched from any branch, however old, and never from a pull request (%s host)', async (kind) => {
    const { origin, repository, source, mirror } = build(kind)
    const old = origin.commit({ 'a.txt': 'one' })
    const newest = origin.commit({ 'a.txt': 'two' })
    const fork = openPullRequest(origin)
    const fault = await faultOf(source.fetchCommit(repository, { sha: fork, branch: 'main' }))
    expect([fault.code, fault.message]).toEqual([
      'commit_in_no_branch',
      `Commit ${fork} is in no branch of ${repository.address}. Push it to a branch there, or choose another commit. ` +
        'A commit of a fork is deployed by the environment of its pull request, once it is approved',
    ])
    // No object of it was fetched.
    expect(inMirror(mirror, 'for-each-ref')).toBe('')
    for (const sha of [old, newest]) expect((await source.fetchCommit(repository, { sha })).sha).toBe(sha)
    const objects = inMirror(`${mirror}/history`, 'cat-file', '--batch-all-objects', '--batch-check=%(objecttype)')
    expect(new Set(objects.trim().split('\n')).has('blob')).toBe(kind !== 'filtering')
  })

  test('is refused even if the mirror has it because its pull request was approved', async () => {
    const { origin, repository, source } = build()
    origin.commit({ 'a.txt': 'one' })
    const sha = openPullRequest(origin)
    const approved = { sha, isAdmitted: true, ref: 'refs/pull/7/head' }
    expect((await source.fetchCommit(repository, approved)).sha).toBe(sha)
    expect((await faultOf(source.fetchCommit(repository, { sha }))).code).toBe('commit_in_no_branch')
    expect((await source.fetchCommit(repository, approved)).sha).toBe(sha)
    // After the merge, it belongs to the repository.
    origin.git(['update-ref', 'refs/heads/main', sha])
    expect((await source.fetchCommit(repository, { sha })).sha).toBe(sha)
  })

  test('is searched in the current branches, which no longer contain it after a force push', async () => {
    const { origin, repository, source } = build()
    const root = origin.commit({ 'a.txt': 'one' })
    const dropped = origin.commit({ 'a.txt': 'two' })
    const older = origin.commit({ 'a.txt': 'three' }, { branch: 'feature/login' })
    origin.commit({ 'a.txt': 'four' }, { branch: 'feature/login' })
    for (const sha of [root, older]) expect((await source.fetchCommit(repository, { sha })).sha).toBe(sha)
    origin.git(['update-ref', 'refs/heads/main', root])
    origin.git(['update-ref', '-d', 'refs/heads/feature/login'])
    origin.commit({ 'a.txt': 'five' }, { branch: 'feature' })
    for (const sha of [dropped, older])
      expect((await faultOf(source.fetchCommit(repository, { sha }))).code).toBe('commit_in_no_branch')
    // A rollback deploys an earlier commit again.
    expect((await source.fetchCommit(repository, { sha: older, isAdmitted: true })).sha).toBe(older)
  })

  test.each([
    'refs/pull/7/head',
    'refs/pull/7/merge',
    'refs/merge-requests/7/head',
    'refs/tags/v1',
    'refs/keep-around/x',
    'refs/pull/refs/heads/main',
    'refs/remotes/fork/main',
  ])('is refused below %s', async (ref) => {
    const { origin, repository, source } = build()
    origin.commit({ 'a.txt': 'one' })
    const sha = openPullRequest(origin, ref)
    expect((await faultOf(source.fetchCommit(repository, { sha }))).code).toBe('commit_in_no_branch')
  })

  test('is found in a branch that is named like a pull request', async () => {
    const { origin, repository, source } = build()
    origin.commit({ 'a.txt': 'one' })
    const fork = openPullRequest(origin)
    const own = origin.commit({ 'a.txt': 'own' }, { branch: 'pull/7/head' })
    expect((await source.fetchCommit(repository, { sha: own })).sha).toBe(own)
    expect((await source.fetchCommit(repository, { branch: 'pull/7/head' })).sha).toBe(own)
    expect((await faultOf(source.fetchCommit(repository, { sha: fork }))).code).toBe('commit_in_no_branch')
  })

  test('is neither the object of a tag nor a replaced commit', async () => {
    const { origin, repository, source } = build()
    const own = origin.commit({ 'a.txt': 'one' })
    const newest = origin.commit({ 'a.txt': 'two' })
    origin.git(['-c', 'user.name=Ada', 'tag', '--annotate', '--message=One', 'v1', own])
    const tag = origin.git(['rev-parse', 'v1'])
    expect((await faultOf(source.fetchCommit(repository, { sha: tag }))).code).toBe('commit_in_no_branch')
    const fork = openPullRequest(origin)
    // With the replacement, the fork's commit would be the parent of the newest one.
    const grafted = origin.git(['-c', 'user.name=Ada', 'commit-tree', '-p', fork, `${newest}^{tree}`], 'Grafted')
    origin.git(['update-ref', `refs/replace/${newest}`, grafted])
    expect((await faultOf(source.fetchCommit(repository, { sha: fork }))).code).toBe('commit_in_no_branch')
  })

  test('is in no branch of a repository that has none', async () => {
    const { origin, repository, source } = build()
    origin.commit({ 'a.txt': 'one' })
    const sha = openPullRequest(origin)
    origin.git(['update-ref', '-d', 'refs/heads/main'])
    expect((await faultOf(source.fetchCommit(repository, { sha }))).code).toBe('commit_in_no_branch')
  })
})
