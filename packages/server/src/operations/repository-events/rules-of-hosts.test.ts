// Every rule about pull requests with the deliveries of every git host: signed, as that host words them, up to environments and sentences.
import type { PullRequestChanges } from '@shipway/api/values/pull-request-rules'
import { describe, expect, test } from 'vitest'
import { databases } from '../../../test/databases.ts'
import { deliverAs } from '../../../test/git-host-dialects.ts'
import { buildHookedProject, commit, stateOf } from '../../../test/git-host-events.ts'
import { type PullRequestChange, ruledHosts } from '../../../test/pull-request-deliveries.ts'
import { builtBeforeEach } from '../../../test/stage/built-before.ts'
import { stageApp } from '../../../test/stage/stage-app.ts'
import { NO_REPOSITORIES } from '../../../test/test-app.ts'
import { projectContext } from '../../domain/encryption-context.ts'
import type { WriteAccess } from '../../domain/repository/write-access.ts'
import type { Repositories } from '../../source/repositories.ts'

/** What git and the API of the git host say in these tests. */
const outside = { files: undefined as readonly string[] | undefined, access: {} as Record<string, WriteAccess> }

const repositories: Repositories = {
  ...NO_REPOSITORIES,
  readRules: async () => ({ sha: commit('c'), read: {} }),
  listChangedFiles: async () => outside.files,
  findWriteAccess: async (_, { name }) => outside.access[name] ?? 'unknown',
}

// Each host is met on one of the databases: where the records go is the same for all.
describe.each(databases)('rules on $name', (source) => {
  const app = stageApp(source, {}, { repositories })
  const isMetHere = (place: number): boolean => databases.indexOf(source) === place % databases.length

  describe.each(ruledHosts.filter((_, place) => isMetHere(place)))('of $name', (host) => {
    const project = builtBeforeEach(async () => {
      Object.assign(outside, { files: undefined, access: {} })
      return buildHookedProject(app.ctx, { repository_host: host.dialect.repository_host })
    })
    const send = async (delivery: { event: string; payload: object }) => {
      const { status, body } = await deliverAs(host.dialect, { app, hookId: project.hook_id }, delivery)
      expect(status, JSON.stringify(body)).toBe(200)
      return body.reason
    }
    const deliverEvent = (change: PullRequestChange) => send(host.pullRequest(change))
    const rule = async (pull_requests: PullRequestChanges) => {
      const call = await app.call('PATCH', `/api/projects/${project.id}`, {
        as: project.owner,
        body: { pull_requests },
      })
      expect(call.status, call.text).toBe(200)
    }
    const names = async () => (await stateOf(app.ctx, project.id)).environments
    const waiting = async () => {
      const { body } = await app.call('GET', `/api/projects/${project.id}/waiting`, { as: project.owner })
      return body.map((entry: { detail: string }) => entry.detail)
    }

    test('a label gives an environment, and the last one takes it away', async () => {
      await rule({ enabled: 'label', labels: ['preview'] })
      expect(await deliverEvent({ how: 'opened' })).toBe('label_missing')
      if (!host.hasLabels) {
        expect(await waiting()).toEqual(['It needs the label preview, and this git host has no labels'])
        return
      }
      expect(await waiting()).toEqual(['It has no label preview'])
      expect(await deliverEvent({ how: 'labelled', labels: ['preview', 'bug'], at: 1 })).toBe(null)
      expect(await names()).toEqual(['pr-7'])
      expect(await deliverEvent({ how: 'cleared', at: 2 })).toBe('label_missing')
      expect([await names(), await waiting()]).toEqual([[], ['It has no label preview']])
      expect(await deliverEvent({ how: 'labelled', labels: ['preview'], at: 3 })).toBe(null)
      expect(await deliverEvent({ how: 'labelled', labels: ['bug'], at: 4 })).toBe('label_missing')
      expect(await names()).toEqual([])
    })

    test('a draft waits until it is ready', async () => {
      await rule({ drafts: false })
      expect(await deliverEvent({ how: 'opened', isDraft: true })).toBe('draft')
      expect(await waiting()).toEqual(['It is a draft, and waits until it is ready for review'])
      expect(await deliverEvent({ how: 'readied', at: 1 })).toBe(null)
      expect([await names(), await waiting()]).toEqual([['pr-7'], []])
    })

    test('a bot gets none', async () => {
      await rule({ bots: false })
      expect(await deliverEvent({ how: 'opened', isBot: true })).toBe('bot_author')
      expect(await waiting()).toEqual([expect.stringMatching(/^Its author .+ is a bot$/)])
    })

    test('another target branch decides again', async () => {
      await rule({ target_branches: ['main'] })
      expect(await deliverEvent({ how: 'opened', target: 'develop' })).toBe('target_branch_excluded')
      expect(await deliverEvent({ how: 'retargeted', at: 1 })).toBe(null)
      expect(await names()).toEqual(['pr-7'])
      expect(await deliverEvent({ how: 'retargeted', target: 'develop', at: 2 })).toBe('target_branch_excluded')
      expect(await names()).toEqual([])
    })

    test('other files give none, a file renamed across the filter does, and so does a list that was cut off', async () => {
      await rule({ paths: ['apps/shop/**'] })
      outside.files = ['lib/cart.ts']
      expect(await deliverEvent({ how: 'opened' })).toBe('paths_unchanged')
      expect(await waiting()).toEqual(['None of its changed files matches apps/shop/**'])
      outside.files = ['lib/cart.ts', 'apps/shop/cart.ts']
      expect(await deliverEvent({ how: 'updated', sha: commit('b'), at: 1 })).toBe(null)
      expect(await names()).toEqual(['pr-7'])
      // Of more than 3,000 files there is no list.
      outside.files = undefined
      expect(await deliverEvent({ how: 'updated', sha: commit('d'), at: 2 })).toBe(null)
      // Bitbucket Cloud shortens commits.
      expect((await stateOf(app.ctx, project.id)).tasks.at(-1)).toMatch(/^pr-7 deploy queued d?$/)
    })

    test('/preview of a stranger is ignored, that of a member counts', async () => {
      const sealed = app.ctx.box.seal('token', projectContext(project.hook_id, 'host_token_sealed'))
      await app.ctx.db.updateTable('projects').set({ host_token_sealed: sealed }).where('id', '=', project.id).execute()
      await rule({ enabled: false, comments: true })
      outside.access = { eve: 'none', ada: 'write' }
      expect(await deliverEvent({ how: 'opened' })).toBe('pull_requests_off')
      expect(await send(host.comment('/preview', 'eve'))).toBe('no_write_access')
      expect(await names()).toEqual([])
      expect(await send(host.comment('/preview', 'ada'))).toBe(null)
      expect(await names()).toEqual(['pr-7'])
      expect(await send(host.comment('/preview stop', 'eve'))).toBe('no_write_access')
      expect(await send(host.comment('/preview stop', 'ada'))).toBe('stopped_by_comment')
      expect(await names()).toEqual([])
    })

    test('one that is closed while it waits leaves the list', async () => {
      await rule({ drafts: false })
      await deliverEvent({ how: 'opened', isDraft: true })
      expect(await deliverEvent({ how: 'closed', isDraft: true, at: 1 })).toBe(null)
      expect(await waiting()).toEqual([])
    })
  })
})
