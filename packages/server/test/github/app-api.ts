// GitHub's API of Apps: the conversion of a manifest's code, installations and their tokens.
import { randomBytes } from 'node:crypto'
import {
  bearerOf,
  demandToken,
  type GitHubAnswer,
  type GitHubContext,
  type GitHubRequest,
  json,
  Refusal,
} from './answer.ts'
import { demandApp } from './app-jwt.ts'
import type { Permissions } from './records.ts'
import { fullNameOf, type GitHubApp, type GitHubRepository, type Installation, reaches } from './records.ts'

const TOKEN_MS = 3_600_000
const MOST_PER_PAGE = 100

/** Undefined where the path is another one. */
export function answerAppApi(context: GitHubContext, request: GitHubRequest): GitHubAnswer | undefined {
  const { method, path } = request
  const [, code] = /^\/app-manifests\/([^/]+)\/conversions$/.exec(path) ?? []
  if (code !== undefined && method === 'POST') return convert(context, code)
  if (path === '/app' && method === 'GET') return json(200, presentApp(context, demandApp(context, request)))
  if (path === '/app/installations' && method === 'GET') {
    const app = demandApp(context, request)
    const own = [...context.records.installations.values()].filter((each) => each.appId === app.id && !each.isDeleted)
    return json(
      200,
      pageOf(own, request.query).map((each) => presentInstallation(context, app, each)),
    )
  }
  const [, owner, name] = /^\/repos\/([^/]+)\/([^/]+)\/installation$/.exec(path) ?? []
  if (name !== undefined && method === 'GET') return findInstallation(context, request, `${owner}/${name}`)
  const [, id, rest] = /^\/app\/installations\/([^/]+)(\/access_tokens)?$/.exec(path) ?? []
  if (id !== undefined) return answerInstallation(context, request, { id, rest })
  if (path === '/installation/repositories' && method === 'GET') return listRepositories(context, request)
  if (path === '/installation/token' && method === 'DELETE') {
    demandToken(context, bearerOf(request)).token.isRevoked = true
    return { status: 204 }
  }
  return undefined
}

function convert({ records, clock, base }: GitHubContext, code: string): GitHubAnswer {
  const known = records.codes.get(code)
  const app = known && records.apps.get(known.appId)
  if (!known || !app || known.isUsed || known.expiresAt <= clock()) throw new Refusal(404, 'Not Found')
  known.isUsed = true
  const { clientId, clientSecret, webhookSecret, pem } = app
  const secrets = { client_id: clientId, client_secret: clientSecret, webhook_secret: webhookSecret, pem }
  return json(201, { ...presentApp({ base }, app), ...secrets })
}

function presentApp({ base }: Pick<GitHubContext, 'base'>, { id, slug, name, owner, manifest, clientId }: GitHubApp) {
  return {
    id,
    slug,
    name,
    client_id: clientId,
    owner: { login: owner, id: 1, type: 'Organization' },
    external_url: manifest.url,
    html_url: `${base}/github-apps/${slug}`,
    permissions: manifest.default_permissions ?? {},
    events: manifest.default_events ?? [],
  }
}

/** The installation of the calling App that reaches a repository. */
function findInstallation(context: GitHubContext, request: GitHubRequest, fullName: string): GitHubAnswer {
  const app = demandApp(context, request)
  const { repositories, installations } = context.records
  const repository = [...repositories.values()].find((each) => fullNameOf(each) === fullName)
  const found = [...installations.values()].find(
    (each) => each.appId === app.id && !each.isDeleted && repository && reaches(each, repository),
  )
  if (!found) throw new Refusal(404, 'Not Found')
  return json(200, presentInstallation(context, app, found))
}

function answerInstallation(
  context: GitHubContext,
  request: GitHubRequest,
  { id, rest }: { readonly id: string; readonly rest: string | undefined },
): GitHubAnswer {
  const app = demandApp(context, request)
  const installation = context.records.installations.get(Number(id))
  if (!installation || installation.isDeleted || installation.appId !== app.id) throw new Refusal(404, 'Not Found')
  if (rest === undefined && request.method === 'GET') return json(200, presentInstallation(context, app, installation))
  if (rest === undefined && request.method === 'DELETE') {
    installation.isDeleted = true
    return { status: 204 }
  }
  if (rest !== undefined && request.method === 'POST') return createToken(context, installation, request)
  throw new Refusal(404, 'Not Found')
}

function presentInstallation({ base }: Pick<GitHubContext, 'base'>, app: GitHubApp, installation: Installation) {
  const { id, account, selection, permissions, isSuspended } = installation
  return {
    id,
    app_id: app.id,
    app_slug: app.slug,
    account: { login: account, id: 1, type: 'Organization' },
    target_type: 'Organization',
    repository_selection: selection,
    permissions,
    events: app.manifest.default_events ?? [],
    html_url: `${base}/organizations/${account}/settings/installations/${id}`,
    suspended_at: isSuspended ? '2026-01-01T00:00:00Z' : null,
    suspended_by: isSuspended ? { login: 'ada' } : null,
  }
}

type TokenRequest = {
  readonly permissions?: Permissions
  readonly repository_ids?: readonly number[]
  readonly repositories?: readonly string[]
}

function createToken(context: GitHubContext, installation: Installation, { body }: GitHubRequest): GitHubAnswer {
  const { records, clock } = context
  if (installation.isSuspended) throw new Refusal(403, 'This installation has been suspended')
  const wanted: TokenRequest = body.length === 0 ? {} : JSON.parse(body.toString())
  const permissions = wanted.permissions ?? installation.permissions
  for (const [name, level] of Object.entries(permissions)) {
    const granted = installation.permissions[name]
    if (granted === undefined || (level === 'write' && granted === 'read'))
      throw new Refusal(422, 'The permissions requested are not granted to this installation.')
  }
  const chosen = chooseRepositories(context, installation, wanted)
  const expiresAt = clock() + TOKEN_MS
  // The newer format: a JWT of the App, of some five hundred characters.
  const token = `ghs_${installation.appId}_${randomBytes(180).toString('base64url')}.${randomBytes(180).toString('base64url')}`
  records.tokens.set(token, {
    token,
    installationId: installation.id,
    expiresAt,
    permissions,
    repositories: chosen && new Set(chosen.map(({ id }) => id)),
    isRevoked: false,
  })
  return json(201, {
    token,
    expires_at: new Date(expiresAt).toISOString().replace(/\.\d+/, ''),
    permissions,
    repository_selection: chosen ? 'selected' : installation.selection,
    ...(chosen && { repositories: chosen.map((each) => presentRepository(context, each)) }),
  })
}

function chooseRepositories(
  { records }: GitHubContext,
  installation: Installation,
  { repository_ids: ids, repositories: names }: TokenRequest,
): readonly GitHubRepository[] | null {
  if (!ids && !names) return null
  const known = [...records.repositories.values()].filter((each) => reaches(installation, each))
  const chosen = known.filter(({ id, name }) => ids?.includes(id) || names?.includes(name))
  if (chosen.length !== (ids?.length ?? 0) + (names?.length ?? 0))
    throw new Refusal(
      422,
      'There is at least one repository that does not exist or is not accessible to the parent installation.',
    )
  return chosen
}

function pageOf<Item>(all: readonly Item[], query: URLSearchParams): readonly Item[] {
  const size = Math.min(MOST_PER_PAGE, Number(query.get('per_page') ?? 30))
  const number = Number(query.get('page') ?? 1)
  return all.slice((number - 1) * size, number * size)
}

function listRepositories(context: GitHubContext, request: GitHubRequest): GitHubAnswer {
  const { token, installation } = demandToken(context, bearerOf(request))
  const { query } = request
  const size = Math.min(MOST_PER_PAGE, Number(query.get('per_page') ?? 30))
  const number = Number(query.get('page') ?? 1)
  const all = [...context.records.repositories.values()].filter(
    (each) => reaches(installation, each) && (token.repositories === null || token.repositories.has(each.id)),
  )
  const shown = pageOf(all, query)
  const isLast = number * size >= all.length
  const next = `<${context.base}/api/v3/installation/repositories?per_page=${size}&page=${number + 1}>; rel="next"`
  return json(
    200,
    {
      total_count: all.length,
      repository_selection: installation.selection,
      repositories: shown.map((each) => presentRepository(context, each)),
    },
    isLast ? {} : { link: next },
  )
}

export function presentRepository({ base }: Pick<GitHubContext, 'base'>, repository: GitHubRepository) {
  const { id, name, owner, isPrivate, defaultBranch } = repository
  const address = `${base}/${fullNameOf(repository)}`
  return {
    id,
    name,
    full_name: fullNameOf(repository),
    private: isPrivate,
    owner: { login: owner, id: 1, type: 'Organization' },
    html_url: address,
    clone_url: `${address}.git`,
    ssh_url: `git@${new URL(base).hostname}:${fullNameOf(repository)}.git`,
    default_branch: defaultBranch,
    fork: false,
    archived: false,
  }
}
