// Records for tests, put straight into the database: each has what it needs, and takes what the test is about.
import type { Role } from '@shipway/api/people'
import { SCOPES, type Scope } from '@shipway/api/route'
import type { Insertable, Kysely } from 'kysely'
import type { Context } from '../src/context.ts'
import { MAIN_SERVICE } from '../src/domain/service-domains.ts'
import { newToken } from '../src/secrets/token.ts'
import type { Tables } from '../src/store/tables/tables.ts'
import { machineColumns } from './machine-records.ts'

/** What it takes to make records: a whole context, or just a database before anything runs on it. */
export type Records = Pick<Context, 'db' | 'clock'>

type Overrides<Table extends keyof Tables> = Partial<Insertable<Tables[Table]>>

let counter = 0
const next = (): number => ++counter

export type TestUser = { readonly id: number; readonly name: string; readonly email: string; readonly token: string }

/** A user with a personal token that carries every scope. The password is unusable: sign-in tests hash their own. */
export async function buildUser(
  ctx: Records,
  overrides: Overrides<'users'> & { scopes?: readonly Scope[] } = {},
): Promise<TestUser> {
  const { scopes, ...columns } = overrides
  const number = next()
  const email = `user${number}@example.com`
  const user = await insert(ctx.db, 'users', {
    email,
    email_key: columns.email?.toLowerCase() ?? email,
    name: `User ${number}`,
    password_hash: 'none',
    created_at: ctx.clock(),
    ...columns,
  })
  const token = await buildToken(ctx, user.id, { ...(scopes && { scopes: scopes.join(' ') }) })
  return { id: user.id, name: user.name, email: user.email, token }
}

export async function buildToken(
  ctx: Records,
  userId: number,
  overrides: Overrides<'personal_tokens'> = {},
): Promise<string> {
  const { token, digest } = newToken('shw_pat_')
  await insert(ctx.db, 'personal_tokens', {
    user_id: userId,
    name: 'test',
    token_digest: digest,
    scopes: SCOPES.join(' '),
    created_at: ctx.clock(),
    expires_at: ctx.clock() + 90 * 86_400_000,
    ...overrides,
  })
  return token.reveal()
}

/** An OAuth sign-in of the user: a grant, a refresh token, and the access token that is handed back. */
export async function buildOauthToken(
  ctx: Records,
  userId: number,
  { scopes = SCOPES, expiresAt = ctx.clock() + 3_600_000 }: { scopes?: readonly Scope[]; expiresAt?: number } = {},
): Promise<string> {
  const { token, digest } = newToken('shw_at_')
  const grant = newToken('shw_rt_').digest
  const record = { user_id: userId, created_at: ctx.clock(), payload: JSON.stringify({ scope: scopes.join(' ') }) }
  await ctx.db
    .insertInto('oauth_records')
    .values([
      { ...record, kind: 'Grant', id_digest: grant, expires_at: null },
      { ...record, kind: 'RefreshToken', id_digest: newToken('shw_rt_').digest, grant_digest: grant },
      { ...record, kind: 'AccessToken', id_digest: digest, grant_digest: grant, expires_at: expiresAt },
    ])
    .execute()
  return token.reveal()
}

/** The Cookie header of a user who is signed in to the dashboard. */
export async function buildSession(
  ctx: Context,
  userId: number,
  overrides: Overrides<'sessions'> = {},
): Promise<{ cookie: string }> {
  const { token, digest } = newToken('shw_session_')
  await insert(ctx.db, 'sessions', {
    user_id: userId,
    token_digest: digest,
    created_at: ctx.clock(),
    last_seen_at: ctx.clock(),
    expires_at: ctx.clock() + 86_400_000,
    ...overrides,
  })
  const name = ctx.config.baseUrl.startsWith('https:') ? '__Host-shipway_session' : 'shipway_session'
  return { cookie: `${name}=${token.reveal()}` }
}

/** An organization with the given members; without any, it has an owner. */
export async function buildOrganization(ctx: Records, members: readonly { user: TestUser; role: Role }[] = []) {
  const organization = await insert(ctx.db, 'organizations', {
    name: `Organization ${next()}`,
    created_at: ctx.clock(),
  })
  const all = members.length > 0 ? members : [{ user: await buildUser(ctx), role: 'owner' as const }]
  for (const { user, role } of all) {
    await ctx.db
      .insertInto('memberships')
      .values({ organization_id: organization.id, user_id: user.id, role, created_at: ctx.clock() })
      .execute()
  }
  return organization
}

export function buildInvitation(ctx: Records, organizationId: number, invitedBy: number) {
  const email = `invited${next()}@example.com`
  return insert(ctx.db, 'invitations', {
    organization_id: organizationId,
    email,
    email_key: email,
    role: 'viewer',
    token_digest: newToken('shw_invite_').digest,
    invited_by: invitedBy,
    created_at: ctx.clock(),
    expires_at: ctx.clock() + 7 * 86_400_000,
  })
}

export async function buildServer(ctx: Records, organizationId: number, overrides: Overrides<'servers'> = {}) {
  return insert(ctx.db, 'servers', {
    organization_id: organizationId,
    name: `Server ${next()}`,
    hostname: 'server.example.com',
    port: 22,
    unix_user: 'shipway',
    connection: 'ssh',
    edge: 'haproxy',
    created_at: ctx.clock(),
    ...(await machineColumns(ctx, organizationId, overrides.connection)),
    ...overrides,
  })
}

type InOrganization = { readonly organizationId: number; readonly ownerId: number; readonly serverId?: number }

export async function buildProject(
  ctx: Records,
  { organizationId, ownerId, serverId }: InOrganization,
  overrides: Overrides<'projects'> = {},
) {
  const number = next()
  const project = await insert(ctx.db, 'projects', {
    organization_id: organizationId,
    owner_id: ownerId,
    name: `Project ${number}`,
    repo_url: `https://git.example.com/acme/project${number}.git`,
    repository_host: 'github',
    domain: `project${number}.example.com`,
    default_branch: 'main',
    default_recipe: 'docker',
    ...(overrides.default_recipe === 'manual' && { manual_recipe: 'allowed' as const }),
    tls: 'off',
    fork_pull_requests: 'off',
    hook_id: `hook${number}`,
    webhook_secret_sealed: 'sealed',
    repository_public_key: 'ssh-ed25519 AAAA',
    repository_private_key_sealed: 'sealed',
    created_at: ctx.clock(),
    updated_at: ctx.clock(),
    ...overrides,
  })
  const server = serverId ?? (await buildServer(ctx, organizationId)).id
  await ctx.db
    .insertInto('project_servers')
    .values({ project_id: project.id, server_id: server, position: 0 })
    .execute()
  return { ...project, serverId: server }
}

type OfProject = { readonly id: number; readonly owner_id: number; readonly domain: string; readonly serverId: number }

export async function buildEnvironment(ctx: Records, project: OfProject, overrides: Overrides<'environments'> = {}) {
  const name = overrides.name ?? `environment${next()}`
  const environment = await insert(ctx.db, 'environments', {
    project_id: project.id,
    server_id: project.serverId,
    owner_id: project.owner_id,
    name,
    type: 'manual',
    branch: 'main',
    created_at: ctx.clock(),
    updated_at: ctx.clock(),
    ...overrides,
  })
  const domain = `${name}.${project.domain}`
  const { id: environment_id, pull_request_number } = environment
  await ctx.db
    .insertInto('domains')
    .values({ environment_id, domain, service: MAIN_SERVICE, pull_request_number })
    .execute()
  return { ...environment, domain }
}

/** Of a stranger's pull request with a commit that awaits approval. */
export async function buildForkEnvironment(
  ctx: Records,
  project: OfProject,
  { number, headSha }: { readonly number: number; readonly headSha: string },
) {
  const environment = await buildEnvironment(ctx, project, {
    name: `pr-${number}`,
    type: 'pull_request',
    pull_request_number: number,
    is_fork: 1,
    awaits_approval: 1,
  })
  await ctx.db
    .insertInto('pull_requests')
    .values({
      project_id: project.id,
      number,
      state: 'open',
      title: 'Change',
      branch: 'main',
      head_sha: headSha,
      is_fork: 1,
      is_draft: 0,
      host_updated_at: ctx.clock(),
      environment_id: environment.id,
      changed_at: ctx.clock(),
    })
    .execute()
  return environment
}

/** One that has begun ran on the server that the environment has now. */
export async function buildTask(ctx: Records, environmentId: number, overrides: Overrides<'tasks'> = {}) {
  const { server_id } = await ctx.db
    .selectFrom('environments')
    .where('id', '=', environmentId)
    .select('server_id')
    .executeTakeFirstOrThrow()
  return insert(ctx.db, 'tasks', {
    environment_id: environmentId,
    kind: 'deploy',
    status: 'queued',
    cause: 'api',
    created_at: ctx.clock(),
    ...(typeof overrides.started_at === 'number' && { server_id }),
    ...overrides,
  })
}

/** A task that a worker has in hand, by the lease that its progress is written with. */
export async function buildRunningTask(ctx: Records, environmentId: number, overrides: Overrides<'tasks'> = {}) {
  const running = { status: 'running', started_at: ctx.clock(), worker: 'test', epoch: 1 } as const
  const task = await buildTask(ctx, environmentId, { ...running, ...overrides })
  return { taskId: task.id, epoch: task.epoch }
}

/** Supplied for a project; the texts stand for real ones. */
export function buildCertificate(ctx: Records, projectId: number, overrides: Overrides<'certificates'> = {}) {
  return insert(ctx.db, 'certificates', {
    project_id: projectId,
    source: 'supplied',
    key_id: `key${next()}`,
    chain: 'chain',
    private_key_sealed: 'sealed',
    names: '["*.example.com"]',
    issuer: 'Test',
    fingerprint: 'A'.repeat(40),
    not_before: ctx.clock(),
    not_after: ctx.clock() + 90 * 86_400_000,
    created_at: ctx.clock(),
    updated_at: ctx.clock(),
    ...overrides,
  })
}

export function buildStep(ctx: Records, taskId: number, overrides: Overrides<'steps'> = {}) {
  return insert(ctx.db, 'steps', {
    task_id: taskId,
    phase: 'Prepare',
    name: `Step ${next()}`,
    status: 'succeeded',
    kind: 'command',
    ...overrides,
  })
}

async function insert<
  Table extends
    | 'users'
    | 'sessions'
    | 'personal_tokens'
    | 'organizations'
    | 'servers'
    | 'projects'
    | 'environments'
    | 'tasks'
    | 'steps'
    | 'invitations'
    | 'certificates',
>(db: Kysely<Tables>, table: Table, values: Insertable<Tables[Table]>) {
  return db.insertInto(table).values(values).returningAll().executeTakeFirstOrThrow()
}
