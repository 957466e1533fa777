// Folders in which something that is no file stands where one is read: nothing waits for it.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { recordedContext } from '../../test/recorded-context.ts'
import { check } from '../commands/check.ts'
import { init } from '../commands/init.ts'
import { currentBranch } from '../target/current-branch.ts'
import { findLinkFile } from '../target/link-file.ts'
import { runGit } from './run-git.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'shipway-special-'))
  writeFileSync(join(folder, 'compose.yml'), 'services:\n  web:\n    image: nginx\n')
  git('init', '--quiet')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const git = (...words: readonly string[]) => execFileSync('git', words, { cwd: folder, stdio: 'pipe' })
function pipe(path: string): string {
  const file = join(folder, path)
  mkdirSync(dirname(file), { recursive: true })
  rmSync(file, { force: true })
  execFileSync('mkfifo', [file])
  return file
}
const words = { words: [] }

const commands = {
  check: (at: string) => check.run(recordedContext(at).ctx, { ...words, flags: { recipe: undefined } }),
  init: (at: string) => init.run(recordedContext(at).ctx, { ...words, flags: { yes: true, force: true } }),
}

describe.each(['check', 'init'] as const)('%s', (name) => {
  test.each([
    ['.gitignore', '.'],
    ['deep/below/.gitignore', '.'],
    ['.gitignore', 'deep'],
    ['.git/info/exclude', '.'],
    ['.git/index', '.'],
  ])('says that %s is a pipe, in %s', async (path, at) => {
    mkdirSync(join(folder, 'deep'))
    writeFileSync(join(folder, 'deep/compose.yml'), '')
    const file = pipe(path)
    await expect(commands[name](join(folder, at))).rejects.toThrow(`${file} is not a plain file, and git waits for it`)
  })

  test('says that the file of core.excludesFile is one', async () => {
    git('config', 'core.excludesFile', pipe('elsewhere'))
    await expect(commands[name](folder)).rejects.toThrow('elsewhere is not a plain file')
  })

  test.each(['.service.yml', 'compose.yml', '.env', '.dockerignore', 'Dockerfile', '.gitattributes', '.shipway'])(
    'does not wait for %s',
    async (path) => {
      pipe(path)
      expect(await commands[name](folder)).toBeDefined()
    },
  )
})

test('git is given up after a while, whatever it waits for', async () => {
  const signal = new AbortController().signal
  git('config', 'include.path', pipe('more-settings'))
  const asked = runGit(['ls-files'], { folder, signal, watchdog: { inspectMs: 60_000, mostMs: 50 } })
  await expect(asked).rejects.toThrow('git has not answered within 0.05 seconds')
})

test("a link file and git's files are read only if they are plain files", async () => {
  writeFileSync(join(folder, '.shipway'), '{"project":"above"}')
  mkdirSync(join(folder, 'inner/.git'), { recursive: true })
  pipe('inner/.shipway')
  pipe('inner/.git/HEAD')
  expect(await findLinkFile(join(folder, 'inner'))).toMatchObject({ project: 'above' })
  expect(await currentBranch(join(folder, 'inner'))).toBeUndefined()
  writeFileSync(join(folder, '.shipway'), `{"project":"${'x'.repeat(100_000)}"}`)
  await expect(findLinkFile(folder)).rejects.toThrow('too large')
})
