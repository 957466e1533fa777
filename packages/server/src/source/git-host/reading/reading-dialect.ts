// What the platform needs from the API of a connected git host to read a repository that no project has yet: branches, names of files, files.
import type { HostCall } from '../api-dialect.ts'

export type TreeEntry = { readonly path: string; readonly kind: 'file' | 'folder' | 'link' }

/** A page of the list of files; `next` is what the git host wants to be asked with for the page after it. */
type TreePage = { readonly entries: readonly TreeEntry[]; readonly next: string | undefined }

/** Functions that read throw if the answer has another shape. Repositories are given by their full names. */
export type ReadingDialect = {
  /** The first branches: as many as one page has. */
  branches(name: string): HostCall
  readBranches(answer: unknown): readonly string[]
  /** Answered with 404 if there is none. */
  commit(name: string, branch: string): HostCall
  readCommit(answer: unknown): string
  /** `page`: undefined for the first one. */
  tree(name: string, sha: string, page: string | undefined): HostCall
  readTree(answer: unknown, page: string | undefined): TreePage
  /** Answered with the text of the file. */
  file(name: string, sha: string, path: string): HostCall
}
