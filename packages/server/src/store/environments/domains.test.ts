// Names of pull requests: the table itself keeps them for the environment of that pull request.
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { databases } from '../../../test/databases.ts'
import { buildEnvironment, buildTask } from '../../../test/factories.ts'
import { buildOwnedProject } from '../../../test/owned-project.ts'
import { quietChanges } from '../../../test/quiet-changes.ts'
import { stageApp } from '../../../test/stage/stage-app.ts'
import { PLATFORM } from '../../domain/people/actor.ts'
import { violatedUnique } from '../database.ts'
import { migrate } from '../migrate.ts'
import { insertDomain, updateDomain } from './domains.ts'
import { replaceRoutes } from './routes.ts'

describe.each(databases)('names on $name', (source) => {
  const app = stageApp(source)
  let project: Awaited<ReturnType<typeof buildOwnedProject>>

  beforeAll(async () => {
    project = await buildOwnedProject(app.ctx)
  })

  const claim = async (environmentId: number, label: string) => {
    const domain = `${label}.${project.domain}`
    try {
      await app.ctx.change(PLATFORM, (tx) => insertDomain(tx, { environmentId, domain, service: label }))
      return 'taken'
    } catch (error) {
      expect(String(error)).toMatch(/check constraint/i)
      return 'refused'
    }
  }

  test.each([
    ['pr-7', 'refused'],
    ['pr-7-web', 'refused'],
    ['pr-007', 'refused'],
    ['pr-7.deeper', 'refused'],
    ['pr-x', 'taken'],
    ['pr-7x', 'taken'],
    ['pr-', 'taken'],
    ['apr-7', 'taken'],
    ['a.pr-7', 'taken'],
  ])('a manual environment that claims %s: %s', async (label, expected) => {
    const environment = await buildEnvironment(app.ctx, project)
    expect(await claim(environment.id, label)).toBe(expected)
  })

  test('two that claim the same names in opposite order never wait in a circle', async () => {
    const { ctx } = app
    const one = await buildEnvironment(ctx, project)
    const other = await buildEnvironment(ctx, project)
    const routes = Array.from({ length: 40 }, (_, index) => ({
      service: `s${index}`,
      port: 20_000 + index,
      domain: `s${String(index).padStart(2, '0')}.${project.domain}`,
    }))
    const claimAll = async (environmentId: number, inOrder: typeof routes) => {
      const { id: taskId } = await buildTask(ctx, environmentId)
      await ctx.change(PLATFORM, (tx) => replaceRoutes(tx, { environmentId, taskId, routes: inOrder }))
    }
    const claims = await Promise.allSettled([claimAll(one.id, routes), claimAll(other.id, routes.toReversed())])
    expect(claims.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    const [failed] = claims.filter((claimed) => claimed.status === 'rejected')
    expect(violatedUnique(failed?.reason)).toBe('domains(domain)')
  })

  test('a pull request has its own and no other’s, also when a name changes', async () => {
    const environment = await buildEnvironment(app.ctx, project, {
      name: 'pr-70',
      type: 'pull_request',
      pull_request_number: 70,
    })
    expect(await claim(environment.id, 'pr-70-web')).toBe('taken')
    for (const label of ['pr-7', 'pr-7-web', 'pr-700', 'pr-71'])
      expect(await claim(environment.id, label)).toBe('refused')
    const change = app.ctx.change(PLATFORM, (tx) =>
      updateDomain(tx, { environmentId: environment.id, domain: `pr-8.${project.domain}` }),
    )
    await expect(change).rejects.toThrow(/check constraint/i)
  })
})

const SUBJECT = /-told-by-git-hosts\.sql$/

describe.each(databases)('names from before the rule on $name', ({ openEmpty }) => {
  const all = fileURLToPath(new URL('../../../migrations', import.meta.url))
  let database: Awaited<ReturnType<typeof openEmpty>>
  let folder: string

  beforeEach(async () => {
    database = await openEmpty()
    folder = await mkdtemp(join(tmpdir(), 'shipway-names-'))
  })
  afterEach(async () => {
    await database.drop()
    await rm(folder, { recursive: true })
  })

  const copyMigrations = async (isWanted: (file: string) => boolean) => {
    for (const file of (await readdir(all)).filter(isWanted)) await cp(join(all, file), join(folder, file))
  }

  test('stay as they are, and a new one of their kind is refused', async () => {
    const files = (await readdir(all)).sort()
    const last = files.findIndex((file) => SUBJECT.test(file))
    await copyMigrations((file) => files.indexOf(file) < last)
    await migrate(database, folder)
    const run = async (...statements: string[]) => {
      for (const statement of statements) await sql.raw(statement).execute(database.db)
    }
    await run(
      "insert into users (id, email, email_key, name, password_hash, created_at) values (1, 'a', 'a', 'A', 'x', 0)",
      "insert into organizations (id, name, created_at) values (1, 'O', 0)",
      `insert into servers (id, organization_id, name, hostname, port, unix_user, connection, edge, created_at)
        values (1, 1, 'S', 's', 22, 'u', 'ssh', 'haproxy', 0)`,
      `insert into projects (id, organization_id, owner_id, name, repo_url, repository_host, domain, default_branch,
        default_recipe, tls, fork_pull_requests, hook_id, webhook_secret_sealed, repository_public_key,
        repository_private_key_sealed, created_at, updated_at)
        values (1, 1, 1, 'P', 'git@x:y', 'github', 'x.test', 'main', 'docker', 'off', 'off', 'h', 's', 'k', 'p', 0, 0)`,
      `insert into environments (id, project_id, server_id, owner_id, name, type, pull_request_number, branch, created_at, updated_at)
        values (1, 1, 1, 1, 'main', 'manual', null, 'main', 0, 0), (2, 1, 1, 1, 'pr-8', 'pull_request', 8, 'b', 0, 0)`,
      `insert into domains (domain, environment_id, service)
        values ('main.x.test', 1, ''), ('pr-7.x.test', 1, 'web'), ('pr-8.x.test', 2, ''), ('pr-8-web.x.test', 2, 'web')`,
    )
    // To the last one: changes from here on are made by the current code.
    await copyMigrations(() => true)
    await migrate(database, folder)
    const { rows } = await sql<{ domain: string; number: number | null }>`
      select domain, pull_request_number as number from domains order by domain`.execute(database.db)
    expect(rows.map(({ domain, number }) => [domain, number])).toEqual([
      ['main.x.test', null],
      ['pr-7.x.test', -1],
      ['pr-8-web.x.test', 8],
      ['pr-8.x.test', 8],
    ])
    const evil = quietChanges(database.db)(PLATFORM, (tx) =>
      insertDomain(tx, { environmentId: 1, domain: 'pr-9.x.test', service: 'evil' }),
    )
    await expect(evil).rejects.toThrow(/check constraint/i)
    await run("delete from domains where domain = 'pr-7.x.test'")
    await quietChanges(database.db)(PLATFORM, (tx) =>
      insertDomain(tx, { environmentId: 1, domain: 'pr-7.x.test', service: 'web', isBroughtBack: true }),
    )
    const again = quietChanges(database.db)(PLATFORM, (tx) =>
      updateDomain(tx, { environmentId: 1, domain: 'pr-9.x.test' }),
    )
    await expect(again).rejects.toThrow(/check constraint/i)
  })
})
