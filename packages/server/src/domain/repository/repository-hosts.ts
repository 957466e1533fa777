// What the git hosts are called.
import type { RepositoryHost } from '@shipway/api/values/repository-address'

export const HOST_NAMES: Readonly<Record<RepositoryHost, string>> = {
  github: 'GitHub',
  gitlab: 'GitLab',
  gitea: 'Gitea',
  bitbucket: 'Bitbucket',
}
