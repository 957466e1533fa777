// Which git host a delivery looks like, by headers that anybody can send: worth something only with a signature that holds.
import type { IncomingHttpHeaders } from 'node:http'
import type { RepositoryHost } from '@shipway/api/values/repository-address'
import { headerOf } from './webhook-dialect.ts'

/** Gitea, Forgejo and Gogs send the headers of GitHub beside their own. */
const SIGNS: readonly (readonly [string, RepositoryHost])[] = [
  ['x-forgejo-event', 'gitea'],
  ['x-gitea-event', 'gitea'],
  ['x-gogs-event', 'gitea'],
  ['x-gitlab-event', 'gitlab'],
  ['x-event-key', 'bitbucket'],
  ['x-github-event', 'github'],
]

export function recogniseHost(headers: IncomingHttpHeaders): RepositoryHost | undefined {
  return SIGNS.find(([name]) => headerOf(headers, name) !== undefined)?.[1]
}
