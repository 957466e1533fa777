// The parts of git hosts' APIs that read branches and files, as the documentation of each says, over files in memory.
import type { ConnectionType } from '@shipway/api/connections'

/** Contents by path; null for a symbolic link. */
export type HostFiles = Readonly<Record<string, string | null>>

export type HostBranches = Readonly<Record<string, HostFiles>>

/** A text is the raw content of a file. */
export type ReadingAnswer = { readonly status: number; readonly body: unknown }

/** Small, so that few files are several pages. */
const PAGE = 3

export const shaOf = (branch: string): string => Buffer.from(branch.padEnd(20, '.')).toString('hex').slice(0, 40)

/** `path`: below the base of the API. Undefined for a path that is about something else. */
export function answerReading(
  type: ConnectionType,
  { path, query }: { readonly path: string; readonly query: URLSearchParams },
  { name, branches }: { readonly name: string; readonly branches: HostBranches },
): ReadingAnswer | undefined {
  const root = rootOf(type, name)
  if (!path.startsWith(`${root}/`)) return undefined
  const rest = path.slice(root.length + 1)
  const bySha = (sha: string | null): HostFiles | undefined =>
    Object.entries(branches).find(([branch]) => shaOf(branch) === sha)?.[1]
  const found = DIALECTS[type]({ rest, query, branches: Object.keys(branches), bySha })
  return found === undefined ? undefined : found === MISSING ? { status: 404, body: {} } : { status: 200, body: found }
}

type Asked = {
  readonly rest: string
  readonly query: URLSearchParams
  readonly branches: readonly string[]
  readonly bySha: (sha: string | null) => HostFiles | undefined
}

const MISSING = Symbol('missing')

function rootOf(type: ConnectionType, name: string): string {
  if (type === 'gitlab') return `/projects/${encodeURIComponent(name)}/repository`
  if (type === 'bitbucket') return `/repositories/${name}`
  if (type === 'bitbucket_server') return `/projects/${name.replace('/', '/repos/')}`
  return `/repos/${name}`
}

const foldersOf = (files: HostFiles): readonly string[] => [
  ...new Set(
    Object.keys(files).flatMap((path) =>
      path.split('/').flatMap((_, at, all) => (at ? [all.slice(0, at).join('/')] : [])),
    ),
  ),
]

const gitTree = (files: HostFiles) => [
  ...foldersOf(files).map((path) => ({ path, mode: '040000', type: 'tree' })),
  ...Object.entries(files).map(([path, text]) => ({ path, mode: text === null ? '120000' : '100644', type: 'blob' })),
]

const pageOf = <T>(all: readonly T[], page: number, size: number): readonly T[] =>
  all.slice((page - 1) * size, page * size)

const fileOf = (files: HostFiles | undefined, path: string): unknown => files?.[decodeURIComponent(path)] ?? MISSING

/** GitHub and Gitea. */
const githubLike =
  (key: 'sha' | 'id', file: RegExp) =>
  ({ rest, query, branches, bySha }: Asked): unknown => {
    if (rest === 'branches') return branches.map((name) => ({ name }))
    const [, branch] = /^branches\/(.+)$/.exec(rest) ?? []
    if (branch !== undefined) return branches.includes(branch) ? { commit: { [key]: shaOf(branch) } } : MISSING
    const [, sha] = /^git\/trees\/([0-9a-f]+)$/.exec(rest) ?? []
    if (sha !== undefined) {
      const all = gitTree(bySha(sha) ?? {})
      const page = Number(query.get('page') ?? 1)
      return key === 'sha'
        ? { tree: all, truncated: false }
        : { tree: pageOf(all, page, PAGE), truncated: all.length > page * PAGE }
    }
    const [, path] = file.exec(rest) ?? []
    return path === undefined ? undefined : fileOf(bySha(query.get('ref')), path)
  }

const DIALECTS: Readonly<Record<ConnectionType, (asked: Asked) => unknown>> = {
  github_app: githubLike('sha', /^contents\/(.+)$/),
  gitea: githubLike('id', /^raw\/(.+)$/),
  forgejo: githubLike('id', /^raw\/(.+)$/),
  gitlab: ({ rest, query, branches, bySha }) => {
    if (rest === 'branches') return branches.map((name) => ({ name }))
    const [, branch] = /^branches\/(.+)$/.exec(rest) ?? []
    if (branch !== undefined) {
      const name = decodeURIComponent(branch)
      return branches.includes(name) ? { commit: { id: shaOf(name) } } : MISSING
    }
    if (rest === 'tree') return pageOf(gitTree(bySha(query.get('ref')) ?? {}), Number(query.get('page')), 100)
    const [, path] = /^files\/([^/]+)\/raw$/.exec(rest) ?? []
    return path === undefined ? undefined : fileOf(bySha(query.get('ref')), path)
  },
  bitbucket: ({ rest, query, branches, bySha }) => {
    if (rest === 'refs/branches') return { values: branches.map((name) => ({ name })) }
    const [, branch] = /^refs\/branches\/(.+)$/.exec(rest) ?? []
    if (branch !== undefined) {
      const name = decodeURIComponent(branch)
      return branches.includes(name) ? { target: { hash: shaOf(name) } } : MISSING
    }
    const [, sha = null, path] = /^src\/([0-9a-f]+)\/(.*)$/.exec(rest) ?? []
    if (path === undefined) return undefined
    const files = bySha(sha)
    if (path !== '') return fileOf(files, path)
    const page = Number(query.get('page')?.slice('page-'.length) ?? 1)
    const all = [
      ...foldersOf(files ?? {}).map((folder) => ({ path: `${folder}/`, type: 'commit_directory' })),
      ...Object.entries(files ?? {}).map(([one, text]) => ({
        path: one,
        type: 'commit_file',
        attributes: text === null ? ['link'] : [],
      })),
    ]
    const next = `https://api.bitbucket.org/2.0/src/?page=page-${page + 1}`
    return { values: pageOf(all, page, PAGE), ...(all.length > page * PAGE && { next }) }
  },
  bitbucket_server: ({ rest, query, branches, bySha }) => {
    if (rest === 'branches') return { values: branches.map((displayId) => ({ displayId })) }
    if (rest === 'commits') {
      const branch = query.get('until')?.replace('refs/heads/', '') ?? ''
      return branches.includes(branch) ? { values: [{ id: shaOf(branch) }] } : MISSING
    }
    const files = bySha(query.get('at'))
    if (rest === 'files') {
      const start = Number(query.get('start'))
      const all = Object.keys(files ?? {})
      const end = start + PAGE
      return { values: all.slice(start, end), nextPageStart: end < all.length ? end : null }
    }
    const [, path] = /^raw\/(.+)$/.exec(rest) ?? []
    return path === undefined ? undefined : fileOf(files, path)
  },
}
