// Names of the supported git hosts, and where to add keys and webhooks on each.
import { RepositoryHost } from '@shipway/api'

export const HOST_NAMES: Readonly<Record<RepositoryHost, string>> = {
  github: 'GitHub',
  gitlab: 'GitLab',
  gitea: 'Gitea or Forgejo',
  bitbucket: 'Bitbucket',
}

export const parseHost = (text: string): RepositoryHost => RepositoryHost.parse(text)

/** How to add the webhook on each host. */
export const WEBHOOK_STEPS: Readonly<Record<RepositoryHost, string>> = {
  github:
    'In GitHub: Settings, Webhooks, Add webhook. Content type application/json; choose the events Pushes and Pull requests.',
  gitlab: 'In GitLab: Settings, Webhooks, Add new webhook. Choose Push events and Merge request events.',
  gitea: 'In Gitea: Settings, Webhooks, Add webhook. Content type application/json; choose Push and Pull Request.',
  bitbucket: 'In Bitbucket: Repository settings, Webhooks, Add webhook. Choose Push and all events of pull requests.',
}

export const KEY_STEPS: Readonly<Record<RepositoryHost, string>> = {
  github: 'In GitHub: Settings, Deploy keys, Add deploy key. It needs no write access.',
  gitlab: 'In GitLab: Settings, Repository, Deploy keys. It needs no write permission.',
  gitea: 'In Gitea: Settings, Deploy Keys, Add Deploy Key. It needs no write access.',
  bitbucket: 'In Bitbucket: Repository settings, Access keys, Add key.',
}
