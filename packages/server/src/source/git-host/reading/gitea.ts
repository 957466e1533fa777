// Gitea and Forgejo: files by the Git and raw APIs.
import { z } from 'zod'
import { GitTree, pathOfFile } from './git-tree.ts'
import type { ReadingDialect } from './reading-dialect.ts'

const repositoryOf = (name: string): string => `/repos/${pathOfFile(name)}`

export const gitea: ReadingDialect = {
  branches: (name) => ({ method: 'GET', path: `${repositoryOf(name)}/branches?limit=50` }),
  readBranches: (answer) =>
    z
      .array(z.object({ name: z.string() }))
      .parse(answer)
      .map(({ name }) => name),
  commit: (name, branch) => ({ method: 'GET', path: `${repositoryOf(name)}/branches/${pathOfFile(branch)}` }),
  readCommit: (answer) => z.object({ commit: z.object({ id: z.string() }) }).parse(answer).commit.id,
  tree: (name, sha, page = '1') => ({
    method: 'GET',
    path: `${repositoryOf(name)}/git/trees/${sha}?recursive=true&per_page=1000&page=${page}`,
  }),
  // An administrator can lower the page size, so only the flag says that there is more.
  readTree: (answer, page = '1') => {
    const { tree, truncated } = z.object({ tree: GitTree, truncated: z.boolean() }).parse(answer)
    return { entries: tree, next: truncated ? String(Number(page) + 1) : undefined }
  },
  file: (name, sha, path) => ({
    method: 'GET',
    path: `${repositoryOf(name)}/raw/${pathOfFile(path)}?ref=${sha}`,
    accept: '*/*',
  }),
}
