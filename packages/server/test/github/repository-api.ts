// GitHub's API of repositories, as far as the platform calls it. What is written is kept, and can be read again.
import {
  bearerOf,
  demandPermission,
  demandToken,
  type GitHubAnswer,
  type GitHubContext,
  type GitHubRequest,
  json,
  Refusal,
} from './answer.ts'
import { presentRepository } from './app-api.ts'
import { refuseCheckRun } from './check-run-rules.ts'
import { fullNameOf, type GitHubRepository, reaches, type Written, type WrittenKind } from './records.ts'

type Call = {
  readonly method: string
  readonly path: RegExp
  readonly permission: readonly [string, 'read' | 'write']
  readonly answer: (context: GitHubContext, repository: GitHubRepository, call: CallInput) => GitHubAnswer
}

type CallInput = {
  readonly parts: readonly string[]
  readonly query: URLSearchParams
  readonly body: Record<string, unknown>
  /** Whose token it is. */
  readonly appId: number
}

/** Undefined where the path is another one. */
export function answerRepositoryApi(context: GitHubContext, request: GitHubRequest): GitHubAnswer | undefined {
  const [, owner, name, rest = ''] = /^\/repos\/([^/]+)\/([^/]+)(\/.*)?$/.exec(request.path) ?? []
  const [, id] = /^\/repositories\/(\d+)$/.exec(request.path) ?? []
  if (id === undefined && (owner === undefined || name === undefined)) return undefined
  const { token, installation } = demandToken(context, bearerOf(request))
  const repository = [...context.records.repositories.values()].find(
    (each) => `${each.id}` === id || fullNameOf(each).toLowerCase() === `${owner}/${name}`.toLowerCase(),
  )
  const isReached = repository && reaches(installation, repository) && token.repositories?.has(repository.id) !== false
  // Everybody can read what is public, also by an App that is not installed there.
  const isPublic = repository && !repository.isPrivate && !repository.isDeleted && request.method === 'GET'
  const isSeen = isReached || isPublic
  if (!isSeen) throw new Refusal(404, 'Not Found')
  for (const { method, path, permission, answer } of CALLS) {
    const found = path.exec(rest)
    if (!found || method !== request.method) continue
    demandPermission(token.permissions, ...permission)
    const body = request.body.length === 0 ? {} : JSON.parse(request.body.toString())
    return answer(context, repository, { parts: found.slice(1), query: request.query, body, appId: installation.appId })
  }
  throw new Refusal(404, 'Not Found')
}

function write({ records }: GitHubContext, kind: WrittenKind, repositoryId: number, body: Record<string, unknown>) {
  const written: Written = { ...body, id: records.nextId(), repositoryId }
  records.written[kind].push(written)
  return written
}

/** Changes what was written before, and keeps it as one record. */
function rewrite({ records }: GitHubContext, kind: WrittenKind, id: string | undefined, body: Record<string, unknown>) {
  const known = records.written[kind].find((each) => each.id === Number(id))
  if (!known) throw new Refusal(404, 'Not Found')
  return Object.assign(known, body)
}

const listOf = ({ records }: GitHubContext, kind: WrittenKind, repositoryId: number): Written[] =>
  records.written[kind].filter((each) => each.repositoryId === repositoryId)

/** The App that wrote a check run. */
const writerOf = ({ app }: Written): unknown => (app instanceof Object && 'id' in app ? app.id : undefined)

const CALLS: readonly Call[] = [
  {
    method: 'GET',
    path: /^$/,
    permission: ['metadata', 'read'],
    answer: (context, repository) => json(200, presentRepository(context, repository)),
  },
  {
    method: 'GET',
    path: /^\/pulls(?:\?.*)?$/,
    permission: ['pull_requests', 'read'],
    answer: ({ records }, { id }) => json(200, records.pulls.get(id) ?? []),
  },
  {
    method: 'POST',
    path: /^\/statuses\/([0-9a-f]{40})$/,
    permission: ['statuses', 'write'],
    answer: (context, { id }, { parts: [sha], body }) => json(201, write(context, 'statuses', id, { sha, ...body })),
  },
  {
    method: 'POST',
    path: /^\/check-runs$/,
    permission: ['checks', 'write'],
    answer: (context, { id }, { body, appId }) => {
      refuseCheckRun(body, { isNew: true })
      return json(201, write(context, 'check-runs', id, { ...body, app: { id: appId } }))
    },
  },
  {
    method: 'PATCH',
    path: /^\/check-runs\/(\d+)$/,
    permission: ['checks', 'write'],
    answer: (context, _, { parts: [id], body, appId }) => {
      refuseCheckRun(body, { isNew: false })
      const known = context.records.written['check-runs'].find((each) => each.id === Number(id))
      if (known && writerOf(known) !== appId)
        throw new Refusal(403, 'Invalid app_id. The check run can only be modified by the GitHub App that created it')
      return json(200, rewrite(context, 'check-runs', id, { conclusion: null, ...body }))
    },
  },
  {
    method: 'GET',
    path: /^\/commits\/([^/]+)\/check-runs$/,
    permission: ['checks', 'read'],
    answer: (context, { id }, { parts: [sha], query }) => {
      const wanted = query.get('app_id')
      const runs = listOf(context, 'check-runs', id).filter(
        (run) => run.head_sha === sha && (wanted === null || writerOf(run) === Number(wanted)),
      )
      return json(200, { total_count: runs.length, check_runs: runs })
    },
  },
  {
    method: 'GET',
    path: /^\/commits\/([^/]+)\/status$/,
    permission: ['statuses', 'read'],
    answer: (context, { id }, { parts: [sha] }) => {
      const statuses = listOf(context, 'statuses', id).filter((each) => each.sha === sha)
      return json(200, { state: statuses.at(-1)?.state ?? 'pending', sha, total_count: statuses.length, statuses })
    },
  },
  {
    method: 'GET',
    path: /^\/collaborators\/([^/]+)\/permission$/,
    permission: ['metadata', 'read'],
    answer: ({ records }, { id }, { parts: [user = ''] }) => {
      const permission = records.permissions.get(`${id} ${decodeURIComponent(user)}`)
      if (permission === undefined) throw new Refusal(404, `${user} is not a user`)
      return json(200, { permission, role_name: permission, user: { login: user } })
    },
  },
  {
    method: 'GET',
    path: /^\/rules\/branches\/([^/]+)$/,
    permission: ['metadata', 'read'],
    answer: ({ records }, { id }) => {
      const required = (records.requiredChecks.get(id) ?? []).map((context) => ({ context }))
      return json(200, [{ type: 'required_status_checks', parameters: { required_status_checks: required } }])
    },
  },
  {
    method: 'GET',
    path: /^\/branches\/([^/]+)$/,
    permission: ['contents', 'read'],
    answer: (_, __, { parts: [name] }) =>
      json(200, { name, protected: false, protection: { enabled: false, required_status_checks: { contexts: [] } } }),
  },
  {
    method: 'GET',
    path: /^\/deployments$/,
    permission: ['deployments', 'read'],
    answer: (context, { id }) => json(200, listOf(context, 'deployments', id).toReversed()),
  },
  {
    method: 'POST',
    path: /^\/deployments$/,
    permission: ['deployments', 'write'],
    answer: (context, { id }, { body }) => json(201, write(context, 'deployments', id, body)),
  },
  {
    method: 'POST',
    path: /^\/deployments\/(\d+)\/statuses$/,
    permission: ['deployments', 'write'],
    answer: (context, { id }, { parts: [deployment], body }) =>
      json(201, write(context, 'deployment-statuses', id, { deployment: Number(deployment), ...body })),
  },
  {
    method: 'GET',
    path: /^\/issues\/(\d+)\/comments$/,
    permission: ['pull_requests', 'read'],
    answer: (context, { id }, { parts: [number] }) =>
      json(
        200,
        listOf(context, 'comments', id).filter((each) => each.number === Number(number)),
      ),
  },
  {
    method: 'POST',
    path: /^\/issues\/(\d+)\/comments$/,
    permission: ['pull_requests', 'write'],
    answer: (context, { id }, { parts: [number], body }) =>
      json(201, write(context, 'comments', id, { number: Number(number), ...body })),
  },
  {
    method: 'PATCH',
    path: /^\/issues\/comments\/(\d+)$/,
    permission: ['pull_requests', 'write'],
    answer: (context, _, { parts: [id], body }) => json(200, rewrite(context, 'comments', id, body)),
  },
]
