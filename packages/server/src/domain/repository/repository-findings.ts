// Result of checking the repository of a project.
export type RepositoryFindings = {
  readonly status: 'ok' | 'failed'
  readonly message: string
  readonly fix: string | null
  readonly branches: number
  readonly head: { readonly sha: string; readonly message: string } | null
  readonly serviceFile: 'present' | 'missing' | 'unknown'
  readonly suggestion: string | null
}
