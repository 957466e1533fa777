// What a mirror keeps of packs that users send: exactly the commit and its files, and nothing of a pack that is refused or cut off.
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Fetching, faultOf, inMirror, noise, openFetching } from '../../test/fetching.ts'
import { commitAlone, deltaBomb, objectsOf, packOf, piecesOf } from '../../test/pack.ts'
import { hasSshd } from '../../test/sshd.ts'
import { mostPacks } from '../commands/mirror.ts'
import { UPLOAD_LIMITS } from '../domain/upload-limits.ts'
import { checkUploadIn, withPackFile } from './uploads.ts'

describe.skipIf(!hasSshd)('uploads', () => {
  let fetching: Fetching

  beforeAll(async () => {
    fetching = await openFetching()
  })
  afterAll(() => fetching.close())

  /** A repository with a pushed commit, and a commit that was never pushed. */
  function build() {
    const built = fetching.build()
    const pushed = built.origin.commit({ 'a.txt': 'one', 'folder/b.txt': 'two' })
    const { origin, source, repository, data, mirror } = built
    const uncommitted = (files: Parameters<typeof origin.commit>[0]): string =>
      commitAlone(origin, origin.commit(files, { branch: `local-${Math.random()}` }))
    const receive = (sha: string, pack: Uint8Array, base: string | null = null, use = async () => 'stored') =>
      source.receiveUpload(repository.projectId, { sha, base }, piecesOf(pack), use)
    /** Keeps it as the deployment of an upload does; the other uploads of `stored` stay. */
    const keep = (
      sha: string,
      pack: Uint8Array,
      { base = null, stored }: { base?: string | null; stored?: string[] } = {},
    ) =>
      source.restoreUpload(repository, {
        ...{ sha, base, pack: () => piecesOf(pack, 7000) },
        listStored: async (sent) => new Set(stored ?? [...sent, sha]),
      })
    const send = async (sha: string, pack: Uint8Array, base: string | null = null) => {
      await receive(sha, pack, base)
      await keep(sha, pack, { base })
    }
    /** What is in the mirror, and what lies about in the folder of uploads. */
    const traces = () => ({
      refs: existsSync(mirror) ? inMirror(mirror, 'for-each-ref', '--format=%(refname)').trim() : '',
      packs: existsSync(mirror) ? readdirSync(join(mirror, 'objects/pack')).filter((name) => !/^tmp_/.test(name)) : [],
      files: existsSync(join(data, 'uploads')) ? readdirSync(join(data, 'uploads')) : [],
    })
    const kibibytes = (): number => Number(execFileSync('du', ['-sk', mirror], { encoding: 'utf8' }).split('\t')[0])
    return { ...built, pushed, uncommitted, receive, keep, send, traces, kibibytes }
  }

  /** `before`: a commit of another upload, which the mirror has. */
  type Attack = { readonly sha: string; readonly pack: Uint8Array; readonly before?: string }

  const nothing = { refs: '', packs: [], files: [] }

  test('a whole working tree is kept and read as any commit', async () => {
    const { origin, source, repository, uncommitted, send, traces } = build()
    const sha = uncommitted({ 'a.txt': 'changed', 'new/c.txt': 'three' })
    await send(sha, packOf(origin, objectsOf(origin, sha)))
    expect(await source.fetchCommit(repository, { sha, isAdmitted: true })).toEqual({
      sha,
      message: 'Working tree',
      author: 'Ada',
    })
    const file = await source.readFile(repository.projectId, sha, { path: 'new/c.txt', maxBytes: 10 })
    expect(file?.toString()).toBe('three')
    expect(traces()).toMatchObject({ refs: `refs/shipway/${sha}\nrefs/uploads/${sha}`, files: [] })
    const before = fetching.gitHost.signIns()
    await source.fetchCommit(repository, { sha, isAdmitted: true })
    expect(fetching.gitHost.signIns()).toBe(before)
  })

  test('only what differs from a pushed commit is sent, and another process restores it with that commit', async () => {
    const { origin, source, repository, pushed, uncommitted, send, keep, data, mirror } = build()
    const sha = uncommitted({ 'a.txt': 'changed', 'folder/b.txt': 'two' })
    expect(await source.findUploadBase(repository, ['a'.repeat(40), pushed])).toBeUndefined()
    expect(await source.findUploadBase(repository, [pushed])).toBe(pushed)
    expect(await source.findUploadBase(repository, ['a'.repeat(40), pushed])).toBe(pushed)
    const objects = objectsOf(origin, sha, pushed)
    expect(objects).toHaveLength(3)
    const pack = packOf(origin, objects)
    await send(sha, pack, pushed)
    // The mirror is a cache, and every platform process has its own.
    rmSync(mirror, { recursive: true })
    await keep(sha, pack, { base: pushed })
    const file = await source.readFile(repository.projectId, sha, { path: 'folder/b.txt', maxBytes: 10 })
    expect(file?.toString()).toBe('two')
    expect(readdirSync(join(data, 'uploads'))).toEqual([])
  })

  test('an upload is no base, and cannot be deployed by its sha as a commit of the repository', async () => {
    const { origin, source, repository, uncommitted, send } = build()
    const sha = uncommitted({ 'a.txt': 'changed' })
    await send(sha, packOf(origin, objectsOf(origin, sha)))
    // The branch with the same files is not known to the git host.
    for (const branch of origin.git(['for-each-ref', '--format=%(refname)', 'refs/heads']).split('\n'))
      if (branch !== 'refs/heads/main') origin.git(['update-ref', '-d', branch])
    expect(await source.findUploadBase(repository, [sha])).toBeUndefined()
    expect((await faultOf(source.fetchCommit(repository, { sha }))).code).toBe('commit_in_no_branch')
    const next = uncommitted({ 'a.txt': 'changed again' })
    const fault = await faultOf(send(next, packOf(origin, objectsOf(origin, next)), sha))
    expect(fault.message).toContain('does not have the commit that it builds on')
  })

  test('an upload of the first commit of the repository blocks no other upload', async () => {
    const { origin, source, repository, pushed, uncommitted, send, keep } = build()
    // It has no parents, as the commits that users send.
    await send(pushed, packOf(origin, objectsOf(origin, pushed)))
    const next = (text: string) => uncommitted({ 'a.txt': text, 'folder/b.txt': 'two' })
    const [first, second] = [next('first'), next('second')]
    const base = await source.findUploadBase(repository, [pushed])
    await send(first, packOf(origin, objectsOf(origin, first, base)), base ?? null)
    // Another process, or an earlier moment, had received it.
    await keep(second, packOf(origin, objectsOf(origin, second, pushed)), { base: pushed })
    await source.forgetUploads(repository.projectId, async () => new Set([first, second]))
    for (const sha of [first, second]) {
      const file = await source.readFile(repository.projectId, sha, { path: 'folder/b.txt', maxBytes: 10 })
      expect(file?.toString()).toBe('two')
    }
  })

  test('what is received stays out of the mirror until it is stored and deployed', async () => {
    const { origin, uncommitted, receive, keep, traces } = build()
    const sha = uncommitted({ 'a.txt': 'changed' })
    const pack = packOf(origin, objectsOf(origin, sha))
    const full = async () => {
      throw new Error('The project is full')
    }
    await expect(receive(sha, pack, null, full)).rejects.toThrow('The project is full')
    expect(traces()).toEqual(nothing)
    await receive(sha, pack)
    expect(traces()).toEqual(nothing)
    await keep(sha, pack)
    expect(traces().refs).toContain(sha)
  })

  test('a mirror does not grow with the number of uploads, and shrinks when they are forgotten', async () => {
    const { origin, source, repository, uncommitted, keep, kibibytes } = build()
    const packBytes = 256 * 1024
    const random = noise(8)
    for (let at = 0; at < mostPacks + 3; at++) {
      const sha = uncommitted({ 'random.bin': { content: random.subarray(at * packBytes, (at + 1) * packBytes) } })
      await keep(sha, packOf(origin, objectsOf(origin, sha)), { stored: [sha] })
    }
    // The first of them are gone, and so are their objects.
    expect(kibibytes()).toBeLessThan(6 * 256)
    await source.forgetUploads(repository.projectId, async () => new Set())
    expect(kibibytes()).toBeLessThan(256)
  })

  test('uploads of removed environments leave the mirror, and fetched commits stay', async () => {
    const { origin, source, repository, pushed, uncommitted, send, traces } = build()
    await source.fetchCommit(repository, { sha: pushed })
    const [first, second] = [uncommitted({ 'a.txt': '1' }), uncommitted({ 'a.txt': '2' })]
    for (const sha of [first, second]) await send(sha, packOf(origin, objectsOf(origin, sha)))
    await source.forgetUploads(repository.projectId, async () => new Set([second]))
    const kept = [`refs/shipway/${pushed}`, `refs/shipway/${second}`].sort()
    expect(traces().refs.split('\n')).toEqual([...kept, `refs/uploads/${second}`])
  })

  test.each<[string, RegExp, (built: ReturnType<typeof build>) => Attack]>([
    [
      'files that only another commit of the mirror has',
      /exactly what the files/,
      ({ origin, uncommitted }) => {
        const secret = uncommitted({ 'a.txt': 'secret' })
        const sha = uncommitted({ 'a.txt': 'secret', 'b.txt': 'more' })
        const known = new Set(objectsOf(origin, secret))
        return {
          sha,
          pack: packOf(
            origin,
            objectsOf(origin, sha).filter((id) => !known.has(id)),
          ),
          before: secret,
        }
      },
    ],
    [
      'missing files',
      /./,
      ({ origin, uncommitted }) => {
        const sha = uncommitted({ 'a.txt': 'gone', 'b.txt': 'here' })
        return { sha, pack: packOf(origin, objectsOf(origin, sha).slice(0, -1)) }
      },
    ],
    [
      'more than the files of the commit',
      /exactly what the files/,
      ({ origin, uncommitted }) => {
        const sha = uncommitted({ 'a.txt': 'one' })
        const other = uncommitted({ 'b.txt': 'two' })
        return { sha, pack: packOf(origin, [...objectsOf(origin, sha), ...objectsOf(origin, other)]) }
      },
    ],
    [
      'another commit than the one that is named',
      /does not have the commit/,
      ({ origin, uncommitted }) => {
        const sha = uncommitted({ 'a.txt': 'one' })
        return { sha: 'e'.repeat(40), pack: packOf(origin, objectsOf(origin, sha)) }
      },
    ],
    [
      'a commit with history',
      /parents/,
      ({ origin, pushed }) => {
        const sha = commitAlone(origin, pushed, [`parent ${pushed}`])
        return { sha, pack: packOf(origin, [...objectsOf(origin, sha), pushed]) }
      },
    ],
    [
      'a file below .git',
      /\.git/,
      ({ origin, uncommitted }) => {
        const sha = uncommitted({ '.git/hooks/post-checkout': 'touch /tmp/owned' })
        return { sha, pack: packOf(origin, objectsOf(origin, sha)) }
      },
    ],
    [
      'a path that climbs',
      /refuses/,
      ({ origin, uncommitted }) => {
        const sha = uncommitted({ '../out.txt': 'x' })
        return { sha, pack: packOf(origin, objectsOf(origin, sha)) }
      },
    ],
    [
      '.gitmodules as a link',
      /gitmodules/,
      ({ origin, uncommitted }) => {
        const sha = uncommitted({ '.gitmodules': { content: '/etc/passwd', mode: '120000' } })
        return { sha, pack: packOf(origin, objectsOf(origin, sha)) }
      },
    ],
    [
      '.gitmodules with a command in place of an address',
      /gitmodules/,
      ({ origin, uncommitted }) => {
        const sha = uncommitted({ '.gitmodules': '[submodule "a"]\n\tpath = a\n\turl = --upload-pack=touch\n' })
        return { sha, pack: packOf(origin, objectsOf(origin, sha)) }
      },
    ],
    ['a delta that unpacks to gigabytes', /Out of memory/, () => ({ sha: 'e'.repeat(40), pack: deltaBomb(8) })],
    ['no pack', /refuses/, () => ({ sha: 'e'.repeat(40), pack: Buffer.from('GET / HTTP/1.1\n\n') })],
    ['nothing', /refuses/, () => ({ sha: 'e'.repeat(40), pack: Buffer.alloc(0) })],
    [
      'a pack that was cut off',
      /refuses/,
      ({ origin, uncommitted }) => {
        const sha = uncommitted({ 'a.txt': 'one' })
        return { sha, pack: packOf(origin, objectsOf(origin, sha)).subarray(0, -30) }
      },
    ],
  ])('%s: refused, and nothing of it stays', async (_what, reason, make) => {
    const built = build()
    const { sha, pack, before: other } = make(built)
    if (other) await built.send(other, packOf(built.origin, objectsOf(built.origin, other)))
    const before = built.traces()
    const fault = await faultOf(built.receive(sha, pack))
    expect(fault).toMatchObject({ code: 'content_refused', message: expect.stringMatching(reason) })
    expect(built.traces()).toEqual({ ...before, files: [] })
  })

  test('a pack that unpacks to too much is refused', async () => {
    const { origin, uncommitted, data, mirror, traces } = build()
    const sha = uncommitted({ 'bomb.bin': { content: new Uint8Array(8 * 1024 * 1024) } })
    const pack = packOf(origin, objectsOf(origin, sha))
    expect(pack.length).toBeLessThan(64 * 1024)
    const limits = { ...UPLOAD_LIMITS, unpackedBytes: 1024 * 1024 }
    const check = (file: string) => checkUploadIn(mirror, { sha, base: null }, { pack: file, limits })
    const fault = await faultOf(withPackFile(join(data, 'uploads'), piecesOf(pack), check))
    expect(fault.message).toMatch(/unpacks to/)
    expect(traces()).toEqual(nothing)
  })

  test('too large, too slow, or broken off: nothing stays', async () => {
    const { data, traces } = build()
    const write = (pack: AsyncIterable<Uint8Array>, limits: Partial<typeof UPLOAD_LIMITS>) =>
      withPackFile(join(data, 'uploads'), pack, async () => 'kept', { ...UPLOAD_LIMITS, ...limits })
    const large = piecesOf(new Uint8Array(3000), 1000)
    expect(await faultOf(write(large, { bytes: 2000 }))).toMatchObject({ code: 'too_large' })
    const silent = async function* () {
      yield new Uint8Array(10)
      await new Promise(() => undefined)
    }
    expect(await faultOf(write(silent(), { idleMs: 20 }))).toMatchObject({ code: 'timed_out' })
    const broken = async function* () {
      yield new Uint8Array(10)
      throw new Error('aborted')
    }
    await expect(write(broken(), {})).rejects.toThrow('aborted')
    expect(traces()).toEqual(nothing)
  })
})
