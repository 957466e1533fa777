// Bitbucket Data Center: files by the repository API. It does not say which of them are symbolic links.
import { z } from 'zod'
import { pathOfFile } from './git-tree.ts'
import type { ReadingDialect } from './reading-dialect.ts'

function repositoryOf(name: string): string {
  const [project = '', repository = ''] = name.split('/')
  return `/projects/${encodeURIComponent(project)}/repos/${encodeURIComponent(repository)}`
}

const Files = z.object({ values: z.array(z.string()), nextPageStart: z.int().nullish() })

export const bitbucketDataCenter: ReadingDialect = {
  branches: (name) => ({ method: 'GET', path: `${repositoryOf(name)}/branches?limit=100` }),
  readBranches: (answer) =>
    z
      .object({ values: z.array(z.object({ displayId: z.string() })) })
      .parse(answer)
      .values.map(({ displayId }) => displayId),
  commit: (name, branch) => ({
    method: 'GET',
    path: `${repositoryOf(name)}/commits?limit=1&until=${encodeURIComponent(`refs/heads/${branch}`)}`,
  }),
  readCommit: (answer) => z.object({ values: z.tuple([z.object({ id: z.string() })]) }).parse(answer).values[0].id,
  tree: (name, sha, page = '0') => ({
    method: 'GET',
    path: `${repositoryOf(name)}/files?limit=1000&start=${page}&at=${sha}`,
  }),
  readTree: (answer) => {
    const { values, nextPageStart } = Files.parse(answer)
    const entries = values.map((path) => ({ path, kind: 'file' as const }))
    return { entries, next: nextPageStart == null ? undefined : String(nextPageStart) }
  },
  file: (name, sha, path) => ({
    method: 'GET',
    path: `${repositoryOf(name)}/raw/${pathOfFile(path)}?at=${sha}`,
    accept: '*/*',
  }),
}
