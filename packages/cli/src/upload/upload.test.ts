// What `shipway up` sends: exactly what git would commit, and the repository stays as it was. The platform takes it.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
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
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fastestFolder } from '../../../../tools/fastest-folder.ts'
import { keepUploadIn } from '../../../server/src/source/uploads.ts'
import { findCheckout, makeCommit } from './make-commit.ts'
import { listPushed, writePack } from './write-pack.ts'

const { signal } = new AbortController()
let place: string

beforeAll(() => {
  place = mkdtempSync(join(fastestFolder(1024 ** 3), 'upload-test-'))
})
afterAll(() => rmSync(place, { recursive: true }), 300_000)

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
  gitIn(root, 'commit', '-q', '--allow-empty', '-m', 'First')
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
  execFileSync('git', ['-C', received, 'index-pack', '--stdin'], { input: readFileSync(file), stdio: 'pipe' })
  const objects = gitIn(received, 'cat-file', '--batch-all-objects', '--batch-check=%(objecttype) %(objectname)').split(
    '\n',
  )
  return { ...commit, bytes, file, received, objects }
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

const treeOf = (folder: string, commit: string): string[] =>
  gitIn(folder, 'ls-tree', '-r', '-t', '-z', commit).split('\0')

function copyOf(root: string): string {
  const copy = `${root}-copy`
  cpSync(root, copy, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true })
  return copy
}

/** What git itself would keep: the stash of a copy, and its new files that are not ignored. */
function stashOf(root: string): string[] {
  const copy = copyOf(root)
  for (const path of gitIn(copy, 'ls-files', '-z', '--others', '--exclude-standard').split('\0').filter(Boolean))
    gitIn(copy, 'add', '--', path)
  return treeOf(copy, gitIn(copy, 'stash', 'create'))
}

/** The platform's copy of a repository. */
function buildMirror(name: string) {
  const path = join(place, name)
  execFileSync('git', ['init', '-q', '--bare', path])
  return {
    path,
    /** As a commit that was pushed. */
    fetch: (root: string, sha: string) => gitIn(path, 'fetch', '-q', root, `${sha}:refs/shipway/${sha}`),
    /** Throws if the pack is not exactly what the files of the commit need beyond those of the base. */
    keep: ({ sha, file }: { sha: string; file: string }, base: string) =>
      keepUploadIn(path, { sha, base }, { pack: file }),
  }
}

/** As git-lfs does it, but the content is stored nowhere. */
const LFS_CLEAN = `#!/bin/sh
content=$(mktemp)
cat >"$content"
printf 'version https://git-lfs.github.com/spec/v1\\noid sha256:%s\\nsize %s\\n' "$(sha256sum <"$content" | cut -c 1-64)" "$(wc -c <"$content")"
rm "$content"
`

const pointerTo = (content: string): string =>
  `version https://git-lfs.github.com/spec/v1\noid sha256:${createHash('sha256').update(content).digest('hex')}\nsize ${content.length}`

describe('a working tree', () => {
  test('with secrets, links, a submodule and LFS pointers is sent as git stash would keep it, with new files', async () => {
    const module = buildRepository('module', { 'inner.txt': 'of another repository' })
    const root = buildRepository('shop', {
      '.gitignore': '.env\nnode_modules/\n*.key\n',
      '.gitattributes': '*.bin filter=lfs diff=lfs merge=lfs -text\n',
      'app.js': 'one',
      'gone.txt': 'deleted later',
      'old name.txt': 'renamed later',
    })
    write(place, { 'lfs-clean': LFS_CLEAN })
    gitIn(root, 'config', 'filter.lfs.clean', `sh '${join(place, 'lfs-clean')}' %f`)
    gitIn(root, 'config', 'filter.lfs.required', 'true')
    write(root, { 'large.bin': 'large '.repeat(10_000), 'kept.bin': 'kept '.repeat(10_000) })
    gitIn(root, 'add', '-A')
    gitIn(root, '-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', module, 'vendor')
    gitIn(root, 'commit', '-qm', 'Add a submodule')
    write(module, { 'inner.txt': 'newer' })
    write(root, {
      'app.js': 'two, not committed',
      'large.bin': 'larger '.repeat(10_000),
      'new.bin': 'new '.repeat(10_000),
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
    expect(treeOf(received, sha)).toEqual(stashOf(root))
    expect(gitIn(received, 'ls-tree', '-r', '--name-only', sha).split('\n')).toEqual([
      ...['.gitattributes', '.gitignore', '.gitmodules', 'app.js', 'kept.bin', 'large.bin', 'new.bin'],
      ...['new/page.html', 'old name.txt', 'out', 'passwd', 'staged.txt', 'vendor'],
    ])
    for (const [name, word] of Object.entries({ kept: 'kept ', large: 'larger ', new: 'new ' }))
      expect(gitIn(received, 'cat-file', '-p', `${sha}:${name}.bin`)).toBe(pointerTo(word.repeat(10_000)))
    // The links themselves, and not what they lead to.
    expect(gitIn(received, 'cat-file', '-p', `${sha}:passwd`)).toBe('/etc/passwd')
    // One commit without parents and without an address, and nothing that its files do not need.
    const needed = gitIn(received, 'rev-list', '--objects', '--no-object-names', sha).split('\n')
    expect(objects.map((line) => line.split(' ')[1]).sort()).toEqual(needed.sort())
    expect(objects.filter((line) => line.startsWith('commit'))).toEqual([`commit ${sha}`])
    expect(gitIn(received, 'cat-file', 'commit', sha)).not.toMatch(/parent|private\.example/)
  })

  test('with folders that became links, changed modes, and files that git ignores', async () => {
    const outside = join(place, 'outside')
    write(outside, { 'secret.txt': 'not of this repository' })
    const root = buildRepository('odd', {
      'was-folder/a.txt': 'a',
      'was-file': 'file',
      'run.sh': 'echo',
      'tracked.log': 'tracked although it is ignored',
      'local.conf': 'as committed',
      ' name\twith "quotes"\n': 'one',
    })
    write(root, {
      '.gitignore': '*.log\n',
      'folder/.gitignore': '*\n!kept.txt\n',
      'folder/kept.txt': 'kept',
      'folder/dropped.txt': 'SECRET=hunter2',
      'excluded.txt': 'SECRET=hunter2',
      '.git/info/exclude': 'excluded.txt\n',
      'other.log': 'SECRET=hunter2',
      'tracked.log': 'changed',
      'local.conf': 'SECRET=hunter2',
      ' name\twith "quotes"\n': 'two',
      'intended.txt': 'announced with git add -N',
    })
    rmSync(join(root, 'was-folder'), { recursive: true })
    symlinkSync(outside, join(root, 'was-folder'))
    rmSync(join(root, 'was-file'))
    write(root, { 'was-file/inner.txt': 'now a folder' })
    chmodSync(join(root, 'run.sh'), 0o755)
    gitIn(root, 'add', '-N', 'intended.txt')
    gitIn(root, 'update-index', '--assume-unchanged', 'local.conf')
    const { sha, received } = await upload(root)
    // git stash fails on a folder that became a link.
    const copy = copyOf(root)
    gitIn(copy, 'add', '--all')
    expect(treeOf(received, sha)).toEqual(treeOf(copy, gitIn(copy, 'write-tree')))
    const contents = gitIn(received, 'grep', '-a', '-h', '', sha)
    expect(contents).toContain('announced with git add -N')
    expect(contents).not.toMatch(/hunter2|not of this repository/)
    expect(gitIn(received, 'ls-tree', sha, 'run.sh', 'was-folder')).toMatch(/^100755 blob .*\n120000 blob /)
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

  test('20,000 new files are sent, and then the changed ones alone', async () => {
    const root = buildRepository('many', { 'pushed.txt': 'pushed' })
    for (let folder = 0; folder < 500; folder++) mkdirSync(join(root, `f${folder}`))
    for (let n = 0; n < 20_000; n++) writeFileSync(join(root, `f${n % 500}/${n}.txt`), `${n}\n`)
    const mirror = buildMirror('mirror-of-many')
    const treeIn = (folder: string, commit: string): string => gitIn(folder, 'rev-parse', `${commit}^{tree}`)
    const stashed = (): string => {
      gitIn(root, 'add', '-A')
      return treeIn(root, gitIn(root, 'stash', 'create'))
    }
    const first = gitIn(root, 'rev-parse', 'HEAD')
    mirror.fetch(root, first)
    const all = await upload(root, first)
    await mirror.keep(all, first)
    // The files, their folders, the root and the commit.
    expect(all.objects).toHaveLength(20_000 + 500 + 2)
    // With the objects of the mirror, git add writes none.
    write(root, { '.git/objects/info/alternates': `${join(mirror.path, 'objects')}\n` })
    expect(treeIn(mirror.path, all.sha)).toBe(stashed())

    gitIn(root, 'commit', '-qm', 'Many')
    const base = gitIn(root, 'rev-parse', 'HEAD')
    mirror.fetch(root, base)
    write(root, { 'f7/7.txt': 'changed', 'f8/new.txt': 'new' })
    rmSync(join(root, 'f9/9.txt'))
    const changed = await upload(root, base)
    expect(changed.objects).toHaveLength(2 + 3 + 2)
    expect(changed.bytes).toBeLessThan(64 * 1024)
    await mirror.keep(changed, base)
    expect(treeIn(mirror.path, changed.sha)).toBe(stashed())
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
