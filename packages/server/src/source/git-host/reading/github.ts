// GitHub: files by the Git and contents APIs, with the right to read contents.
import { z } from 'zod'
import { GitTree, pathOfFile } from './git-tree.ts'
import type { ReadingDialect } from './reading-dialect.ts'

const repositoryOf = (name: string): string => `/repos/${pathOfFile(name)}`

export const github: ReadingDialect = {
  branches: (name) => ({ method: 'GET', path: `${repositoryOf(name)}/branches?per_page=100` }),
  readBranches: (answer) =>
    z
      .array(z.object({ name: z.string() }))
      .parse(answer)
      .map(({ name }) => name),
  commit: (name, branch) => ({ method: 'GET', path: `${repositoryOf(name)}/branches/${pathOfFile(branch)}` }),
  readCommit: (answer) => z.object({ commit: z.object({ sha: z.string() }) }).parse(answer).commit.sha,
  tree: (name, sha) => ({ method: 'GET', path: `${repositoryOf(name)}/git/trees/${sha}?recursive=1` }),
  readTree: (answer) => ({ entries: z.object({ tree: GitTree }).parse(answer).tree, next: undefined }),
  file: (name, sha, path) => ({
    method: 'GET',
    path: `${repositoryOf(name)}/contents/${pathOfFile(path)}?ref=${sha}`,
    accept: 'application/vnd.github.raw+json',
  }),
}
