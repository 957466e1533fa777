// Git hosts of our own, which behave as the documentation of each says: repositories, deploy keys and webhooks behind a token.
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ConnectionType } from '@shipway/api/connections'

export type TokenType = Exclude<ConnectionType, 'github_app'>

type HostKey = { readonly id: number; readonly key: string; readonly isReadOnly: boolean }
type HostHook = {
  readonly id: string
  readonly url: string
  readonly secret: string
  readonly events: readonly string[]
  isActive: boolean
}

export type ConnectedHostServer = {
  readonly base: string
  /** What the host accepts now. */
  token: string
  /** Full names. */
  readonly repositories: string[]
  readonly keys: HostKey[]
  readonly hooks: HostHook[]
  /** `METHOD /path`, without the base of the API. */
  readonly requests: string[]
  /** Answers the next requests that match, before anything else is looked at. */
  refuse: { readonly matches: RegExp; readonly status: number; readonly headers?: Record<string, string> } | undefined
  /** After each answer: for tests that let the keys of this host in at a real one. */
  onAnswer: () => void
  /** The host's own id of a repository: another one has the name if it changes. */
  idOf: (name: string) => number
  /** Where git fetches from, for a full name. */
  sshAddressOf: (name: string) => string
  stop(): Promise<void>
}

type Call = { readonly method: string; readonly path: string; readonly query: URLSearchParams; readonly body: Body }
// biome-ignore lint/suspicious/noExplicitAny: bodies of every dialect pass through here
type Body = any
type Answer = { readonly status: number; readonly body?: unknown }
type State = Pick<ConnectedHostServer, 'repositories' | 'keys' | 'hooks' | 'idOf' | 'sshAddressOf'> & { next(): number }

type TestHost = {
  readonly root: string
  tokenOf(request: IncomingMessage): string | undefined
  answer(call: Call, state: State): Answer | undefined
}

export async function startConnectedHost(type: TokenType): Promise<ConnectedHostServer> {
  let id = 100
  const host = HOSTS[type]
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const text = Buffer.concat(chunks).toString()
    const url = new URL(request.url ?? '/', 'http://host')
    const path = url.pathname.replace(host.root, '')
    const call = { method: request.method ?? '', path, query: url.searchParams, body: text && JSON.parse(text) }
    self.requests.push(`${call.method} ${path}${url.search}`)
    const answer = answerTo(call, request)
    self.onAnswer()
    response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers })
    response.end(answer.body === undefined ? '' : JSON.stringify(answer.body))
  })
  const answerTo = (call: Call, request: IncomingMessage): Answer & { headers?: Record<string, string> } => {
    const { refuse } = self
    if (refuse?.matches.test(`${call.method} ${call.path}`)) return { ...refuse, body: { message: 'refused' } }
    if (host.tokenOf(request) !== self.token) return { status: 401, body: { message: '401 Unauthorized' } }
    return host.answer(call, { ...self, next: () => id++ }) ?? { status: 404, body: { message: '404 Not Found' } }
  }
  const self: ConnectedHostServer = {
    base: '',
    token: 'host-token-canary',
    repositories: ['acme/shop'],
    keys: [],
    hooks: [],
    requests: [],
    refuse: undefined,
    onAnswer: () => undefined,
    idOf: (name) => 1 + self.repositories.indexOf(name),
    sshAddressOf: (name) => `git@git.example.com:${name}.git`,
    stop: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return Object.assign(self, { base: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
}

const bearer = ({ headers }: IncomingMessage): string | undefined =>
  /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1]
const removeFrom = <T>(list: T[], is: (entry: T) => boolean): Answer => {
  const at = list.findIndex(is)
  if (at < 0) return { status: 404 }
  list.splice(at, 1)
  return { status: 204 }
}
const page = <T>(all: readonly T[], query: URLSearchParams, size: string): readonly T[] => {
  const length = Number(query.get(size) ?? 20)
  const start = (Number(query.get('page') ?? 1) - 1) * length
  return all.slice(start, start + length)
}
const matching = (names: readonly string[], text: string): readonly string[] =>
  names.filter((name) => name.toLowerCase().includes(text.toLowerCase()))
const isKey = (key: unknown): boolean => typeof key === 'string' && /^ssh-ed25519 AAAA\S+/.test(key)

const gitlab: TestHost = {
  root: '/api/v4',
  tokenOf: ({ headers }) => String(headers['private-token']),
  answer({ method, path, query, body }, state) {
    const project = (name: string) => ({
      id: state.idOf(name),
      path_with_namespace: name,
      default_branch: 'trunk',
      visibility: 'private',
      web_url: `https://gitlab.example.com/${name}`,
      ssh_url_to_repo: state.sshAddressOf(name),
    })
    if (method === 'GET' && path === '/user') return { status: 200, body: { id: 7, username: 'ada' } }
    if (method === 'GET' && path === '/projects') {
      if (query.get('membership') !== 'true' || query.get('min_access_level') !== '40') return { status: 400 }
      const found = matching(state.repositories, query.get('search') ?? '')
      return { status: 200, body: page(found, query, 'per_page').map(project) }
    }
    const [, encoded, kind, id] = /^\/projects\/([^/]+)(?:\/(deploy_keys|hooks))?(?:\/(\d+))?$/.exec(path) ?? []
    const name = decodeURIComponent(encoded ?? '')
    if (!state.repositories.includes(name)) return undefined
    if (kind === undefined) return { status: 200, body: project(name) }
    if (kind === 'deploy_keys') {
      if (method === 'GET')
        return {
          status: 200,
          body: page(state.keys, query, 'per_page').map(({ id, key, isReadOnly }) => ({
            id,
            key: `${key} other comment`,
            can_push: !isReadOnly,
          })),
        }
      if (method === 'DELETE') return removeFrom(state.keys, (key) => String(key.id) === id)
      if (!isKey(body.key) || typeof body.title !== 'string') return { status: 400 }
      state.keys.push({
        id: state.next(),
        key: body.key.split(' ').slice(0, 2).join(' '),
        isReadOnly: body.can_push === false,
      })
      return { status: 201, body: { id: state.keys.at(-1)?.id } }
    }
    if (method === 'GET')
      return {
        status: 200,
        body: page(state.hooks, query, 'per_page').map(({ id, url, events, isActive }) => ({
          id: Number(id),
          url,
          alert_status: isActive ? 'executable' : 'disabled',
          ...Object.fromEntries(events.map((event) => [event, true])),
        })),
      }
    if (method === 'DELETE') return removeFrom(state.hooks, (hook) => hook.id === id)
    if (method !== 'POST' || body.enable_ssl_verification !== true) return { status: 422 }
    const events = Object.keys(body).filter((key) => key.endsWith('_events') && body[key] === true)
    state.hooks.push({ id: String(state.next()), url: body.url, secret: body.token, events, isActive: true })
    return { status: 201, body: { id: Number(state.hooks.at(-1)?.id) } }
  },
}

const gitea: TestHost = {
  root: '/api/v1',
  tokenOf: ({ headers }) => /^token (.+)$/.exec(headers.authorization ?? '')?.[1],
  answer({ method, path, query, body }, state) {
    const repository = (name: string) => ({
      id: state.idOf(name),
      full_name: name,
      default_branch: 'trunk',
      empty: false,
      private: true,
      html_url: `https://gitea.example.com/${name}`,
      ssh_url: state.sshAddressOf(name),
    })
    if (method === 'GET' && path === '/user') return { status: 200, body: { id: 7, login: 'ada' } }
    if (method === 'GET' && path === '/repos/search') {
      if (query.get('uid') !== '7') return { status: 422 }
      const found = matching(state.repositories, query.get('q') ?? '')
      return { status: 200, body: { ok: true, data: page(found, query, 'limit').map(repository) } }
    }
    const [, name = '', kind, id] = /^\/repos\/([^/]+\/[^/]+)(?:\/(keys|hooks))?(?:\/(\d+))?$/.exec(path) ?? []
    if (!state.repositories.includes(name)) return undefined
    if (kind === undefined) return { status: 200, body: repository(name) }
    if (kind === 'keys') {
      if (method === 'GET')
        return {
          status: 200,
          body: page(state.keys, query, 'limit').map(({ id, key, isReadOnly }) => ({ id, key, read_only: isReadOnly })),
        }
      if (method === 'DELETE') return removeFrom(state.keys, (key) => String(key.id) === id)
      if (!isKey(body.key)) return { status: 422 }
      state.keys.push({ id: state.next(), key: body.key, isReadOnly: body.read_only === true })
      return { status: 201, body: { id: state.keys.at(-1)?.id } }
    }
    if (method === 'GET')
      return {
        status: 200,
        body: page(state.hooks, query, 'limit').map(({ id, url, events, isActive }) => ({
          id: Number(id),
          type: 'gitea',
          config: { url, content_type: 'json' },
          events,
          active: isActive,
        })),
      }
    if (method === 'DELETE') return removeFrom(state.hooks, (hook) => hook.id === id)
    const hook = {
      url: body.config?.url,
      secret: body.config?.secret,
      events: body.events,
      isActive: body.active === true,
    }
    if (body.config?.content_type !== 'json') return { status: 422 }
    if (method === 'PATCH') return replace(state.hooks, id, hook)
    if (body.type !== 'gitea') return { status: 422 }
    state.hooks.push({ id: String(state.next()), ...hook })
    return { status: 201, body: { id: Number(state.hooks.at(-1)?.id) } }
  },
}

function replace(hooks: HostHook[], id: string | undefined, hook: Omit<HostHook, 'id'>): Answer {
  const at = hooks.findIndex((one) => one.id === id)
  if (at < 0 || id === undefined) return { status: 404 }
  hooks[at] = { id, ...hook }
  return { status: 200, body: { id } }
}

const bitbucket: TestHost = {
  root: '/2.0',
  tokenOf: bearer,
  answer({ method, path, query, body }, state) {
    const repository = (name: string) => ({
      uuid: `{${state.idOf(name)}}`,
      full_name: name,
      is_private: true,
      mainbranch: { name: 'trunk' },
      links: {
        html: { href: `https://bitbucket.org/${name}` },
        clone: [
          { name: 'https', href: `https://bitbucket.org/${name}.git` },
          { name: 'ssh', href: state.sshAddressOf(name) },
        ],
      },
    })
    const paged = <T>(all: readonly T[]) => {
      const values = page(all, query, 'pagelen')
      const number = Number(query.get('page') ?? 1)
      const isMore = number * Number(query.get('pagelen') ?? 10) < all.length
      return { status: 200, body: { values, page: number, ...(isMore && { next: 'https://api.bitbucket.org/next' }) } }
    }
    // The token of a workspace belongs to no user.
    if (path === '/user') return { status: 403 }
    // Removed in 2026: repositories are listed for one workspace.
    if (path === '/repositories') return { status: 410 }
    if (method === 'GET' && path === '/repositories/acme') {
      const [, text = ''] = /^name ~ "(.*)"$/.exec(query.get('q') ?? '') ?? []
      return paged(matching(state.repositories, text).map(repository))
    }
    const [, name = '', kind, id] =
      /^\/repositories\/([^/]+\/[^/]+)(?:\/(deploy-keys|hooks))?(?:\/([^/]+))?$/.exec(path) ?? []
    if (!state.repositories.includes(name)) return undefined
    if (kind === undefined) return { status: 200, body: repository(name) }
    if (kind === 'deploy-keys') {
      if (method === 'GET') return paged(state.keys.map(({ id, key }) => ({ id, key, label: 'x' })))
      if (method === 'DELETE') return removeFrom(state.keys, (key) => String(key.id) === id)
      if (!isKey(body.key) || typeof body.label !== 'string') return { status: 400 }
      state.keys.push({ id: state.next(), key: body.key, isReadOnly: true })
      return { status: 200, body: { id: state.keys.at(-1)?.id } }
    }
    if (method === 'GET')
      return paged(
        state.hooks.map((hook) => ({ uuid: hook.id, url: hook.url, active: hook.isActive, events: hook.events })),
      )
    const uuid = decodeURIComponent(id ?? '')
    if (method === 'DELETE') return removeFrom(state.hooks, (hook) => hook.id === uuid)
    const hook = { url: body.url, secret: body.secret, events: body.events, isActive: body.active === true }
    if (method === 'PUT') return replace(state.hooks, uuid, hook)
    if (typeof body.description !== 'string') return { status: 400 }
    state.hooks.push({ id: `{${state.next()}}`, ...hook })
    return { status: 201, body: { uuid: state.hooks.at(-1)?.id } }
  },
}

const dataCenter: TestHost = {
  root: '/rest',
  tokenOf: bearer,
  answer({ method, path, query, body }, state) {
    const repository = (name: string) => {
      const [key, slug] = name.split('/')
      const clone = [
        { name: 'http', href: `https://bitbucket.example.com/scm/${name}.git` },
        { name: 'ssh', href: state.sshAddressOf(name) },
      ]
      const self = [{ href: `https://bitbucket.example.com/projects/${key}/repos/${slug}/browse` }]
      return { id: state.idOf(name), slug, public: false, project: { key }, links: { clone, self } }
    }
    const paged = <T>(all: readonly T[]) => {
      const [start, limit] = [Number(query.get('start') ?? 0), Math.min(Number(query.get('limit') ?? 25), 100)]
      const end = start + limit
      const isLastPage = end >= all.length
      return {
        status: 200,
        body: { values: all.slice(start, end), isLastPage, nextPageStart: isLastPage ? null : end },
      }
    }
    if (method === 'GET' && path === '/api/latest/repos') {
      if (query.get('permission') !== 'REPO_ADMIN') return { status: 400 }
      return paged(matching(state.repositories, query.get('name') ?? '').map(repository))
    }
    const pattern =
      /^\/(api|keys)\/latest\/projects\/([^/]+)\/repos\/([^/]+)(?:\/(ssh|webhooks|branches\/default))?(?:\/(\d+))?$/
    const [, api, key, slug, kind, id] = pattern.exec(path) ?? []
    const name = `${key}/${slug}`
    if (!state.repositories.includes(name)) return undefined
    if (api === 'keys' && kind === 'ssh') {
      if (method === 'GET')
        return paged(
          state.keys.map((one) => ({
            key: { id: one.id, text: one.key },
            permission: one.isReadOnly ? 'REPO_READ' : 'REPO_WRITE',
          })),
        )
      if (method === 'DELETE') return removeFrom(state.keys, (one) => String(one.id) === id)
      if (!isKey(body.key?.text)) return { status: 400 }
      state.keys.push({ id: state.next(), key: body.key.text, isReadOnly: body.permission === 'REPO_READ' })
      return { status: 201, body: { key: { id: state.keys.at(-1)?.id } } }
    }
    if (api !== 'api') return undefined
    if (kind === undefined) return { status: 200, body: repository(name) }
    if (kind === 'branches/default') return { status: 200, body: { id: 'refs/heads/trunk', displayId: 'trunk' } }
    if (method === 'GET')
      return paged(
        state.hooks.map((hook) => ({ id: Number(hook.id), url: hook.url, active: hook.isActive, events: hook.events })),
      )
    if (method === 'DELETE') return removeFrom(state.hooks, (hook) => hook.id === id)
    const hook = {
      url: body.url,
      secret: body.configuration?.secret,
      events: body.events,
      isActive: body.active === true,
    }
    if (method === 'PUT') return replace(state.hooks, id, hook)
    if (typeof body.name !== 'string') return { status: 400 }
    state.hooks.push({ id: String(state.next()), ...hook })
    return { status: 201, body: { id: Number(state.hooks.at(-1)?.id) } }
  },
}

const HOSTS: Readonly<Record<TokenType, TestHost>> = {
  gitlab,
  gitea,
  forgejo: gitea,
  bitbucket,
  bitbucket_server: dataCenter,
}

/** What each host is asked at: the rest of the address is derived by the platform, but for Bitbucket Cloud, which has one address. */
export const apiOf = (host: Pick<ConnectedHostServer, 'base'>, type: TokenType): string =>
  `${host.base}${HOSTS[type].root}`
