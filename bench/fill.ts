// Fills a database with as many records as an installation has after years, or with the few that a page shows.
import { sql } from 'kysely'
import { newPrincipal } from '../packages/server/src/secrets/principal.ts'
import { newToken } from '../packages/server/src/secrets/token.ts'
import type { Database } from '../packages/server/src/store/database.ts'
import { insertMachine } from '../packages/server/src/store/servers/machines.ts'

export type Size = { readonly projects: number; readonly environments: number; readonly tasks: number }
export type Filled = { readonly token: string; readonly projectId: number; readonly environmentId: number }

/** One user in one organization with it all; environments and tasks are spread evenly. */
export async function fill({ db, kind }: Database, size: Size): Promise<Filled> {
  const { token, digest } = newToken('shw_pat_')
  const now = Date.now()
  await db.transaction().execute(async (trx) => {
    const run = (query: ReturnType<typeof sql>) => query.execute(trx)
    // A million rows take longer than any question of the platform may.
    if (kind === 'postgres') await run(sql`set local statement_timeout = 0`)
    await run(
      sql`insert into users (id, email, email_key, name, password_hash, created_at) values (1, 'a@example.com', 'a@example.com', 'Ada', 'none', ${now})`,
    )
    await run(sql`insert into organizations (id, name, created_at) values (1, 'Acme', ${now})`)
    await run(sql`insert into memberships (organization_id, user_id, role, created_at) values (1, 1, 'owner', ${now})`)
    await run(sql`insert into personal_tokens (user_id, name, token_digest, scopes, created_at, expires_at, last_used_at)
      values (1, 'bench', ${digest}, 'read', ${now}, ${now + 86_400_000}, ${now + 3_600_000})`)
    for (const [id, name] of ['One', 'Two'].entries())
      await run(sql`insert into servers (id, organization_id, name, hostname, port, unix_user, connection, edge, created_at, principal, machine_id)
        values (${id + 1}, 1, ${name}, ${`${name.toLowerCase()}.example.com`}, 22, 'shipway', 'ssh', 'haproxy', ${now}, ${newPrincipal(1)}, ${await insertMachine(trx, 1)})`)
    await run(sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${sql.lit(size.projects)})
      insert into projects (id, organization_id, owner_id, name, repo_url, repository_host, domain, default_branch, default_recipe,
        tls, fork_pull_requests, hook_id, webhook_secret_sealed, repository_public_key, repository_private_key_sealed, created_at, updated_at)
      select i, 1, 1, 'Project ' || i, 'https://github.com/acme/project-' || i || '.git', 'github', 'project-' || i || '.example.com', 'main', 'docker',
        'off', 'off', 'hook' || i, 'sealed', 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJb0k2n7Vt1u3xXl0wG5n5x4u1s8o7n0e6p1q2r3s4t5', 'sealed', ${sql.lit(now)}, ${sql.lit(now)} from n`)
    await run(
      sql`insert into project_servers (project_id, server_id, position) select id, 1, 0 from projects union all select id, 2, 1 from projects`,
    )
    if (size.environments > 0) {
      await run(sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${sql.lit(size.environments)})
        insert into environments (id, project_id, server_id, owner_id, name, type, branch, created_at, updated_at)
        select i, (i % ${sql.lit(size.projects)}) + 1, 1, 1, 'env-' || i, 'manual', 'main', ${sql.lit(now)}, ${sql.lit(now)} from n`)
      await run(
        sql`insert into domains (domain, environment_id) select 'env-' || id || '.example.com', id from environments`,
      )
    }
    if (size.tasks > 0) {
      await run(sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${sql.lit(size.tasks)})
        insert into tasks (environment_id, kind, status, cause, started_by, branch, commit_sha, created_at, started_at, finished_at)
        select (i % ${sql.lit(size.environments)}) + 1, 'deploy', case when i % 7 = 0 then 'failed' else 'succeeded' end, 'push', 1, 'main',
          '0123456789abcdef0123456789abcdef01234567', ${sql.lit(now)}, ${sql.lit(now)}, ${sql.lit(now)} from n`)
      await run(sql`insert into steps (task_id, phase, name, status, kind, started_at, finished_at)
        select id, 'Build', 'Build images', 'succeeded', 'command', ${sql.lit(now)}, ${sql.lit(now)} from tasks where id % 10 = 0`)
    }
  })
  await settle({ db, kind })
  return { token: token.reveal(), projectId: 1, environmentId: 1 }
}

/** An installation of years was not filled a minute ago: PostgreSQL would tidy up after that while it is measured. */
async function settle({ db, kind }: Pick<Database, 'db' | 'kind'>): Promise<void> {
  if (kind === 'sqlite') {
    await sql`analyze`.execute(db)
    return
  }
  await db.connection().execute(async (connection) => {
    await sql`set statement_timeout = 0`.execute(connection)
    await sql`vacuum (analyze)`.execute(connection)
    await sql`checkpoint`.execute(connection)
    await sql`reset statement_timeout`.execute(connection)
  })
}
