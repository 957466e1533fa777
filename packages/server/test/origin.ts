// A repository of a test, made of objects that we write ourselves: they may have names and modes that no working folder could have, and
// to make a commit takes no process, which would cost a test more than all the rest of it.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { deflateSync } from 'node:zlib'

export type OriginFile = {
  readonly content: string | Uint8Array
  readonly mode?: '100644' | '100755' | '120000' | '160000'
}

export type Origin = {
  readonly path: string
  /** Makes a commit with exactly these files on a branch, and gives its sha. */
  commit(files: Readonly<Record<string, string | OriginFile>>, options?: CommitOptions): string
  git(words: readonly string[], input?: string | Uint8Array): string
}

type CommitOptions = { readonly branch?: string; readonly message?: string; readonly author?: string }

export function createOrigin(path: string): Origin {
  writeEmptyRepository(path)
  const git: Origin['git'] = (words, input = '') =>
    execFileSync('git', [`--git-dir=${path}`, ...words], { input, env: environment, encoding: 'utf8' }).trimEnd()

  const treeOf = (entries: readonly (readonly [string[], OriginFile])[]): string => {
    const here = entries.filter(([names]) => names.length === 1)
    const folders = new Set(entries.flatMap(([names]) => (names.length > 1 ? names.slice(0, 1) : [])))
    return writeTree(path, [
      ...here.map(([[name = ''], { content, mode = '100644' }]) => ({
        name,
        mode,
        sha: mode === '160000' ? String(content) : writeObject(path, 'blob', Buffer.from(content)),
      })),
      ...[...folders].map((name) => {
        const inside = entries.filter(([names]) => names.length > 1 && names[0] === name)
        return { name, mode: '40000', sha: treeOf(inside.map(([names, file]) => [names.slice(1), file])) }
      }),
    ])
  }

  return {
    path,
    git,
    commit: (files, { branch = 'main', message = 'A commit', author = 'Ada' } = {}) => {
      const tree = treeOf(Object.entries(files).map(([name, file]) => [name.split('/'), asFile(file)]))
      const tip = findTip(path, branch)
      const who = `${author} <ada@example.com> ${Math.floor(Date.now() / 1000)} +0000`
      const lines = [
        `tree ${tree}`,
        ...(tip === undefined ? [] : [`parent ${tip}`]),
        `author ${who}`,
        `committer ${who}`,
      ]
      const sha = writeObject(path, 'commit', Buffer.from(`${lines.join('\n')}\n\n${message}`))
      const ref = join(path, 'refs/heads', branch)
      mkdirSync(dirname(ref), { recursive: true })
      writeFileSync(ref, `${sha}\n`)
      return sha
    },
  }
}

/** What `git init --bare` makes, without the optional parts. */
function writeEmptyRepository(path: string): void {
  for (const folder of ['objects', 'refs/heads']) mkdirSync(join(path, folder), { recursive: true })
  writeFileSync(join(path, 'HEAD'), 'ref: refs/heads/main\n')
  writeFileSync(join(path, 'config'), '[core]\n\trepositoryformatversion = 0\n\tbare = true\n')
}

/** The newest commit of a branch, whose ref is a file of its own unless a test has packed it. */
export function findTip(repository: string, branch: string): string | undefined {
  const file = join(repository, 'refs/heads', branch)
  if (existsSync(file)) return readFileSync(file, 'utf8').trim()
  if (existsSync(join(repository, 'packed-refs'))) throw new Error(`${branch} may be packed, where only git finds it`)
  return undefined
}

type TreeEntry = { readonly name: string; readonly mode: string; readonly sha: string }

/** In git's order, which compares a folder as if its name ended with a slash. */
function writeTree(repository: string, entries: readonly TreeEntry[]): string {
  const place = ({ name, mode }: TreeEntry): Buffer => Buffer.from(mode === '40000' ? `${name}/` : name)
  const sorted = entries.toSorted((left, right) => Buffer.compare(place(left), place(right)))
  const parts = sorted.flatMap(({ name, mode, sha }) => [Buffer.from(`${mode} ${name}\0`), Buffer.from(sha, 'hex')])
  return writeObject(repository, 'tree', Buffer.concat(parts))
}

/** As a loose object; its name is the digest of what it is. */
function writeObject(repository: string, kind: 'blob' | 'tree' | 'commit', content: Uint8Array): string {
  const object = Buffer.concat([Buffer.from(`${kind} ${content.length}\0`), content])
  const sha = createHash('sha1').update(object).digest('hex')
  const folder = join(repository, 'objects', sha.slice(0, 2))
  const file = join(folder, sha.slice(2))
  if (existsSync(file)) return sha
  mkdirSync(folder, { recursive: true })
  writeFileSync(file, deflateSync(object, { level: 1 }), { mode: 0o444 })
  return sha
}

const asFile = (file: string | OriginFile): OriginFile => (typeof file === 'string' ? { content: file } : file)

const environment = {
  PATH: process.env.PATH,
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_AUTHOR_EMAIL: 'ada@example.com',
  GIT_COMMITTER_EMAIL: 'ada@example.com',
}
