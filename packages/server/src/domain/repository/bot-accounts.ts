// Which accounts git hosts mark as bots. Dependabot and Renovate run as one of these where the git host has such accounts.
import { fieldOf } from './reported-values.ts'

/** GitHub marks the accounts of Apps. */
export const isMarkedBot = (user: unknown): boolean => fieldOf(user, 'type') === 'Bot'

/** GitLab creates these users for access tokens of projects and groups; nothing else marks a bot there. */
export const isGitlabBot = (username: unknown): boolean =>
  typeof username === 'string' && /^(project|group)_[0-9]{1,20}_bot(_[0-9a-f]{1,64}|[0-9]{1,10})?$/.test(username)

/** Gitea and Forgejo mark no bots. Only their own accounts, such as that of Actions, have ids below zero. */
export function isBuiltInAccount(user: unknown): boolean {
  const id = fieldOf(user, 'id')
  return typeof id === 'number' && id < 0
}

/** Bitbucket Cloud: the accounts of apps and of access tokens. */
export const isAppUser = (user: unknown): boolean => fieldOf(user, 'type') === 'app_user'

/** Bitbucket Data Center. */
export const isServiceUser = (user: unknown): boolean => fieldOf(user, 'type') === 'SERVICE'
