// Where the API of a connected git host is.
import type { Connection } from '../../domain/connection.ts'
import { gitHubApiOf } from '../../domain/repository/github-addresses.ts'

/** Without a slash at its end. */
export function apiBaseOf({ type, baseUrl }: Pick<Connection, 'type' | 'baseUrl'>): string {
  switch (type) {
    case 'github_app':
      return gitHubApiOf(baseUrl)
    case 'gitlab':
      return `${baseUrl}/api/v4`
    case 'gitea':
    case 'forgejo':
      return `${baseUrl}/api/v1`
    case 'bitbucket':
      return 'https://api.bitbucket.org/2.0'
    case 'bitbucket_server':
      return `${baseUrl}/rest/api/latest`
  }
}
