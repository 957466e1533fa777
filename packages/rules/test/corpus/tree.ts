// The files of a corpus case as a repository tree.

import type { RepositoryTree } from '../../src/check-repository-files.ts'
import type { SourceKind } from '../../src/compose/mounts/resolve-mounts.ts'
import { isComposePath } from '../../src/service-file/find-compose-files.ts'
import { readContents } from '../../src/service-file/read-contents.ts'
import { suggestServiceFile } from '../../src/service-file/suggest-service-file.ts'

type Files = Readonly<Record<string, string>>

export function treeOf(files: Files): RepositoryTree {
  const paths = Object.keys(files)
  return {
    links: new Set(),
    read: async (path) => (Object.hasOwn(files, path) ? Buffer.from(files[path] ?? '') : undefined),
    listComposeFiles: async () => paths.filter(isComposePath),
    kindOf: async (path): Promise<SourceKind> => {
      if (Object.hasOwn(files, path)) return 'file'
      return path === '' || paths.some((one) => one.startsWith(`${path}/`)) ? 'folder' : 'absent'
    },
  }
}

/** Adds the suggested `.service.yml` if there is none. */
export async function withServiceFile(files: Files): Promise<Files> {
  if (Object.hasOwn(files, '.service.yml')) return files
  return { ...files, '.service.yml': suggestServiceFile(await readContents(treeOf(files))) }
}
