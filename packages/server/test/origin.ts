// A repository of a test, made with git's plumbing, which takes names and modes that no working folder could have.
import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'

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
  mkdirSync(path, { recursive: true })
  const git: Origin['git'] = (words, input = '') =>
    execFileSync('git', [`--git-dir=${path}`, ...words], { input, env: environment, encoding: 'utf8' }).trimEnd()
  git(['init', '--quiet', '--bare', '--initial-branch=main'])

  const treeOf = (entries: readonly (readonly [string[], OriginFile])[]): string => {
    const here = entries.filter(([names]) => names.length === 1)
    const folders = new Set(entries.flatMap(([names]) => (names.length > 1 ? names.slice(0, 1) : [])))
    const lines = [
      ...here.map(([[name], file]) => {
        const { content, mode = '100644' } = file
        if (mode === '160000') return `160000 commit ${content}\t${name}\0`
        return `${mode} blob ${git(['hash-object', '-w', '--stdin'], content)}\t${name}\0`
      }),
      ...[...folders].map((folder) => {
        const inside = entries.filter(([names]) => names.length > 1 && names[0] === folder)
        return `040000 tree ${treeOf(inside.map(([names, file]) => [names.slice(1), file]))}\t${folder}\0`
      }),
    ]
    return git(['mktree', '-z', '--missing'], lines.join(''))
  }

  return {
    path,
    git,
    commit: (files, { branch = 'main', message = 'A commit', author = 'Ada' } = {}) => {
      const tree = treeOf(Object.entries(files).map(([name, file]) => [name.split('/'), asFile(file)]))
      const parent = git(['for-each-ref', '--format=%(objectname)', `refs/heads/${branch}`])
      const from = parent === '' ? [] : ['-p', parent]
      const sha = git(['-c', `user.name=${author}`, 'commit-tree', ...from, tree], message)
      git(['update-ref', `refs/heads/${branch}`, sha])
      return sha
    },
  }
}

const asFile = (file: string | OriginFile): OriginFile => (typeof file === 'string' ? { content: file } : file)

const environment = {
  PATH: process.env.PATH,
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_AUTHOR_EMAIL: 'ada@example.com',
  GIT_COMMITTER_EMAIL: 'ada@example.com',
}
