// Deliveries as forms: GitHub signs the form, Gitea the JSON in it, and what was signed is what is read.
import { beforeAll, describe, expect, test } from 'vitest'
import { databases } from '../../../test/databases.ts'
import { buildHookedProject, type HookedProject, hmac, pullRequest, stateOf } from '../../../test/git-host-events.ts'
import { stageApp } from '../../../test/stage/stage-app.ts'

const json = JSON.stringify(pullRequest('opened', { title: 'Plus + and & = % “é”', sha: 'a'.repeat(40) }))
const form = new URLSearchParams({ payload: json }).toString()
const evil = JSON.stringify(pullRequest('opened', { number: 66 }))

describe.each(databases)('forms on $name', (source) => {
  const app = stageApp(source)
  let gitea: HookedProject
  let github: HookedProject

  beforeAll(async () => {
    gitea = await buildHookedProject(app.ctx, { repository_host: 'gitea' })
    github = await buildHookedProject(app.ctx)
  })

  /** As Gitea, Forgejo and Gogs send it: with the headers of all that came before them. */
  const sendAsGitea = (project: HookedProject, body: string, hex: string, type = 'application/x-www-form-urlencoded') =>
    app.call('POST', `/api/webhooks/${project.hook_id}`, {
      body,
      headers: {
        'content-type': type,
        'x-gitea-event': 'pull_request',
        'x-gitea-signature': hex,
        'x-gogs-event': 'pull_request',
        'x-gogs-signature': hex,
        'x-hub-signature-256': `sha256=${hex}`,
        'x-github-event': 'pull_request',
      },
    })

  test('Gitea’s is taken by the signature of the JSON', async () => {
    const answer = await sendAsGitea(gitea, form, hmac(json))
    expect([answer.status, answer.body]).toEqual([200, { verdict: 'accepted', reason: null }])
    const { rows } = await stateOf(app.ctx, gitea.id)
    expect(rows.environments.map((row) => row.pull_request_title)).toEqual(['Plus + and & = % “é”'])
  })

  test.each([
    ['by another secret', form, hmac(json, 'wrong')],
    ['of another body', new URLSearchParams({ payload: evil }).toString(), hmac(json)],
    ['with a second field', `${form}&payload=${encodeURIComponent(evil)}`, hmac(json)],
    ['with a second field before it', `payload=${encodeURIComponent(evil)}&${form}`, hmac(json)],
    ['without a field', 'x=1', hmac('')],
    ['of nothing', '', hmac(json)],
  ])('a form %s is refused', async (_, body, hex) => {
    expect((await sendAsGitea(gitea, body, hex)).status).toBe(401)
  })

  test('GitHub signs the form, and nothing less is enough for it', async () => {
    expect((await sendAsGitea(github, form, hmac(json))).status).toBe(401)
    expect((await sendAsGitea(github, form, hmac(form))).body).toEqual({ verdict: 'accepted', reason: null })
  })

  test('JSON with an injected field is no form', async () => {
    const body = JSON.stringify(pullRequest('opened', { number: 9, title: `x&payload=${encodeURIComponent(evil)}&y=` }))
    for (const project of [gitea, github]) {
      const answer = await sendAsGitea(project, body, hmac(body))
      expect(answer.body).toEqual({ verdict: 'ignored', reason: 'malformed_body' })
      expect((await stateOf(app.ctx, project.id)).environments).not.toContain('pr-66')
    }
  })
})
