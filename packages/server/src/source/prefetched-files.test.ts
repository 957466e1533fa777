// Files that come with their commit: the same as git reads them one by one, without starting git again.
import { rmSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Fetching, openFetching } from '../../test/fetching.ts'
import type { OriginFile } from '../../test/origin.ts'
import { hasSshd } from '../../test/sshd.ts'
import { createPrefetchedFiles, PREFETCHED_FILES, readPrefetchedFiles } from './prefetched-files.ts'
import { createSource } from './source.ts'

describe.skipIf(!hasSshd)('the files of a commit that a deployment reads first', () => {
  let fetching: Fetching
  beforeAll(async () => {
    fetching = await openFetching()
  })
  afterAll(() => fetching.close())

  const most = 1024 * 1024
  const commits: readonly (readonly [string, Readonly<Record<string, string | OriginFile>>])[] = [
    ['none of them', { 'a.txt': 'a' }],
    ['some', { '.service.yml': 'services: {}\n', 'compose.yml': 'a: 1\n\nb: 2' }],
    ['all', Object.fromEntries(PREFETCHED_FILES.names.map((name) => [name, `of ${name}`]))],
    ['the same content, and none', { '.service.yml': '', '.env': '', 'compose.yaml': 'x', 'compose.yml': 'x' }],
    ['every byte', { '.env': { content: Uint8Array.from({ length: 512 }, (_, index) => index % 256) } }],
    ['what git prints', { '.env': '12\n\n100644 blob 00', '.service.yml': '\n\n5\nabcde\n', 'compose.yml': '3\n' }],
    [
      'a link, a folder, a program',
      {
        '.service.yml': { content: '/etc/passwd', mode: '120000' },
        '.env/inside': 'x',
        Dockerfile: { content: 'FROM scratch', mode: '100755' },
      },
    ],
    ['one that is large', { '.env': 'x'.repeat(65_537), '.service.yml': 'y', 'compose.yml': 'z'.repeat(65_535) }],
    ['one too many', { '.env': 'x'.repeat(40_000), Dockerfile: 'y'.repeat(40_000), 'compose.yml': 'z' }],
  ]

  test.each(commits)('%s', async (_, files) => {
    const { origin, repository, source, data } = fetching.build()
    const sha = origin.commit(files)
    await source.fetchCommit(repository, { branch: 'main' })
    const read = (from: typeof source, path: string) =>
      from.readFile(repository.projectId, sha, { path, maxBytes: most }).then(
        (content) => content?.toString('latin1'),
        (error: unknown) => String(error),
      )
    const readAll = async (from: typeof source) =>
      Object.fromEntries(await Promise.all(PREFETCHED_FILES.names.map(async (name) => [name, await read(from, name)])))
    // A source that has fetched nothing itself reads each from the mirror.
    expect(await readAll(source)).toEqual(await readAll(createSource({ folder: data, allowedNetworks: [] })))
  })

  test('git is started again only for files that are too large, and for another commit', async () => {
    const { origin, repository, source, mirror } = fetching.build()
    const first = origin.commit({ '.service.yml': 'first' })
    await source.fetchCommit(repository, { branch: 'main' })
    const sha = origin.commit({ '.service.yml': 'second' })
    await source.fetchCommit(repository, { branch: 'main' })
    rmSync(mirror, { recursive: true })
    const read = (commit: string, path: string, maxBytes = 10) =>
      source.readFile(repository.projectId, commit, { path, maxBytes })
    expect((await read(sha, '.service.yml'))?.toString()).toBe('second')
    expect(await read(sha, 'compose.yml')).toBeUndefined()
    await expect(read(sha, '.service.yml', 5)).rejects.toThrow('git cannot read .service.yml')
    await expect(read(first, '.service.yml')).rejects.toThrow('git cannot read .service.yml')
    await source.forget(repository.projectId)
    await expect(read(sha, '.service.yml')).rejects.toThrow('git cannot read .service.yml')
  })
})

test('truncated output contains no file', () => {
  const line = `100644 blob ${'a'.repeat(40)}       5\t.env\n\n`
  expect(
    readPrefetchedFiles(Buffer.from(`${line}5\nabcde\n`))
      .get('.env')
      ?.toString(),
  ).toBe('abcde')
  for (const printed of [`${line}`, `${line}4\nabcd\n`, `${line}5\nabc`, `${line}5\nabcde`, line.trimEnd(), ''])
    expect(() => readPrefetchedFiles(Buffer.from(printed)), printed).toThrow('git has printed')
})

test('the files of the most recently fetched commits are cached', () => {
  const known = createPrefetchedFiles()
  const find = (projectId: number) => known.find(projectId, 'sha', { path: '.env', maxBytes: 10 })
  for (const projectId of Array(60).keys()) known.keep(projectId, 'sha', new Map([['.env', undefined]]))
  expect([find(9), find(10)]).toEqual([undefined, { content: undefined }])
})
