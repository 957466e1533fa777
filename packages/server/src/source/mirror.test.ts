// What a mirror keeps, and how it recovers: missing commits, and leftovers of killed processes.
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Fetching, faultOf, inMirror, noise, openFetching } from '../../test/fetching.ts'
import { findProcesses } from '../../test/process-list.ts'
import { hasSshd } from '../../test/sshd.ts'
import { createSource } from './source.ts'
import { SourceError } from './source-error.ts'

describe.skipIf(!hasSshd)('the mirror of a repository', () => {
  let fetching: Fetching

  beforeAll(async () => {
    fetching = await openFetching()
  })
  afterAll(() => fetching.close())

  const build: Fetching['build'] = (options) => fetching.build(options)

  test('a kept commit needs no connection, also after a restart and without the host', async () => {
    const { origin, repository, source, data } = build()
    const sha = origin.commit({ 'a.txt': 'one' })
    const wanted = { sha, isAdmitted: true }
    const commit = await source.fetchCommit(repository, { ...wanted, branch: 'main' })
    const before = fetching.gitHost.signIns()
    expect(await source.fetchCommit(repository, { ...wanted, branch: 'main' })).toEqual(commit)
    const elsewhere = { ...repository, address: 'ssh://git@127.0.0.1:1/nowhere.git' }
    expect(await createSource({ folder: data, allowedNetworks: [] }).fetchCommit(elsewhere, wanted)).toEqual(commit)
    expect(fetching.gitHost.signIns()).toBe(before)
  })

  test('leftovers of an earlier search are ignored and cause no error', async () => {
    const { origin, repository, source, mirror } = build({ host: fetching.oldHost })
    origin.commit({ 'a.txt': 'main' })
    const onGone = origin.commit({ 'a.txt': 'gone' }, { branch: 'gone' })
    origin.commit({ 'a.txt': 'feature' }, { branch: 'feature' })
    const absent = source.fetchCommit(repository, { sha: 'a'.repeat(40), isAdmitted: true })
    expect((await faultOf(absent)).code).toBe('commit_not_found')
    expect(inMirror(mirror, 'for-each-ref')).toBe('')
    for (const branch of ['gone', 'feature']) origin.git(['update-ref', '-d', `refs/heads/${branch}`])
    const renamed = origin.commit({ 'a.txt': 'renamed' }, { branch: 'feature/login' })
    expect(
      (await faultOf(source.fetchCommit(repository, { sha: onGone, isAdmitted: true, branch: 'main' }))).code,
    ).toBe('commit_not_found')
    origin.commit({ 'a.txt': 'newer' }, { branch: 'feature/login' })
    expect((await source.fetchCommit(repository, { sha: renamed })).sha).toBe(renamed)
  })

  test('the sha of a tag resolves to its commit, which can be read afterwards', async () => {
    const { origin, repository, source } = build()
    const sha = origin.commit({ 'a.txt': 'one' })
    origin.git(['-c', 'user.name=Ada', 'tag', '--annotate', '--message=One', 'v1', sha])
    const tag = origin.git(['rev-parse', 'v1'])
    expect(tag).not.toBe(sha)
    expect((await source.fetchCommit(repository, { sha: tag, isAdmitted: true })).sha).toBe(sha)
    expect((await source.fetchCommit(repository, { sha })).sha).toBe(sha)
    const file = await source.readFile(repository.projectId, sha, { path: 'a.txt', maxBytes: 10 })
    expect(file?.toString()).toBe('one')
  })

  test('a commit that is missing again is fetched again', async () => {
    const { origin, repository, source, mirror } = build()
    const sha = origin.commit({ 'a.txt': 'one' })
    const read = () => source.readFile(repository.projectId, sha, { path: 'a.txt', maxBytes: 10 })
    await source.fetchCommit(repository, { sha })
    inMirror(mirror, 'pack-refs', '--all')
    const before = fetching.gitHost.signIns()
    await source.fetchCommit(repository, { sha, isAdmitted: true })
    expect(fetching.gitHost.signIns()).toBe(before)
    rmSync(mirror, { recursive: true })
    await source.fetchCommit(repository, { sha })
    expect((await read())?.toString()).toBe('one')
  })

  test('a mirror that cannot keep a commit is not reported as a fault of the host', async () => {
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

  test('leftovers of packed refs of a killed git cause no error', async () => {
    const { origin, repository, source, mirror } = build()
    await source.fetchCommit(repository, { sha: origin.commit({ 'a.txt': 'one' }) })
    inMirror(mirror, 'update-ref', 'refs/incoming/dead/one', origin.git(['rev-parse', 'main']))
    inMirror(mirror, 'pack-refs', '--all')
    writeFileSync(join(mirror, 'packed-refs.new'), '')
    const sha = origin.commit({ 'a.txt': 'two' })
    expect((await source.fetchCommit(repository, { sha })).sha).toBe(sha)
    expect(inMirror(mirror, 'for-each-ref', 'refs/incoming')).toBe('')
  })

  test('a fetch that is aborted says so, and the next one works', async () => {
    const { origin, repository, source } = build()
    const sha = origin.commit({ 'large.bin': { content: noise(8) } })
    const stop = new AbortController()
    const fetching = source.fetchCommit(repository, { sha }, { signal: stop.signal, onOutput: () => stop.abort() })
    await expect(fetching).rejects.toThrow('The command was stopped')
    expect((await source.fetchCommit(repository, { sha })).sha).toBe(sha)
  })

  test('a fetch that was killed half-way does not affect the next one', async () => {
    const { origin, repository, source, mirror } = build()
    const sha = origin.commit({ 'large.bin': { content: noise(60) } })
    let killed = 0
    const onOutput = (): void => {
      if (!existsSync(join(mirror, 'shallow.lock'))) return
      for (const pid of childrenIn(mirror)) if (killIfRunning(pid)) killed += 1
    }
    await faultOf(source.fetchCommit(repository, { sha }, { onOutput }))
    expect(killed).toBeGreaterThan(0)
    expect(existsSync(join(mirror, 'shallow.lock'))).toBe(true)
    expect((await source.fetchCommit(repository, { sha })).sha).toBe(sha)
    expect(readdirSync(join(mirror, 'objects/pack')).filter((name) => name.startsWith('tmp_'))).toEqual([])
  })

  test('only the newest fifty commits are kept, and no objects of a killed fetch', async () => {
    const { origin, repository, source, mirror } = build()
    const first = origin.commit({ 'a.txt': 'one' })
    await source.fetchCommit(repository, { sha: first })
    for (let index = 0; index < 60; index += 1) {
      inMirror(mirror, 'update-ref', `refs/shipway/${index.toString(16).padStart(40, '0')}`, first)
    }
    inMirror(mirror, 'update-ref', 'refs/incoming/1000-dead', first)
    const sha = origin.commit({ 'a.txt': 'two' })
    await source.fetchCommit(repository, { sha })
    const refs = inMirror(mirror, 'for-each-ref', '--format=%(refname)').trim().split('\n')
    expect(refs).toHaveLength(50)
    expect(refs).toContain(`refs/shipway/${sha}`)
  })

  /** False if the process has ended since it was listed. */
  const killIfRunning = (pid: number): boolean => {
    try {
      return process.kill(pid, 'SIGKILL')
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return false
      throw error
    }
  }

  /** Processes with the mirror in their arguments. */
  const childrenIn = (mirror: string): number[] => findProcesses(`--git-dir=${mirror}`)
})
