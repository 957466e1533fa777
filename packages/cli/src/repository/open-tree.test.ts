import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findUncommitted } from './find-uncommitted.ts'
import { listFiles } from './list-files.ts'
import { openTree, type WorkingTree } from './open-tree.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'shipway-tree-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const { signal } = new AbortController()

function write(files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}

function git(...words: readonly string[]): void {
  const who = ['-c', 'user.name=Somebody', '-c', 'user.email=somebody@example.com', '-c', 'init.defaultBranch=main']
  execFileSync('git', [...who, ...words], { cwd: folder, stdio: 'pipe' })
}

async function tree(): Promise<WorkingTree> {
  return openTree(folder, await listFiles(folder, signal))
}

const textOf = async (path: string): Promise<string | undefined> => {
  const content = await (await tree()).read(path)
  return content instanceof Uint8Array ? Buffer.from(content).toString() : content
}

test.each(['git', 'disk'])('a file is read by its path (%s)', async (by) => {
  write({ 'deploy/compose.yml': 'services: {}\n' })
  if (by === 'git') git('init')
  expect((await listFiles(folder, signal)).by).toBe(by)
  expect(await textOf('deploy/compose.yml')).toBe('services: {}\n')
  expect(await textOf('compose.yml')).toBeUndefined()
  expect(await textOf('deploy')).toBe('deploy is a folder, not a file')
})

test.each(['git', 'disk'])('nothing outside the folder is read (%s)', async (by) => {
  const outside = mkdtempSync(join(tmpdir(), 'shipway-outside-'))
  try {
    writeFileSync(join(outside, 'secret'), 'hidden')
    write({ 'compose.yml': '' })
    symlinkSync(join(outside, 'secret'), join(folder, 'link'))
    symlinkSync(outside, join(folder, 'folder'))
    if (by === 'git') git('init')
    const open = await tree()
    expect(open.links).toEqual(new Set(['link', 'folder']))
    expect(await open.read('link')).toBe('link is a symbolic link, not a file')
    expect(await open.read('folder/secret')).toBeUndefined()
    expect(await open.read(`../${outside.split('/').at(-1)}/secret`)).toBeUndefined()
    expect(await open.read(join(outside, 'secret'))).toBeUndefined()
    expect(open.ignored).toEqual(new Set())
  } finally {
    rmSync(outside, { recursive: true })
  }
})

test('a folder that became a link since the commit hides its files', async () => {
  write({ 'config/app.env': 'A=1' })
  git('init')
  git('add', '.')
  git('commit', '-m', 'first')
  rmSync(join(folder, 'config'), { recursive: true })
  symlinkSync(tmpdir(), join(folder, 'config'))
  const open = await tree()
  expect(open.links).toEqual(new Set(['config']))
  expect(await open.read('config/app.env')).toBeUndefined()
})

test('ignored files are absent, and are reported if requested', async () => {
  write({ '.gitignore': '.env\ndata/\n', '.env': 'PORT=1', 'data/db.sqlite': 'x', 'compose.yml': '' })
  git('init')
  const open = await tree()
  expect(await open.read('.env')).toBeUndefined()
  expect(await open.kindOf('data')).toBe('absent')
  expect(await open.read('compose.yml')).toHaveLength(0)
  expect(open.ignored).toEqual(new Set(['.env']))
})

test('a tracked file counts even if it is ignored now, and a removed one does not', async () => {
  write({ '.env': 'PORT=1', 'gone.yml': '' })
  git('init')
  git('add', '.')
  git('commit', '-m', 'first')
  write({ '.gitignore': '.env\n' })
  rmSync(join(folder, 'gone.yml'))
  expect(await textOf('.env')).toBe('PORT=1')
  expect(await textOf('gone.yml')).toBeUndefined()
})

test('a folder that git ignores as a whole is read as it is', async () => {
  write({ '.gitignore': 'inner/\n', 'inner/compose.yml': 'x' })
  git('init')
  folder = join(folder, 'inner')
  expect((await listFiles(folder, signal)).by).toBe('disk')
  expect(await textOf('compose.yml')).toBe('x')
})

test('folders are classified as on the platform', async () => {
  write({ 'full/a/b': '', 'kept/.gitkeep': '', 'kept/deep/.gitignore': '*', file: '' })
  git('init')
  const { kindOf } = await tree()
  const kinds = await Promise.all(['full', 'full/a', 'kept', 'file', 'other', '.'].map(kindOf))
  expect(kinds).toEqual(['folder', 'folder', 'empty', 'file', 'absent', 'folder'])
})

test('a file is at most as large as the platform reads', async () => {
  write({ 'compose.yml': 'x'.repeat(1024 * 1024 + 1) })
  expect(await textOf('compose.yml')).toContain('compose.yml has 1048577 bytes, and at most 1048576 are read')
})

test('a named pipe is not a file, and does not block', async () => {
  write({ 'compose.yml': '' })
  execFileSync('mkfifo', [join(folder, '.service.yml')])
  expect(await textOf('.service.yml')).toBeUndefined()
})

test('settings of the repository run nothing', async () => {
  write({ 'compose.yml': '' })
  git('init')
  git('config', 'core.fsmonitor', `touch ${join(folder, 'ran')}; false`)
  await tree()
  expect(await textOf('ran')).toBeUndefined()
})

test('files that differ from the last commit are reported, and line ends do not count', async () => {
  write({ 'same.yml': 'a\n', 'ends.yml': 'a\nb\n', 'changed.yml': 'a\n' })
  git('init')
  git('add', '.')
  git('commit', '-m', 'first')
  write({ 'ends.yml': 'a\r\nb\r\n', 'changed.yml': 'b\n', 'new.yml': '' })
  const open = await tree()
  for (const file of ['same.yml', 'ends.yml', 'changed.yml', 'new.yml', 'absent.yml']) await open.read(file)
  expect(await findUncommitted(open.seen, { folder, signal })).toEqual([
    { file: 'changed.yml', state: 'changed' },
    { file: 'new.yml', state: 'new' },
  ])
})

test('before the first commit everything is new', async () => {
  write({ 'compose.yml': '' })
  git('init')
  const open = await tree()
  await open.read('compose.yml')
  expect(await findUncommitted(open.seen, { folder, signal })).toEqual([{ file: 'compose.yml', state: 'new' }])
})
