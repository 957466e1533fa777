// Bitbucket Cloud: files by the source API.
import { z } from 'zod'
import { pathOfFile } from './git-tree.ts'
import type { ReadingDialect } from './reading-dialect.ts'

const repositoryOf = (name: string): string => `/repositories/${pathOfFile(name)}`

/** As deep as a compose file is looked for. */
const MOST_FOLDERS = 6

const Source = z.object({
  values: z.array(z.object({ path: z.string(), type: z.string(), attributes: z.array(z.string()).optional() })),
  next: z.string().optional(),
})

export const bitbucket: ReadingDialect = {
  branches: (name) => ({ method: 'GET', path: `${repositoryOf(name)}/refs/branches?pagelen=100` }),
  readBranches: (answer) =>
    z
      .object({ values: z.array(z.object({ name: z.string() })) })
      .parse(answer)
      .values.map(({ name }) => name),
  commit: (name, branch) => ({
    method: 'GET',
    path: `${repositoryOf(name)}/refs/branches/${encodeURIComponent(branch)}`,
  }),
  readCommit: (answer) => z.object({ target: z.object({ hash: z.string() }) }).parse(answer).target.hash,
  tree: (name, sha, page) => ({
    method: 'GET',
    path:
      `${repositoryOf(name)}/src/${sha}/?max_depth=${MOST_FOLDERS}&pagelen=100` +
      (page === undefined ? '' : `&page=${encodeURIComponent(page)}`),
  }),
  readTree: (answer) => {
    const { values, next } = Source.parse(answer)
    const entries = values
      .filter(({ attributes = [] }) => !attributes.includes('subrepository'))
      .map(({ path, type, attributes = [] }) => {
        if (type === 'commit_directory') return { path: path.replace(/\/$/, ''), kind: 'folder' as const }
        return { path, kind: attributes.includes('link') ? ('link' as const) : ('file' as const) }
      })
    return { entries, next: (next && new URL(next).searchParams.get('page')) || undefined }
  },
  file: (name, sha, path) => ({
    method: 'GET',
    path: `${repositoryOf(name)}/src/${sha}/${pathOfFile(path)}`,
    accept: '*/*',
  }),
}
