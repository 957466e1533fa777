// An App at GitHub that a connection has.
import type { Secret } from '../../secrets/secret.ts'

/** Installed or not. */
export type GitHubApp = {
  readonly connectionId: number
  /** Of GitHub's pages, without a trailing slash. */
  readonly baseUrl: string
  readonly appId: number
  readonly openKey: () => Secret
}

export type InstalledApp = GitHubApp & { readonly installationId: number }
