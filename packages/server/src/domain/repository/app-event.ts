// What happened to a GitHub App itself, to its installation, or to repositories that it may use.

export type AppEvent =
  | {
      readonly kind: 'installation'
      readonly action: 'installed' | 'suspended' | 'removed'
      readonly installationId: number
      readonly account: string
    }
  /** The account that the App is installed for has another name now. */
  | { readonly kind: 'renamed'; readonly account: string }
  /** Repositories that the installation may use from now on, or may not use any more; by id. */
  | { readonly kind: 'repositories'; readonly added: readonly string[]; readonly removed: readonly string[] }
  /** It has another name or owner now. */
  | { readonly kind: 'moved'; readonly repositoryId: string; readonly fullName: string }
  | { readonly kind: 'deleted'; readonly repositoryId: string }
