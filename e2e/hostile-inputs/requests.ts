// What every route meets: who asks, for which organization, for which record, by which path, and in which bytes.
import { createHmac } from 'node:crypto'
import { routes } from '@shipway/api/routes'
import { sendRaw } from '../../packages/server/test/loopback.ts'
import type { Guarded, Reply } from './guarded.ts'
import { must } from './must.ts'
import { numbered, type Rows, scenarios, table } from './table.ts'
import type { World } from './world.ts'

type HeadersOf = (guarded: Guarded) => Record<string, string>

const bearer =
  (tokenOf: (guarded: Guarded) => string): HeadersOf =>
  (guarded) => ({
    authorization: `Bearer ${tokenOf(guarded)}`,
  })

const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
const claims = ({ users }: Guarded): string =>
  part({ sub: String(users.owner.id), exp: 4_102_444_800, scope: 'admin read deploy' })
const signed = (guarded: Guarded): string => {
  const text = `${part({ alg: 'HS256', typ: 'JWT' })}.${claims(guarded)}`
  return `${text}.${createHmac('sha256', 'better-auth-secret-123456789').update(text).digest('base64url')}`
}

const credentials = numbered<HeadersOf>(
  'token',
  [1, 2, 4, 6, 8, 9, 11, 12, 13, 17],
  [
    () => ({ authorization: '' }),
    () => ({ authorization: 'Bearer' }),
    () => ({ authorization: 'Bearer null' }),
    bearer(({ users }) => `${users.owner.token} ${users.owner.token}`),
    bearer(({ tokens }) => tokens.expired),
    bearer(({ tokens }) => tokens.revoked),
    bearer(({ tokens }) => tokens.refresh),
    bearer((guarded) => `${part({ alg: 'none', typ: 'JWT' })}.${claims(guarded)}.`),
    bearer(signed),
    ({ users }) => ({ cookie: `token=${users.owner.token}` }),
  ],
)

/** Of a number the organization's own is made. */
const organizations = numbered<(guarded: Guarded) => string>(
  'org-header',
  [1, 2, 3, 4, 5, 7, 8, 9, 12],
  [
    ({ theirs }) => String(theirs.organizationId),
    () => '0',
    () => '-1',
    ({ organizationId }) => `${organizationId}.0`,
    ({ organizationId }) => `${organizationId}e0`,
    ({ organizationId, theirs }) => `${organizationId},${theirs.organizationId}`,
    () => 'abc',
    () => '9007199254740993',
    ({ organizationId }) => `../${organizationId}`,
  ],
)

const ids = numbered(
  'id-param',
  [2, 3, 9, 13, 16, 17, 20, 21],
  ['0', '-1', '99999999999999999999', '1;2', 'undefined', '__proto__', '//1', '1%2fvariables'],
)

/** `1` stands for an environment that the caller may read. */
const paths = numbered(
  'path-canon',
  [1, 2, 4, 5, 6, 11],
  [
    '/api//environments/1/variables',
    '/api/./environments/1/variables',
    '/api/environments/1/variables/',
    '/api/environments/1/variables;x',
    '/api/environments/1%2fvariables',
    '/api/environments/1/logs',
  ],
)

const queries = numbered(
  'sql',
  [1, 3, 4, 5, 6, 8, 9, 11],
  [
    "status=1' OR '1'='1",
    'sort=id desc,(select 1)',
    'page=-1',
    'page=1e9',
    'per_page=1000000',
    'q=%',
    `q=${'a'.repeat(10_000)}`,
    'status[$ne]=x',
  ],
)

const LOCAL = 'Host: localhost\r\n'

/** Bytes, and the answers that may come. */
const streams: Rows<readonly [text: string, statuses: readonly number[]]> = numbered(
  'http',
  [1, 3, 4, 10, 12, 14],
  [
    [`POST /api/session HTTP/1.1\r\n${LOCAL}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`, [400]],
    [`POST /api/session HTTP/1.1\r\n${LOCAL}Transfer-Encoding: chunked\r\n\r\n1;${'a'.repeat(70_000)}\r\n`, [400, 413]],
    [`GET /healthz HTTP/1.1\r\n${LOCAL}X-Long: ${'a'.repeat(65_536)}\r\n\r\n`, [431]],
    [`GET /healthz HTTP/1.1\r\n${LOCAL}Host: evil.example\r\nConnection: close\r\n\r\n`, [400]],
    [
      `GET /healthz HTTP/1.1\r\n${LOCAL}Connection: Upgrade, HTTP2-Settings, close\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n\r\n`,
      [400],
    ],
    [`TRACE /api/servers HTTP/1.1\r\n${LOCAL}Connection: close\r\n\r\n`, [400, 404, 405]],
  ],
)

export const requestTables = [
  ...table({
    surface: 'credentials on every route',
    rows: credentials,
    holds: async (world: World, headersOf: HeadersOf) => {
      const guarded = await world.guarded()
      const headers = headersOf(guarded)
      for (const { method, path, permission } of Object.values(routes)) {
        if (permission === 'public') continue
        const url = path.replaceAll(/\{[a-z_]+\}/g, '1')
        const body = ['POST', 'PATCH', 'PUT'].includes(method) ? {} : undefined
        const answer = await guarded.call(method, url, { as: null, headers, ...(body && { body }) })
        must(answer.status === 401, { method, url, status: answer.status, text: answer.text })
        must(/json/.test(answer.headers['content-type'] ?? ''), { url, headers: answer.headers })
      }
      const { token } = guarded.users.owner
      for (const name of ['token', 'access_token', 'authorization']) {
        const inAddress = await guarded.call('GET', `/api/me?${name}=${token}`, { as: null, headers })
        must([401, 422].includes(inAddress.status), inAddress.text)
      }
    },
  }),
  ...table({
    surface: 'organizations in the header',
    rows: organizations,
    holds: async (world: World, wanted: (guarded: Guarded) => string) => {
      const guarded = await world.guarded()
      const headers = { 'x-service-organization': wanted(guarded) }
      const unknown = { 'x-service-organization': '123456789' }
      for (const path of ['/api/projects', `/api/projects/${guarded.project.id}`, '/api/servers']) {
        const answer = await guarded.call('GET', path, { headers })
        must([400, 404].includes(answer.status), { path, status: answer.status, text: answer.text })
        const other = await guarded.call('GET', path, { headers: unknown })
        if (answer.status === 404) must(sameBut(answer, other), [answer.text, other.text])
      }
    },
  }),
  ...scenarios('organizations in the header', {
    // HTTP takes blanks off the ends of a header, so these are the value within and no header at all.
    'org-header-006': async (world) => mustSeeOwn(await world.guarded(), ({ organizationId }) => ` ${organizationId} `),
    'org-header-013': async (world) => mustSeeOwn(await world.guarded(), () => ''),
  }),
  ...table({
    surface: 'ids in paths',
    rows: ids,
    holds: async (world: World, id: string) => {
      const guarded = await world.guarded()
      for (const path of recordPaths(id)) {
        const answer = await guarded.call('GET', path)
        must(answer.status === 404, { path, status: answer.status, text: answer.text })
      }
    },
  }),
  ...table({
    surface: 'paths',
    rows: paths,
    holds: async (world: World, path: string) => {
      const { call, environmentId } = await world.guarded()
      const answer = await call('GET', path.replace('/1', `/${environmentId}`))
      must([404, 410].includes(answer.status), { status: answer.status, text: answer.text })
    },
  }),
  ...table({
    surface: 'queries of lists',
    rows: queries,
    holds: async (world: World, query: string) => {
      const { call, environmentId, organizationId } = await world.guarded()
      const [name = '', ...value] = query.split('=')
      const encoded = `${encodeURIComponent(name)}=${encodeURIComponent(value.join('='))}`
      const lists = [
        `/api/environments/${environmentId}/tasks`,
        '/api/projects',
        `/api/organizations/${organizationId}/audit`,
      ]
      for (const path of lists) {
        const { status, text } = await call('GET', `${path}?${encoded}`)
        must([400, 422].includes(status), { path, status, text })
      }
    },
  }),
  ...table({
    surface: 'bytes of requests',
    rows: streams,
    holds: async (world: World, [text, statuses]) => {
      const { port } = await world.guarded()
      const received = await sendRaw(port, text)
      must(statuses.includes(statusOf(received)), received)
      must((received.match(/^HTTP\/1\.1 /gm) ?? []).length === 1, received)
    },
  }),
  ...scenarios('bytes of requests', {
    'http-006': async (world) => {
      const { port } = await world.guarded()
      const head = `POST /api/session HTTP/1.1\r\n${LOCAL}Content-Type: application/json\r\nContent-Length: 40\r\n`
      // The body never comes: the connection is given up, and others are answered meanwhile.
      const waiting = sendRaw(port, `${head}Expect: 100-continue\r\nConnection: close\r\n\r\n`).catch((error) =>
        String(error),
      )
      const { status } = await (await world.guarded()).call('GET', '/api/me')
      must(status === 200, status)
      const received = await waiting
      must(!/HTTP\/1\.1 [25](?!0[03])/.test(received.replace('HTTP/1.1 100 Continue', '')), received)
    },
    'http-007': async (world) => {
      const { call } = await world.guarded()
      const { status } = await call('POST', '/api/servers', { body: '{}', headers: { 'content-type': 'text/html' } })
      must(status === 415, status)
    },
    'http-013': async (world) => {
      const { call } = await world.guarded()
      const headers = { origin: 'https://evil.example', 'access-control-request-method': 'POST' }
      for (const method of ['OPTIONS', 'GET']) {
        const answer = await call(method, '/api/me', { headers })
        const names = Object.keys(answer.headers).filter((name) => name.startsWith('access-control-'))
        must(names.length === 0, names)
      }
    },
    'path-canon-010': async (world) => {
      const { port, users } = await world.guarded()
      const authorization = `Authorization: Bearer ${users.owner.token}\r\n`
      const received = await sendRaw(
        port,
        `GET \\api\\me HTTP/1.1\r\n${LOCAL}${authorization}Connection: close\r\n\r\n`,
      )
      must([400, 404].includes(statusOf(received)), received)
    },
    'token-020': async (world) => {
      const { port, users } = await world.guarded()
      for (const end of ['\r', '\n']) {
        const header = `Authorization: Bearer ${users.owner.token}${end}X: y\r\n`
        const received = await sendRaw(port, `GET /api/me HTTP/1.1\r\n${LOCAL}${header}Connection: close\r\n\r\n`)
        must(statusOf(received) === 400, received)
      }
    },
  }),
  ...scenarios('records of others', {
    'id-param-001': async (world) => {
      const guarded = await world.guarded()
      const { theirs } = guarded
      const pairs = [
        [recordPaths(String(theirs.projectId))[0], recordPaths('987654321')[0]],
        [`/api/environments/${theirs.environmentId}`, '/api/environments/987654321'],
        [`/api/environments/${theirs.environmentId}/variables`, '/api/environments/987654321/variables'],
        [`/api/servers/${theirs.serverId}`, '/api/servers/987654321'],
        [`/api/organizations/${theirs.organizationId}`, '/api/organizations/987654321'],
      ] as const
      for (const [foreign = '', unknown = ''] of pairs) {
        const answers = [await guarded.call('GET', foreign), await guarded.call('GET', unknown)] as const
        must(
          answers[0].status === 404 && sameBut(...answers),
          answers.map(({ text }) => text),
        )
      }
    },
    'idor-cross-003': async (world) => {
      const { call, theirs, environmentId } = await world.guarded()
      for (const [method, path, body] of [
        ['GET', `/api/tasks/${theirs.taskId}`, undefined],
        ['GET', `/api/tasks/${theirs.taskId}/log`, undefined],
        ['POST', `/api/tasks/${theirs.taskId}/cancel`, {}],
        ['POST', `/api/environments/${environmentId}/rollback`, { task_id: theirs.taskId }],
      ] as const) {
        const answer = await call(method, path, { ...(body && { body }) })
        must([404, 409, 422].includes(answer.status), { path, status: answer.status, text: answer.text })
        must(path.includes('rollback') || answer.status === 404, answer.text)
      }
    },
    'idor-cross-005': async (world) => {
      const { call, theirs, serverId, publicKey } = await world.guarded()
      const body = { public_key: publicKey, environment_id: theirs.environmentId }
      const answer = await call('POST', `/api/servers/${serverId}/ssh`, { body })
      must(answer.status === 404, answer.text)
    },
    'idor-cross-007': async (world) => {
      const { call, theirs, environmentId, project } = await world.guarded()
      const moved = await call('PATCH', `/api/environments/${environmentId}`, { body: { server_id: theirs.serverId } })
      must([404, 422].includes(moved.status), moved.text)
      const given = await call('PATCH', `/api/projects/${project.id}`, { body: { server_ids: [theirs.serverId] } })
      must([404, 422].includes(given.status), given.text)
    },
  }),
]

const statusOf = (received: string): number => Number(/^HTTP\/1\.1 (\d{3})/.exec(received)?.[1])

const recordPaths = (id: string): readonly string[] => [
  `/api/projects/${id}`,
  `/api/environments/${id}`,
  `/api/environments/${id}/tasks`,
  `/api/servers/${id}`,
]

/** But for what names the request itself. */
function sameBut(first: Reply, second: Reply): boolean {
  const shown = ({ body, status }: Reply) => JSON.stringify({ ...body, status, instance: '', request_id: '' })
  return shown(first) === shown(second)
}

async function mustSeeOwn(guarded: Guarded, wanted: (guarded: Guarded) => string): Promise<void> {
  const answer = await guarded.call('GET', '/api/projects', { headers: { 'x-service-organization': wanted(guarded) } })
  const foreign = (answer.body as { organization_id?: number }[]).filter?.(
    ({ organization_id: id }) => id !== guarded.organizationId,
  )
  must([400, 404].includes(answer.status) || (answer.status === 200 && foreign.length === 0), answer.text)
}
