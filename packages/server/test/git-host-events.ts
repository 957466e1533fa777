// A project whose git host is GitHub, as far as its webhooks go: signed deliveries of the documented shapes, and what came of them.
import { createHmac, randomUUID } from 'node:crypto'
import type { Insertable } from 'kysely'
import type { Context } from '../src/context.ts'
import { projectContext } from '../src/domain/encryption-context.ts'
import type { Tables } from '../src/store/tables/tables.ts'
import { buildOwnedProject } from './owned-project.ts'
import type { TestAnswer, TestApp } from './test-app.ts'

export const SECRET = 'the secret that the git host was given'

type Headers = Record<string, string>

/** Any project, with a secret that opens. */
export async function buildHookedProject(
  ctx: Context,
  overrides: Partial<Insertable<Tables['projects']>> = {},
  secret = SECRET,
) {
  const project = await buildOwnedProject(ctx, { default_recipe: 'manual', ...overrides })
  const sealed = ctx.box.seal(secret, projectContext(project.hook_id, 'webhook_secret_sealed'))
  await ctx.db.updateTable('projects').set({ webhook_secret_sealed: sealed }).where('id', '=', project.id).execute()
  return project
}

export type HookedProject = Awaited<ReturnType<typeof buildHookedProject>>

export const hmac = (body: string | Uint8Array, secret = SECRET): string =>
  createHmac('sha256', secret).update(body).digest('hex')

type EventOptions = { readonly id?: string; readonly secret?: string; readonly headers?: Headers }

/** As GitHub sends it. */
export function deliver(
  app: TestApp,
  project: { readonly hook_id: string },
  event: string,
  payload: unknown,
  { id = randomUUID(), secret = SECRET, headers = {} }: EventOptions = {},
): Promise<TestAnswer> {
  const body = typeof payload === 'string' ? payload : JSON.stringify(payload)
  return app.call('POST', `/api/webhooks/${project.hook_id}`, {
    body,
    headers: {
      'content-type': 'application/json',
      'x-github-event': event,
      'x-github-delivery': id,
      'x-hub-signature-256': `sha256=${hmac(body, secret)}`,
      ...headers,
    },
  })
}

export const NONE = '0'.repeat(40)

/** A commit by one letter or digit. */
export const commit = (letter: string): string => letter.repeat(40)

type PushOptions = {
  readonly branch?: string
  readonly before?: string
  readonly after: string
  readonly message?: string
  readonly forced?: boolean
}

export function push({ branch = 'main', before = NONE, after, message = 'Change', forced = false }: PushOptions) {
  return {
    ref: `refs/heads/${branch}`,
    before,
    after,
    created: before === NONE,
    deleted: after === NONE,
    forced,
    head_commit: after === NONE ? null : { id: after, message },
    commits: [],
    repository: { id: 1, full_name: 'acme/app' },
    sender: { login: 'ada' },
  }
}

type PullRequestOptions = {
  readonly number?: number
  readonly sha?: string
  readonly branch?: string
  readonly title?: string
  /** Seconds after an hour of no importance. */
  readonly at?: number
  readonly headRepository?: unknown
  readonly isMerged?: boolean
  readonly isDraft?: boolean
  readonly more?: Record<string, unknown>
}

export function pullRequest(action: string, options: PullRequestOptions = {}) {
  const { number = 7, sha = commit('a'), branch = 'feature', title = 'Add a feature', at = 0 } = options
  const { headRepository = { id: 1, full_name: 'acme/app' }, isMerged = false, isDraft = false, more = {} } = options
  return {
    action,
    number,
    pull_request: {
      number,
      title,
      html_url: `https://github.com/acme/app/pull/${number}`,
      state: action === 'closed' ? 'closed' : 'open',
      user: { login: 'ada' },
      head: { ref: branch, sha, repo: headRepository },
      base: { ref: 'main', sha: commit('0'), repo: { id: 1, full_name: 'acme/app' } },
      draft: isDraft,
      merged: isMerged,
      updated_at: new Date(Date.parse('2026-01-02T03:00:00Z') + at * 1000).toISOString(),
    },
    repository: { id: 1, full_name: 'acme/app' },
    ...more,
  }
}

/** What environments a project has, and what became of their tasks, in the order in which they were made. */
export async function stateOf(ctx: Context, projectId: number) {
  const environments = await ctx.db
    .selectFrom('environments')
    .where('project_id', '=', projectId)
    .where('removed_at', 'is', null)
    .orderBy('id')
    .selectAll()
    .execute()
  const tasks = await ctx.db
    .selectFrom('tasks as t')
    .innerJoin('environments as e', 'e.id', 't.environment_id')
    .where('e.project_id', '=', projectId)
    .orderBy('t.id')
    .select(['e.name', 't.id', 't.kind', 't.status', 't.reason', 't.cause', 't.commit_sha'])
    .execute()
  return {
    environments: environments.map(({ name }) => name),
    tasks: tasks.map(({ name, kind, status, commit_sha: sha }) => [name, kind, status, sha?.[0] ?? null].join(' ')),
    rows: { environments, tasks },
  }
}
