// Hostile repositories: nothing in them runs, and none of their files are written outside of their folder.
import { execFileSync } from 'node:child_process'
import {
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type GitHost, startGitHost } from '../../test/git-host.ts'
import { hostileBranches, literalBranches } from '../../test/hostile-branches.ts'
import { createOrigin, type OriginFile } from '../../test/origin.ts'
import { createLocalHost } from '../../test/processes/local-host.ts'
import { hasSshd } from '../../test/sshd.ts'
import { generateSshKey } from '../secrets/ssh-key.ts'
import type { Repository } from './connection.ts'
import { createSource } from './source.ts'
import type { SourceError } from './source-error.ts'

describe.skipIf(!hasSshd)('a hostile repository', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hostile-'))
  const canary = join(folder, 'canary')
  const key = generateSshKey('hostile')
  const host = createLocalHost('here')
  const source = createSource({ folder: join(folder, 'mirrors'), allowedNetworks: ['127.0.0.1'] })
  let gitHost: GitHost

  beforeAll(async () => {
    gitHost = await startGitHost({ authorizedKey: key.publicKey })
  })
  afterAll(async () => {
    await gitHost.stop()
    rmSync(folder, { recursive: true })
  })

  let made = 0
  function build() {
    made += 1
    const origin = createOrigin(join(gitHost.folder, `${made}.git`))
    const repository = { projectId: made, address: gitHost.address(origin.path), ...key, hostKey: gitHost.hostKey }
    return { origin, repository }
  }

  /** From the commit to the folder on a server, as in a deployment. */
  async function release(files: Record<string, string | OriginFile>) {
    const { origin, repository } = build()
    const sha = origin.commit(files)
    await source.fetchCommit(repository, { sha })
    const place = { host, repository: join(folder, `server-${made}/source.git`), sha }
    await source.pushCommit({ projectId: made, ...place })
    const into = join(folder, `server-${made}/releases/1`)
    await source.checkout({ ...place, folder: into })
    return { into, sha, projectId: made }
  }

  test('no hook, filter, submodule or setting of a repository runs anything', async () => {
    const touch = `#!/bin/sh\ntouch ${canary}\n`
    const { into } = await release({
      'hooks/post-checkout': { content: touch, mode: '100755' },
      '.githooks/post-checkout': { content: touch, mode: '100755' },
      '.gitconfig': `[core]\n\thooksPath = .githooks\n\tfsmonitor = touch ${canary}\n[filter "x"]\n\tsmudge = touch ${canary}\n`,
      '.lfsconfig': `[lfs]\n\turl = ext::touch ${canary}\n`,
      '.gitattributes': '* filter=x diff=x merge=x\n*.bin filter=lfs\nleft-out export-ignore\nsubst export-subst\n',
      'large.bin': 'version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n',
      'left-out': 'there',
      subst: '$Format:%H$',
      vendor: { content: 'a'.repeat(40), mode: '160000' },
    })
    expect(existsSync(canary)).toBe(false)
    expect(readdirSync(join(into, 'vendor'))).toEqual([])
    expect(readFileSync(join(into, 'left-out'), 'utf8')).toBe('there')
    expect(readFileSync(join(into, 'subst'), 'utf8')).toBe('$Format:%H$')
    expect(existsSync(join(into, '.git'))).toBe(false)
  })

  test('settings of the user on the server, such as a filter, are ignored', async () => {
    const { origin, repository } = build()
    const sha = origin.commit({ '.gitattributes': '* filter=x\n', 'a.txt': 'plain' })
    await source.fetchCommit(repository, { sha })
    writeFileSync(join(folder, '.gitconfig'), `[filter "x"]\n\tsmudge = touch ${canary}; cat\n\trequired\n`)
    const home: typeof host = {
      ...host,
      run: ([...words], options) => host.run(['env', `HOME=${folder}`, ...words], options),
    }
    const place = { host: home, repository: join(folder, 'with-home/source.git'), sha }
    await source.pushCommit({ projectId: made, ...place })
    await source.checkout({ ...place, folder: join(folder, 'with-home/release') })
    expect(readFileSync(join(folder, 'with-home/release/a.txt'), 'utf8')).toBe('plain')
    expect(existsSync(canary)).toBe(false)
  })

  test('names and modes stay unchanged, whatever they mean to a shell', async () => {
    const names = [
      '-rf',
      '--help',
      'line\nbreak',
      "quo'te",
      'quo"te',
      '$(touch canary)',
      '`id`',
      'a b',
      'ümlaut-日本語',
      '*',
      '~',
    ]
    const files = Object.fromEntries(names.map((name) => [name, name]))
    const { into } = await release({ ...files, 'run.sh': { content: 'x', mode: '100755' } })
    expect(readdirSync(into).toSorted()).toEqual([...names, 'run.sh'].toSorted())
    for (const name of names) expect(readFileSync(join(into, name), 'utf8')).toBe(name)
    expect([lstatSync(join(into, 'run.sh')).mode & 0o111, lstatSync(join(into, '-rf')).mode & 0o111]).toEqual([
      0o111, 0,
    ])
  })

  test('a symbolic link is checked out as a link and never followed', async () => {
    const { into, sha, projectId } = await release({
      '.service.yml': { content: '/etc/shadow', mode: '120000' },
      up: { content: '../../..', mode: '120000' },
      'inside/file': 'x',
    })
    expect(readlinkSync(join(into, '.service.yml'))).toBe('/etc/shadow')
    expect(readlinkSync(join(into, 'up'))).toBe('../../..')
    const read = (path: string) => source.readFile(projectId, sha, { path, maxBytes: 100 })
    await expect(read('.service.yml')).rejects.toMatchObject({ code: 'not_a_plain_file' })
    await expect(read('.service.yml')).rejects.toThrow('.service.yml is a symbolic link, not a file')
    await expect(read('inside')).rejects.toThrow('inside is a folder, not a file')
    expect(await read('up/etc/passwd')).toBeUndefined()
    expect(await read('absent')).toBeUndefined()
    for (const path of ['../secret.env', '/etc/passwd', 'inside/../../x', '..'])
      expect(await read(path)).toBeUndefined()
  })

  test('a file that is too large is not read', async () => {
    const { sha, projectId } = await release({ '.service.yml': 'x'.repeat(101) })
    await expect(source.readFile(projectId, sha, { path: '.service.yml', maxBytes: 100 })).rejects.toThrow(
      '.service.yml has 101 bytes, and at most 100 are read. Move long scripts and texts into files of their own',
    )
  })

  test.each([
    '.git/config',
    '.GIT/config',
    'sub/.git/hooks/post-checkout',
    '../outside',
    './here',
    'git~1/config',
    '.g\u200cit/config',
  ])('a repository with the path %j is refused', async (path) => {
    const { origin, repository } = build()
    const sha = origin.commit({ [path]: 'x' })
    const fault = await source.fetchCommit(repository, { sha }).catch((error: SourceError) => error)
    expect(fault).toMatchObject({ code: 'content_refused', message: expect.stringContaining('git refuses as unsafe') })
  })

  test('a link and a folder of the same name cannot redirect a file', async () => {
    const { origin, repository } = build()
    const inner = origin.git(['rev-parse', `${origin.commit({ file: 'x' })}^{tree}`])
    const link = origin.git(['hash-object', '-w', '--stdin'], '/tmp')
    const raw = Buffer.concat(
      [['120000', link] as const, ['40000', inner] as const].map(([mode, object]) =>
        Buffer.concat([Buffer.from(`${mode} same\0`), Buffer.from(object, 'hex')]),
      ),
    )
    const tree = execFileSync(
      'git',
      [`--git-dir=${origin.path}`, 'hash-object', '-w', '-t', 'tree', '--literally', '--stdin'],
      { input: raw },
    )
    const sha = origin.git(['-c', 'user.name=Ada', 'commit-tree', tree.toString().trim()], 'Twice')
    origin.git(['update-ref', 'refs/heads/main', sha])
    await expect(source.fetchCommit(repository, { sha })).rejects.toMatchObject({ code: 'content_refused' })
  })

  test('a branch is found by its bytes, whatever they mean to a shell', async () => {
    const { origin, repository } = build()
    const shas = literalBranches.map((branch) => origin.commit({ name: branch }, { branch }))
    const resolved = await Promise.all(literalBranches.map((branch) => source.resolveBranch(repository, branch)))
    expect(resolved).toEqual(shas)
    expect((await source.fetchCommit(repository, { branch: 'refs/heads/main' })).sha).toBe(shas[15])
  })

  test.each([
    ['<script>alert(1)</script>', '<script>alert(1)</script>'],
    ['</title><img src=x onerror=alert(1)>', '</title><img src=x onerror=alert(1)>'],
    ['\u202e\u2066evil', 'evil'],
    ['clear\u001b[2J\u001b]0;owned\u0007ed', 'cleared'],
    ['one\u2028line', 'oneline'],
  ])('the message and the author %j of a commit are text', async (words, shown) => {
    const { origin, repository } = build()
    const author = `Eve ${words.replaceAll(/[<>]/g, '')} Ada`
    const sha = origin.commit({ file: 'x' }, { message: `Say ${words}`, author })
    expect(await source.fetchCommit(repository, { sha })).toEqual({
      sha,
      message: `Say ${shown}`,
      author: `Eve ${shown.replaceAll(/[<>]/g, '')} Ada`,
    })
  })

  test.each(hostileBranches)('%j is no branch, and git is not called', async (branch) => {
    const { repository } = build()
    const before = gitHost.signIns()
    await expect(source.resolveBranch(repository, branch)).rejects.toMatchObject({ code: 'branch_not_found' })
    await expect(source.fetchCommit(repository, { branch })).rejects.toMatchObject({ code: 'branch_not_found' })
    expect(gitHost.signIns()).toBe(before)
  })

  test.each([
    'HEAD$(id)',
    '--upload-pack=x',
    'a'.repeat(39),
    'a'.repeat(41),
    `${'A'.repeat(40)};id`,
    'main',
    'A'.repeat(40),
  ])('%j is no commit, and git is not even asked', async (sha) => {
    const { repository } = build()
    const before = gitHost.signIns()
    await expect(source.fetchCommit(repository, { sha })).rejects.toMatchObject({ code: 'commit_not_found' })
    expect(gitHost.signIns()).toBe(before)
  })

  describe('that is larger than it looks', () => {
    /** A commit of nested folders, each with ten times as many entries as the next. */
    function nested(entry: string, levels: number): { sha: string; projectId: number; repository: Repository } {
      const { origin, repository } = build()
      const blob = origin.git(['hash-object', '-w', '--stdin'], 'content')
      const tenTimes = (what: string): string =>
        origin.git(['mktree', '-z'], Array.from({ length: 10 }, (_, at) => `${what}\t${at}\0`).join(''))
      let tree = tenTimes(`${entry} blob ${blob}`)
      for (let level = 1; level < levels; level++) tree = tenTimes(`040000 tree ${tree}`)
      const sha = origin.git(['-c', 'user.name=Ada', 'commit-tree', tree], 'A commit')
      origin.git(['update-ref', 'refs/heads/main', sha])
      return { sha, projectId: made, repository }
    }

    test.each([
      ['files', '100644', 8, 'The commit has more than 300,000 files'],
      ['symbolic links', '120000', 5, 'The commit has more than 10,000 symbolic links'],
    ])('a commit of ever more %s is refused before a server lays it out', async (_, entry, levels, sentence) => {
      const { sha, projectId, repository } = nested(entry, levels)
      await source.fetchCommit(repository, { sha })
      await expect(source.listLinks(projectId, sha)).rejects.toThrow(sentence)
      const place = { host, repository: join(folder, `server-${made}/source.git`), sha }
      await expect(source.pushCommit({ projectId, ...place })).rejects.toThrow(sentence)
      expect(existsSync(place.repository)).toBe(false)
    })

    test('a name, a subject or a path of a megabyte is cut or refused', async () => {
      const { origin, repository } = build()
      const long = 'x'.repeat(2 * 1024 * 1024)
      const sha = origin.commit({ 'file.txt': 'content' }, { message: `${long}\n`, author: long.slice(0, 100_000) })
      const commit = await source.fetchCommit(repository, { sha })
      expect(commit.message.length).toBeLessThanOrEqual(1000)
      expect(commit.author.length).toBeLessThanOrEqual(200)
      const blob = origin.git(['hash-object', '-w', '--stdin'], 'content')
      const tree = origin.git(['mktree', '-z'], `100644 blob ${blob}\t${long}\0`)
      const deep = origin.git(['-c', 'user.name=Ada', 'commit-tree', tree], 'A commit')
      origin.git(['update-ref', 'refs/heads/deep', deep])
      await source.fetchCommit(repository, { sha: deep })
      await expect(source.listLinks(repository.projectId, deep)).rejects.toThrow(
        'The commit has a path that is too long',
      )
    })

    test('a host that lists refs without end is refused', async () => {
      const { origin, repository } = build()
      const sha = origin.commit({ 'file.txt': 'content' })
      const refs = Array.from({ length: 4_500 }, (_, at) => `create refs/pull/${at}-${'x'.repeat(220)} ${sha}\n`)
      origin.git(['update-ref', '--stdin'], refs.join(''))
      origin.git(['pack-refs', '--all'])
      const sentence = /says more about it than the platform reads/
      await expect(source.listRefs(repository, 'refs/pull/*')).rejects.toThrow(sentence)
    })
  })
})
