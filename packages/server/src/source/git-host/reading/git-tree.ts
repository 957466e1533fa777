// Entries of a tree as git has them: GitHub, GitLab and Gitea list them so.
import { z } from 'zod'
import type { TreeEntry } from './reading-dialect.ts'

const SYMBOLIC_LINK = '120000'

export const GitTree = z
  .array(z.object({ path: z.string(), mode: z.string(), type: z.string() }))
  .transform((entries) =>
    entries.flatMap(({ path, mode, type }): readonly TreeEntry[] => {
      if (type === 'tree') return [{ path, kind: 'folder' }]
      // A submodule is none of these: its files are elsewhere.
      if (type !== 'blob') return []
      return [{ path, kind: mode === SYMBOLIC_LINK ? 'link' : 'file' }]
    }),
  )

export const pathOfFile = (path: string): string => path.split('/').map(encodeURIComponent).join('/')
