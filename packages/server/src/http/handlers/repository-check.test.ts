// Trying the repository of a project over the API: with which key, for whom, and what comes back.
import { beforeEach, describe, expect, test } from 'vitest'
import { databases } from '../../../test/databases.ts'
import { buildOrganization, buildServer, buildUser, type TestUser } from '../../../test/factories.ts'
import { stageApp } from '../../../test/stage/stage-app.ts'
import { TooManyChecks } from '../../domain/errors.ts'
import type { RepositoryFindings } from '../../domain/repository/repository-findings.ts'
import type { Repositories } from '../../source/repositories.ts'

const findings: RepositoryFindings = {
  status: 'ok',
  message: 'The repository was read',
  fix: null,
  branches: 3,
  head: { sha: 'a'.repeat(40), message: 'Begin' },
  serviceFile: 'missing',
  suggestion: 'services:\n',
}

describe.each(databases)('a check of a repository on $name', (source) => {
  const app = stageApp(source)
  let admin: TestUser
  let member: TestUser
  let project: { id: number; repository_key: string; default_branch: string; repo_url: string }
  let asked: Parameters<Repositories['inspect']>[]

  beforeEach(async () => {
    asked = []
    answerWith(async () => findings)
    admin = await buildUser(app.ctx)
    member = await buildUser(app.ctx)
    const members = [
      { user: admin, role: 'admin' },
      { user: member, role: 'member' },
    ] as const
    const { id } = await buildOrganization(app.ctx, members)
    const server = await buildServer(app.ctx, id)
    const body = {
      name: 'Shop',
      repo_url: 'git@git.example.org:acme/shop.git',
      domain: `shop-${id}.example.org`,
      server_ids: [server.id],
      default_branch: 'trunk',
    }
    project = (await app.call('POST', '/api/projects', { as: admin, body })).body
  })

  const answerWith = (inspect: Repositories['inspect']): void => {
    Object.assign(app.ctx.repositories, {
      inspect: (...call: Parameters<Repositories['inspect']>) => {
        asked.push(call)
        return inspect(...call)
      },
    })
  }
  const check = (as: TestUser) => app.call('POST', `/api/projects/${project.id}/repository-check`, { as })

  test('asks with the address, the branch and the key of the project, and answers what was found', async () => {
    const answer = await check(admin)
    expect(answer).toMatchObject({ status: 200 })
    expect(answer.body).toEqual({
      status: 'ok',
      message: 'The repository was read',
      fix: null,
      branches: 3,
      head: { sha: 'a'.repeat(40), message: 'Begin' },
      service_file: 'missing',
      suggestion: 'services:\n',
    })
    const [[repository, options] = []] = asked
    expect(repository).toMatchObject({ projectId: project.id, address: project.repo_url, hostKey: null })
    expect(options).toMatchObject({ branch: 'trunk' })
    const key = repository?.openKey().reveal() ?? ''
    expect(key).toContain('PRIVATE KEY')
    expect(answer.text).not.toContain('PRIVATE KEY')
  })

  test('the key of a host that is met for the first time is pinned', async () => {
    answerWith(async ({ projectId }, { onHostKey }) => {
      await onHostKey?.(projectId, 'ssh-ed25519 AAAA-host')
      return findings
    })
    await check(admin)
    await check(admin)
    expect(asked[1]?.[0].hostKey).toBe('ssh-ed25519 AAAA-host')
  })

  test('members who cannot mend it try nothing', async () => {
    expect(await check(member)).toMatchObject({ status: 403, body: { code: 'insufficient_role' } })
    expect(asked).toEqual([])
  })

  test('one too many at a time is asked to wait', async () => {
    answerWith(() => Promise.reject(TooManyChecks('repositories', 'of this organization')))
    expect(await check(admin)).toMatchObject({ status: 429, headers: { 'retry-after': '10' } })
  })
})
