// A git host of one organization that accepts connections and never answers delays nothing of another organization.
import { describe, expect, test, vi } from 'vitest'
import { buildConnection } from '../../../test/connections/connection-records.ts'
import { databases } from '../../../test/databases.ts'
import { startGitHostApi } from '../../../test/git-host-api.ts'
import { buildHookedProject, deliver, type HookedProject, pullRequest } from '../../../test/git-host-events.ts'
import { listenSilently } from '../../../test/silent-listener.ts'
import { stageApp } from '../../../test/stage/stage-app.ts'
import { connectionContext } from '../../domain/encryption-context.ts'
import { createGitHosts } from '../../source/git-hosts.ts'
import { reconcileDue } from './reconcile.ts'
import { reportDue } from './report-to-git-hosts.ts'
import { waitForChecks } from './wait-for-checks.ts'

const SLOW_PROJECTS = 4

describe.each(databases)('a git host that never answers on $name', (source) => {
  const app = stageApp(source)
  const gitHosts = createGitHosts({ allowedNetworks: ['127.0.0.0/8'] })
  const parts = { gitHosts, source: { listRefs: async () => [], findFiles: async () => new Set<string>() } }

  /** Has a report, a wait and a comparison that are due, at this git host. */
  const makeDue = async ({ id, hook_id }: HookedProject, organizationId: number, base_url: string, at: number) => {
    const seal_id = `slow-hosts-${id}`
    const token_sealed = app.ctx.box.seal('token', connectionContext(seal_id, 'token_sealed'))
    const connection = await buildConnection(app.ctx, organizationId, { base_url, seal_id, token_sealed })
    const update = (values: object) => app.ctx.db.updateTable('projects').set(values).where('id', '=', id).execute()
    await update({ connection_id: connection.id, deploy_after: 'checks', organization_id: organizationId })
    expect((await deliver(app, { hook_id }, 'pull_request', pullRequest('opened'))).body.verdict).toBe('accepted')
    await update({ repository_host: 'gitea', reconciled_at: at })
    for (const table of ['outbox', 'check_waits'] as const)
      await app.ctx.db.updateTable(table).set({ next_at: at }).where('project_id', '=', id).execute()
  }

  test('delays no report, check and comparison of another organization', async () => {
    const [silent, prompt] = [await listenSilently(), await startGitHostApi()]
    const slow = await buildHookedProject(app.ctx)
    await makeDue(slow, slow.organizationId, `http://127.0.0.1:${silent.port}`, 1)
    for (let count = 1; count < SLOW_PROJECTS; count++)
      await makeDue(await buildHookedProject(app.ctx), slow.organizationId, `http://127.0.0.1:${silent.port}`, 1)
    const own = await buildHookedProject(app.ctx, { repo_url: 'git@git.example.com:acme/app.git' })
    await makeDue(own, own.organizationId, prompt.base, 2)
    const stopped = new AbortController()
    const work = [waitForChecks, reportDue, reconcileDue].map((run) => run(app.ctx, parts, stopped.signal))
    const missing = () =>
      ['/status', '/comments', '/pulls'].filter((end) => !prompt.requests.some(({ path }) => path.includes(end)))
    await vi.waitFor(() => expect(missing()).toEqual([]), { timeout: 10_000 })
    // Three queues, two of an organization at once in each.
    await vi.waitFor(() => expect(silent.accepted()).toBe(6), { timeout: 10_000 })
    stopped.abort()
    await silent.stop()
    await Promise.all(work)
    await prompt.stop()
  })
})
