// GitLab: files by the repositories API.
import { z } from 'zod'
import { GitTree } from './git-tree.ts'
import type { ReadingDialect } from './reading-dialect.ts'

const PER_PAGE = 100
const repositoryOf = (name: string): string => `/projects/${encodeURIComponent(name)}/repository`

export const gitlab: ReadingDialect = {
  branches: (name) => ({ method: 'GET', path: `${repositoryOf(name)}/branches?per_page=${PER_PAGE}` }),
  readBranches: (answer) =>
    z
      .array(z.object({ name: z.string() }))
      .parse(answer)
      .map(({ name }) => name),
  commit: (name, branch) => ({ method: 'GET', path: `${repositoryOf(name)}/branches/${encodeURIComponent(branch)}` }),
  readCommit: (answer) => z.object({ commit: z.object({ id: z.string() }) }).parse(answer).commit.id,
  tree: (name, sha, page = '1') => ({
    method: 'GET',
    path: `${repositoryOf(name)}/tree?recursive=true&per_page=${PER_PAGE}&page=${page}&ref=${sha}`,
  }),
  readTree: (answer, page = '1') => {
    const entries = GitTree.parse(answer)
    const isFull = Array.isArray(answer) && answer.length === PER_PAGE
    return { entries, next: isFull ? String(Number(page) + 1) : undefined }
  },
  file: (name, sha, path) => ({
    method: 'GET',
    path: `${repositoryOf(name)}/files/${encodeURIComponent(path)}/raw?ref=${sha}`,
    accept: '*/*',
  }),
}
