// How background work reaches git hosts: by git, and by their APIs.
import type { GitHosts } from '../../source/git-hosts.ts'
import type { Source } from '../../source/source.ts'

export type GitDependencies = { readonly source: Pick<Source, 'listRefs' | 'findFiles'>; readonly gitHosts: GitHosts }
