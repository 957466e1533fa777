// A GitHub of the tests beside the application, and an organization whose owner connects an App there.
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import { buildOrganization, buildUser, type TestUser } from '../factories.ts'
import { type GitHub, startGitHub } from '../github/github.ts'
import type { GitHubApp, Installation } from '../github/records.ts'
import { installApp, registerApp } from '../github/visitor.ts'
import type { TestAnswer, TestApp } from '../test-app.ts'

export type ConnectedApp = {
  readonly id: number
  readonly hookId: string
  readonly atGitHub: GitHubApp
  readonly installation: Installation
}

type Caller = { readonly as?: TestUser; readonly headers?: Record<string, string> }

/** For each test an organization of its own. */
export function stageGitHubApp(app: TestApp) {
  const staged: { github: GitHub; owner: TestUser; organizationId: number } = Object.create(null)
  beforeAll(async () => {
    staged.github = await startGitHub({ clock: () => app.ctx.clock() })
  })
  afterAll(() => staged.github.stop())
  beforeEach(async () => {
    staged.github.before = undefined
    staged.owner = await buildUser(app.ctx)
    staged.organizationId = (await buildOrganization(app.ctx, [{ user: staged.owner, role: 'owner' }])).id
  })

  const call = (
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    path: string,
    body?: object,
    { as = staged.owner, headers }: Caller = {},
  ): Promise<TestAnswer> =>
    app.call(method, `/api/${path}`, { ...(headers ? { headers } : { as }), ...(body && { body }) })

  const create = async (): Promise<number> => {
    const body = { type: 'github_app', name: 'GitHub', base_url: staged.github.plainBase }
    const answer = await call('POST', `organizations/${staged.organizationId}/connections`, body)
    expect(answer.status, answer.text).toBe(201)
    return answer.body.id
  }
  const start = async (id: number, caller?: Caller): Promise<{ step: string; url: string; manifest: string }> => {
    const answer = await call('POST', `connections/${id}/github-app`, { account: 'acme' }, caller)
    expect(answer.status, answer.text).toBe(200)
    return answer.body
  }
  /** Up to the installation; `url` leads there. */
  const createApp = async (id: number) => {
    const { url, manifest } = await start(id)
    const { code, state } = await registerApp(url, manifest)
    const answer = await call('POST', `connections/${id}/github-app/code`, { code, state })
    expect(answer.status, answer.text).toBe(200)
    return answer.body as { step: string; url: string }
  }
  const connect = async (): Promise<ConnectedApp> => {
    const id = await create()
    const { url } = await createApp(id)
    const { installation_id, state } = await installApp(url)
    const body = { installation_id: Number(installation_id), state }
    const answer = await call('POST', `connections/${id}/github-app/installation`, body)
    expect(answer.status, answer.text).toBe(200)
    const installation = staged.github.records.installations.get(Number(installation_id))
    const atGitHub = staged.github.records.apps.get(answer.body.app.id)
    if (!installation || !atGitHub) throw new Error('GitHub does not know the App')
    const row = await app.ctx.db
      .selectFrom('connections')
      .where('id', '=', id)
      .select('hook_id')
      .executeTakeFirstOrThrow()
    return { id, hookId: row.hook_id ?? '', atGitHub, installation }
  }
  return {
    get github() {
      return staged.github
    },
    get owner() {
      return staged.owner
    },
    get organizationId() {
      return staged.organizationId
    },
    call,
    create,
    start,
    createApp,
    connect,
    connectionOf: async (id: number) => (await call('GET', `connections/${id}`)).body,
    /** As GitHub delivers to the App's webhook. */
    deliver: ({ hookId, atGitHub }: ConnectedApp, event: string, payload: object): Promise<TestAnswer> => {
      const { headers, body } = staged.github.sign(atGitHub, event, payload)
      return app.call('POST', `/api/webhooks/${hookId}`, { body, headers })
    },
  }
}
