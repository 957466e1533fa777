// The thread that suggests a `.service.yml` for files of a repository and checks them, as `shipway init` and `shipway check` do.
import { checkRepositoryFiles, type RepositoryTree } from '@shipway/rules/check-repository-files'
import { isComposePath } from '@shipway/rules/service-file/find-compose-files'
import { likelyRecipe } from '@shipway/rules/service-file/likely-recipe'
import { readContents } from '@shipway/rules/service-file/read-contents'
import { suggestServiceFile } from '@shipway/rules/service-file/suggest-service-file'
import type { RepositoryReading } from '../../domain/repository/repository-reading.ts'
import { answerLaterInThread } from '../../threads/answer-in-thread.ts'
import type { TreeEntry } from '../git-host/reading/reading-dialect.ts'

export type KnownFiles = {
  readonly entries: readonly TreeEntry[]
  /** Contents by path; null for a file that could not be read. */
  readonly files: Readonly<Record<string, string | null>>
  /** Whether files that are not known count as absent. */
  readonly isLast: boolean
}

export type CheckedFiles = Pick<RepositoryReading, 'isPresent' | 'content' | 'recipe' | 'findings'> & {
  /** Files that the rules need, and that are not known yet. */
  readonly missing: readonly string[]
}

const SERVICE_FILE = '.service.yml'
const MOST_FINDINGS = 100
const UNREAD = 'The file is too large to be read, or the git host does not send it'

async function check({ entries, files, isLast }: KnownFiles): Promise<CheckedFiles> {
  const kinds = new Map(entries.map(({ path, kind }) => [path, kind]))
  const folders = new Set(entries.flatMap(({ path }) => foldersOf(path)))
  const missing = new Set<string>()
  const tree: RepositoryTree = {
    links: new Set(entries.filter(({ kind }) => kind === 'link').map(({ path }) => path)),
    listComposeFiles: async () =>
      [...kinds].flatMap(([path, kind]) => (kind === 'file' && isComposePath(path) ? [path] : [])),
    read: async (path) => {
      if (Object.hasOwn(files, path)) return files[path] == null ? UNREAD : new TextEncoder().encode(files[path])
      if (kinds.get(path) === 'link') return `${path} is a symbolic link, not a file`
      if (kinds.get(path) === 'file' && !isLast) missing.add(path)
      return undefined
    },
    kindOf: async (path) => {
      const kind = kinds.get(path)
      if (kind === 'file') return 'file'
      return kind === 'folder' || folders.has(path) || path === '' ? 'folder' : 'absent'
    },
  }
  const own = await tree.read(SERVICE_FILE)
  const content =
    own instanceof Uint8Array ? own : new TextEncoder().encode(suggestServiceFile(await readContents(tree)))
  const whole: RepositoryTree = { ...tree, read: async (path) => (path === SERVICE_FILE ? content : tree.read(path)) }
  const recipe = await likelyRecipe(whole)
  const { faults, remarks, later } = await checkRepositoryFiles(whole, { recipe })
  return {
    isPresent: own !== undefined,
    content: new TextDecoder().decode(content),
    recipe,
    findings: [
      ...faults.map((fault) => ({ ...fault, kind: 'fault' as const })),
      ...remarks.map((remark) => ({ ...remark, kind: 'note' as const })),
      ...later.map((remark) => ({ ...remark, kind: 'later' as const })),
    ].slice(0, MOST_FINDINGS),
    missing: [...missing],
  }
}

const foldersOf = (path: string): readonly string[] =>
  path.split('/').flatMap((_, depth, parts) => (depth === 0 ? [] : [parts.slice(0, depth).join('/')]))

await answerLaterInThread(check)
