// What `shipway up` sends: exactly what git would commit, and the repository stays as it was.
import { execFileSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findCheckout, makeCommit } from './make-commit.ts'
import { listPushed, writePack } from './write-pack.ts'

const { signal } = new AbortController()
let place: string

beforeAll(() => {
  place = mkdtempSync(join(tmpdir(), 'upload-test-'))
})
afterAll(() => rmSync(place, { recursive: true }))

const environment = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' }
const gitIn = (folder: string, ...words: string[]): string =>
  execFileSync('git', ['-C', folder, ...words], { encoding: 'utf8', env: environment, maxBuffer: 2 ** 28 }).trimEnd()

function write(root: string, files: Readonly<Record<string, string>>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), content)
  }
}

function buildRepository(name: string, files: Readonly<Record<string, string>>): string {
  const root = join(place, name)
  mkdirSync(root)
  gitIn(root, 'init', '-q', '-b', 'main')
  gitIn(root, 'config', 'user.name', 'Ada')
  gitIn(root, 'config', 'user.email', 'ada@private.example')
  write(root, files)
  gitIn(root, 'add', '-A')
  gitIn(root, 'commit', '-qm', 'First')
  return root
}

let made = 0

/** Makes the pack, and unpacks it into an empty repository: what is there was sent, and nothing else. */
async function upload(root: string, base: string | null = null) {
  const scratch = join(place, `scratch-${++made}`)
  mkdirSync(scratch)
  const commit = await makeCommit(await findCheckout(root, signal), { scratch, signal })
  const file = join(scratch, 'up.pack')
  const bytes = await writePack(commit, { base, file, mostBytes: 64 * 1024 ** 2 })
  const received = join(place, `received-${made}`)
  execFileSync('git', ['init', '-q', '--bare', received])
  execFileSync('git', ['-C', received, 'unpack-objects', '-q'], { input: readFileSync(file) })
  const objects = gitIn(received, 'cat-file', '--batch-all-objects', '--batch-check=%(objecttype) %(objectname)').split(
    '\n',
  )
  return { ...commit, bytes, received, objects }
}

/** Everything of the repository that a careless client would change. */
const stateOf = (root: string): unknown => ({
  index: readFileSync(join(root, '.git/index')).toString('base64'),
  indexTime: statSync(join(root, '.git/index')).mtimeMs,
  refs: gitIn(root, 'for-each-ref'),
  head: readFileSync(join(root, '.git/HEAD'), 'utf8'),
  files: readdirSync(join(root, '.git'), { recursive: true }).sort(),
  status: gitIn(root, '--no-optional-locks', 'status', '--porcelain', '--ignored'),
})

describe('a working tree', () => {
  test('with secrets, links, a submodule and LFS pointers is sent as git stash would keep it, with new files', async () => {
    const module = buildRepository('module', { 'inner.txt': 'of another repository' })
    const root = buildRepository('shop', {
      '.gitignore': '.env\nnode_modules/\n*.key\n',
      '.gitattributes': '*.bin filter=lfs diff=lfs merge=lfs -text\n',
      'app.js': 'one',
      'gone.txt': 'deleted later',
      'old name.txt': 'renamed later',
      'large.bin': 'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n',
    })
    gitIn(root, '-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', module, 'vendor')
    gitIn(root, 'commit', '-qm', 'Add a submodule')
    write(module, { 'inner.txt': 'newer' })
    write(root, {
      'app.js': 'two, not committed',
      'new/page.html': 'new and not ignored',
      '.env': 'SECRET=hunter2',
      'server.key': 'private',
      'node_modules/x/index.js': 'huge',
      'staged.txt': 'staged',
      'old name.txt': 'changed after it was staged',
      'vendor/inner.txt': 'a change inside the submodule',
    })
    rmSync(join(root, 'gone.txt'))
    symlinkSync('/etc/passwd', join(root, 'passwd'))
    symlinkSync('../../outside', join(root, 'out'))
    gitIn(root, 'add', 'staged.txt', 'old name.txt')
    const before = stateOf(root)
    const { sha, received, objects } = await upload(root)
    expect(stateOf(root)).toEqual(before)
    // What git itself would keep: the stash of a copy, and its new files that are not ignored.
    const copy = join(place, 'shop-copy')
    cpSync(root, copy, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true })
    for (const path of gitIn(copy, 'ls-files', '-z', '--others', '--exclude-standard').split('\0').filter(Boolean))
      gitIn(copy, 'add', '--', path)
    const stash = gitIn(copy, 'stash', 'create')
    const listed = (folder: string, commit: string) => gitIn(folder, 'ls-tree', '-r', '-t', '-z', commit).split('\0')
    expect(listed(received, sha)).toEqual(listed(copy, stash))
    expect(gitIn(received, 'ls-tree', '-r', '--name-only', sha).split('\n')).toEqual([
      ...['.gitattributes', '.gitignore', '.gitmodules', 'app.js', 'large.bin', 'new/page.html'],
      ...['old name.txt', 'out', 'passwd', 'staged.txt', 'vendor'],
    ])
    // The links themselves, and not what they lead to.
    expect(gitIn(received, 'cat-file', '-p', `${sha}:passwd`)).toBe('/etc/passwd')
    // One commit without parents and without an address, and nothing that its files do not need.
    const needed = gitIn(received, 'rev-list', '--objects', '--no-object-names', sha).split('\n')
    expect(objects.map((line) => line.split(' ')[1]).sort()).toEqual(needed.sort())
    expect(objects.filter((line) => line.startsWith('commit'))).toEqual([`commit ${sha}`])
    expect(gitIn(received, 'cat-file', 'commit', sha)).not.toMatch(/parent|private\.example/)
  })

  test('a secret of an earlier commit that was not pushed is not sent', async () => {
    const root = buildRepository('history', { 'a.txt': 'one' })
    const secret = gitIn(root, 'rev-parse', 'HEAD')
    write(root, { 'password.txt': 'hunter2' })
    gitIn(root, 'add', '-A')
    gitIn(root, 'commit', '-qm', 'By mistake')
    const blob = gitIn(root, 'rev-parse', 'HEAD:password.txt')
    gitIn(root, 'rm', '-q', 'password.txt')
    gitIn(root, 'commit', '-qm', 'Remove it')
    const { objects } = await upload(root)
    expect(objects.join('\n')).not.toContain(blob)
    expect(objects.join('\n')).not.toContain(secret)
  })

  test('only what differs from the base is sent', async () => {
    const root = buildRepository('based', { 'a.txt': 'one', 'folder/b.txt': 'two' })
    const base = gitIn(root, 'rev-parse', 'HEAD')
    write(root, { 'a.txt': 'changed' })
    const { sha, objects, changedFiles } = await upload(root, base)
    expect(changedFiles).toBe(1)
    expect(objects.map((line) => line.split(' ')[0]).sort()).toEqual(['blob', 'commit', 'tree'])
    expect(objects).toContain(`commit ${sha}`)
  })

  test('a file that changed within the second of the last git add is sent as it is', async () => {
    const root = buildRepository('racy', { 'a.txt': 'one' })
    // The same size and time as what the index has.
    const index = statSync(join(root, '.git/index'))
    writeFileSync(join(root, 'a.txt'), 'two')
    execFileSync('touch', ['-d', `@${Math.floor(index.mtimeMs / 1000)}`, join(root, 'a.txt'), join(root, '.git/index')])
    const { sha, received } = await upload(root)
    expect(gitIn(received, 'cat-file', '-p', `${sha}:a.txt`)).toBe('two')
  })

  test('hooks do not run, and filters of the user do, as with git add', async () => {
    const root = buildRepository('filtered', { '.gitattributes': '*.txt filter=upper\n', 'a.txt': 'one' })
    for (const hook of ['pre-commit', 'post-index-change', 'post-commit']) {
      write(root, { [`.git/hooks/${hook}`]: `#!/bin/sh\ntouch '${join(place, 'hook-ran')}'\n` })
      execFileSync('chmod', ['+x', join(root, '.git/hooks', hook)])
    }
    gitIn(root, 'config', 'filter.upper.clean', 'tr a-z A-Z')
    write(root, { 'a.txt': 'two' })
    const { sha, received } = await upload(root)
    expect(gitIn(received, 'cat-file', '-p', `${sha}:a.txt`)).toBe('TWO')
    expect(readdirSync(place)).not.toContain('hook-ran')
  })

  test('in a folder of a worktree, and with a detached head', async () => {
    const root = buildRepository('with-worktree', { 'a.txt': 'one', 'folder/b.txt': 'two' })
    const worktree = join(place, 'the-worktree')
    gitIn(root, 'worktree', 'add', '-q', '--detach', worktree)
    write(worktree, { 'folder/b.txt': 'changed' })
    expect(await findCheckout(join(worktree, 'folder'), signal)).toMatchObject({ root: worktree, branch: 'detached' })
    const { sha, received } = await upload(join(worktree, 'folder'))
    expect(gitIn(received, 'cat-file', '-p', `${sha}:folder/b.txt`)).toBe('changed')
  })

  test('50,000 files: only the changed one is sent', { timeout: 120_000 }, async () => {
    const files = Object.fromEntries(Array.from({ length: 50_000 }, (_, n) => [`f${n % 500}/${n}.txt`, `${n}`]))
    const root = buildRepository('many', files)
    const base = gitIn(root, 'rev-parse', 'HEAD')
    write(root, { 'f7/7.txt': 'changed', 'f8/new.txt': 'new' })
    const { objects, bytes } = await upload(root, base)
    expect(objects).toHaveLength(6)
    expect(bytes).toBeLessThan(64 * 1024)
  })

  test('conflicts, a repository without commits and a folder without one are named', async () => {
    const root = buildRepository('conflicts', { 'a.txt': 'one' })
    gitIn(root, 'checkout', '-qb', 'other')
    write(root, { 'a.txt': 'other' })
    gitIn(root, 'commit', '-qam', 'Other')
    gitIn(root, 'checkout', '-q', 'main')
    write(root, { 'a.txt': 'mine' })
    gitIn(root, 'commit', '-qam', 'Mine')
    expect(() => gitIn(root, 'merge', '-q', 'other')).toThrow()
    await expect(upload(root)).rejects.toMatchObject({ code: 'unmerged' })
    const empty = join(place, 'empty')
    mkdirSync(empty)
    gitIn(empty, 'init', '-q')
    await expect(upload(empty)).rejects.toMatchObject({ code: 'no_commit' })
    await expect(findCheckout('/', signal)).rejects.toMatchObject({ code: 'no_repository' })
  })

  test('commits that were pushed are named as bases, the newest first', async () => {
    const root = buildRepository('pushed', { 'a.txt': 'one' })
    const first = gitIn(root, 'rev-parse', 'HEAD')
    expect(await listPushed({ folder: root, signal }, 50)).toEqual([])
    gitIn(root, 'update-ref', 'refs/remotes/origin/main', first)
    gitIn(root, 'commit', '-q', '--allow-empty', '-m', 'Not pushed')
    expect(await listPushed({ folder: root, signal }, 50)).toEqual([first])
  })
})
