// What the GitHub of the tests keeps: Apps, their installations and tokens, repositories and what was written to them.
import type { KeyObject } from 'node:crypto'

export type Permissions = Readonly<Record<string, 'read' | 'write'>>

/** As `POST /settings/apps/new` takes it. */
export type Manifest = {
  readonly name?: string
  readonly url: string
  readonly hook_attributes?: { readonly url: string; readonly active?: boolean }
  readonly redirect_url?: string
  readonly setup_url?: string
  readonly setup_on_update?: boolean
  readonly public?: boolean
  readonly default_permissions?: Permissions
  readonly default_events?: readonly string[]
}

export type GitHubApp = {
  readonly id: number
  readonly slug: string
  readonly name: string
  /** The user or organization that it belongs to. */
  readonly owner: string
  readonly manifest: Manifest
  readonly clientId: string
  readonly clientSecret: string
  /** Null for an App without a webhook. */
  readonly webhookSecret: string | null
  /** An App can have several keys; deleting one ends it at once. */
  readonly publicKeys: KeyObject[]
  pem: string
}

export type Installation = {
  readonly id: number
  readonly appId: number
  account: string
  selection: 'all' | 'selected'
  /** Ids; counts only where the selection is `selected`. */
  readonly repositories: Set<number>
  permissions: Permissions
  isSuspended: boolean
  isDeleted: boolean
}

export type InstallationToken = {
  readonly token: string
  readonly installationId: number
  readonly expiresAt: number
  readonly permissions: Permissions
  /** Null for all repositories of the installation. */
  readonly repositories: ReadonlySet<number> | null
  isRevoked: boolean
}

export type GitHubRepository = {
  readonly id: number
  owner: string
  name: string
  readonly isPrivate: boolean
  readonly defaultBranch: string
  /** A bare repository on this machine; null if it has no content. */
  readonly path: string | null
  isDeleted: boolean
}

/** Whatever the platform wrote: a check run, a status, a deployment, a comment. */
// biome-ignore lint/suspicious/noExplicitAny: bodies of every call pass through here
export type Written = { readonly id: number; readonly repositoryId: number } & Record<string, any>

export type WrittenKind = 'check-runs' | 'statuses' | 'deployments' | 'deployment-statuses' | 'comments'

export type GitHubRecords = {
  readonly apps: Map<number, GitHubApp>
  /** By code: `isUsed` after the first conversion. */
  readonly codes: Map<string, { readonly appId: number; readonly expiresAt: number; isUsed: boolean }>
  readonly installations: Map<number, Installation>
  readonly tokens: Map<string, InstallationToken>
  readonly repositories: Map<number, GitHubRepository>
  readonly written: Readonly<Record<WrittenKind, Written[]>>
  /** Open pull requests as GitHub would list them, by the id of the repository. */
  readonly pulls: Map<number, object[]>
  /** By the id of the repository and the name of the account: `1001 ada`. Others are unknown. */
  readonly permissions: Map<string, 'admin' | 'write' | 'read' | 'none'>
  /** Names of checks that branches require, by the id of the repository. */
  readonly requiredChecks: Map<number, readonly string[]>
  /** The user who is signed in to the pages. */
  user: string
  nextId(): number
}

export function createRecords(): GitHubRecords {
  let last = 1000
  return {
    apps: new Map(),
    codes: new Map(),
    installations: new Map(),
    tokens: new Map(),
    repositories: new Map(),
    written: { 'check-runs': [], statuses: [], deployments: [], 'deployment-statuses': [], comments: [] },
    pulls: new Map(),
    permissions: new Map(),
    requiredChecks: new Map(),
    user: 'ada',
    nextId: () => {
      last += 1
      return last
    },
  }
}

/** Whether an installation reaches a repository: it is of its account, and selected. */
export const reaches = ({ account, selection, repositories }: Installation, repository: GitHubRepository): boolean =>
  !repository.isDeleted && repository.owner === account && (selection === 'all' || repositories.has(repository.id))

export const fullNameOf = ({ owner, name }: GitHubRepository): string => `${owner}/${name}`
