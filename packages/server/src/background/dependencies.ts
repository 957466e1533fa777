// What upkeep works with beside the context.
import type { Receivers } from '../receivers/receivers.ts'
import type { GitHosts } from '../source/git-hosts.ts'
import type { Source } from '../source/source.ts'

export type GitDependencies = { readonly source: Pick<Source, 'listRefs'>; readonly gitHosts: GitHosts }

export type WebhookDependencies = { readonly receivers: Receivers }
