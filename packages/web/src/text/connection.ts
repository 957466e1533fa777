// Names and states of connections to git hosts, and what a token needs.
import { CONNECTION_TYPES, type ConnectionStatus, ConnectionType, type GitConnection } from '@shipway/api'
import type { Appearance } from '../status/appearance.ts'

export const CONNECTION_NAMES = Object.fromEntries(
  ConnectionType.options.map((type) => [type, CONNECTION_TYPES[type].title]),
) as Readonly<Record<ConnectionType, string>>

/** A GitHub App is made by GitHub, not by a token. */
export const TOKEN_HINTS: Readonly<Record<Exclude<ConnectionType, 'github_app'>, string>> = {
  gitlab: 'With the scope api and the role Maintainer.',
  gitea: 'With write:repository, write:issue and read:user, of an administrator of the repositories.',
  forgejo: 'With write:repository, write:issue and read:user, of an administrator of the repositories.',
  bitbucket: 'Of the workspace, with repositories (admin), pull requests (write) and webhooks (read and write).',
  bitbucket_server: 'An HTTP access token that may administer repositories.',
}

const STATES: Readonly<Record<ConnectionStatus, Appearance>> = {
  pending: { shape: 'ring', label: 'Not finished', tone: 'quiet' },
  active: { shape: 'disc', label: 'Connected', tone: 'good' },
  failing: { shape: 'octagon', label: 'Failing', tone: 'bad' },
  suspended: { shape: 'dash', label: 'Suspended', tone: 'bad' },
  removed: { shape: 'dash', label: 'Removed', tone: 'bad' },
}

export const connectionAppearance = ({ status }: Pick<GitConnection, 'status'>): Appearance => STATES[status]

export function describeProjects({ project_count: count }: Pick<GitConnection, 'project_count'>): string {
  if (count === 0) return 'No projects'
  return count === 1 ? 'One project' : `${count} projects`
}

/** Opened as a document, not within the dashboard: only this page may post a form to GitHub. */
export const githubAppPage = (id: number): string => `/connections/${id}/github-app`

/** A GitHub App reads over https; others read over ssh with a deploy key. */
export const readsOverHttps = ({ repo_url }: { readonly repo_url: string }): boolean => repo_url.startsWith('https:')
