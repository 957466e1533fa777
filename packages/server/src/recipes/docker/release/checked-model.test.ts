// What was checked, on a server: written once, proven when it is read or run again, and of no use once something has altered it.
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { modelOf } from '../../../../../rules/test/compose.ts'
import { createLocalHost } from '../../../../test/processes/local-host.ts'
import { dockerScript } from '../../../commands/docker/script.ts'
import { checkedModel } from '../../../deployment/checked-model.ts'
import { foldersOf } from '../../../deployment/folders.ts'
import { runnableIn, writeRunnable } from '../../../runtimes/compose/write-runnable.ts'
import { inspectPaths, refuseLinks } from './inspect-paths.ts'

const host = createLocalHost('server')
const where = { taskId: 1, environment: { id: 2, name: 'e', type: 'manual' as const, domain: 'e.test' } }
let base: string
const folders = () =>
  foldersOf({ ...where, project: { id: 3, domain: 'test', customDomains: [] }, serverFolder: base }, '/home')
const release = (path: string): string => join(folders().release, path)

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'shipway-checked-'))
  for (const folder of ['src/deep', 'kept/inner', 'outside']) mkdirSync(release(folder), { recursive: true })
  for (const file of ['src/code', 'kept/.gitkeep', 'kept/inner/.gitignore', 'file']) writeFileSync(release(file), 'x')
})
afterEach(() => rmSync(base, { recursive: true }))

test('another process reads the same model back, and not one that was altered', async () => {
  const model = modelOf({ web: { environment: { A: '$B' } } })
  const { checked: file } = folders()
  const digest = await checkedModel(file).keep(host, model)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(await checkedModel(file).read(host, digest)).toMatchObject({ services: model.services })
  // The digest stands in the records: two of the same model tell nothing.
  expect(await checkedModel(file).keep(host, model)).not.toBe(digest)
  await expect(checkedModel(file).read(host, digest)).rejects.toThrow('not on server any more as it was. Deploy again')
  rmSync(file)
  await expect(checkedModel(file).read(host, digest)).rejects.toThrow('Deploy again')
})

async function guardedRun(
  paths = [release('src'), release('file')],
): Promise<() => Promise<{ exitCode: number; said: string }>> {
  const written = { document: { services: {} }, paths }
  const digest = await writeRunnable(host, folders(), written)
  const command = runnableIn(folders(), 'project', digest).guarded(['touch', join(base, 'ran')])
  return async () => {
    const { exitCode, stdout } = await host.run(command)
    return { exitCode, said: stdout.toString() }
  }
}

test('Compose runs with what was checked', async () => {
  const run = await guardedRun()
  expect(await run()).toEqual({ exitCode: 0, said: '' })
  expect(existsSync(join(base, 'ran'))).toBe(true)
  rmSync(folders().mounted)
  const withoutPaths = await guardedRun([])
  expect(await withoutPaths()).toEqual({ exitCode: 0, said: '' })
})

test.each<[string, () => void, string]>([
  ['the file was altered', () => appendFileSync(folders().compose, ' '), 'as it was. Deploy again'],
  ['the list of paths was altered', () => writeFileSync(folders().mounted, ''), 'as it was. Deploy again'],
  ['the list of paths is gone', () => rmSync(folders().mounted), 'as it was. Deploy again'],
  ['a mounted folder is a link now', () => replace('src', '/'), 'src is not what it was'],
  ['a folder on the way is a link now', () => replace('', 'elsewhere'), 'src is not what it was'],
  ['a mounted file is gone', () => rmSync(release('file')), 'file is not what it was'],
])('Compose does not run where %s', async (_what, alter, sentence) => {
  const run = await guardedRun()
  alter()
  expect(await run()).toMatchObject({ exitCode: 1, said: expect.stringContaining(sentence) })
  expect(existsSync(join(base, 'ran'))).toBe(false)
})

function replace(path: string, target: string): void {
  const replaced = path === '' ? release('src/deep') : release(path)
  renameSync(replaced, `${replaced}.old`)
  symlinkSync(target, replaced)
  if (path === '') rmSync(release('src'), { recursive: true })
}

test('says what is at each path of a release', async () => {
  symlinkSync('/etc', release('link'))
  symlinkSync('nowhere', release('dangling'))
  const kinds = {
    '': 'folder',
    src: 'folder',
    'src/deep': 'empty',
    'src/code': 'file',
    kept: 'empty',
    file: 'file',
    absent: 'absent',
    'absent/deep': 'absent',
    'file/deep': 'absent',
    link: 'link',
    'link/passwd': 'link',
    dangling: 'link',
    'dangling/deep': 'link',
  }
  const paths = Object.keys(kinds).map(release)
  expect(Object.fromEntries(await inspectPaths(host, folders().release, paths))).toEqual(
    Object.fromEntries(Object.entries(kinds).map(([path, kind]) => [release(path), kind])),
  )
  await expect(refuseLinks(host, folders().release, paths)).rejects.toThrow(
    'A link leads elsewhere from link, link/passwd, dangling, dangling/deep. Use paths that pass no symbolic link',
  )
})

test('a release below a link of the server itself is checked all the same', async () => {
  const other = `${base}.link`
  symlinkSync(base, other)
  try {
    const below = folders().release.replace(base, other)
    expect([...(await inspectPaths(host, below, [`${below}/src`, `${below}/absent`])).values()]).toEqual([
      'folder',
      'absent',
    ])
  } finally {
    rmSync(other)
  }
})

test('mount points are made where they are missing, and not behind a link', async () => {
  symlinkSync(join(base, 'elsewhere'), release('link'))
  mkdirSync(join(base, 'elsewhere'))
  const wanted = [
    ['', 'a/folder'],
    [release('src'), 'b'],
    [release('file'), 'c/file'],
    ['', 'link/x'],
    ['', 'file'],
  ] as const
  const input = wanted.map(([source, path]) => `${source}\n${release(path)}\n`).join('')
  expect(await host.run(dockerScript('make-mount-points', folders().release), { input })).toMatchObject({ exitCode: 0 })
  expect(['a/folder', 'b'].map((path) => statSync(release(path)).isDirectory())).toEqual([true, true])
  expect([statSync(release('c/file')).isFile(), statSync(release('file')).isFile()]).toEqual([true, true])
  expect(existsSync(join(base, 'elsewhere/x'))).toBe(false)
})
