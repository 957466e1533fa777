// Genuine deliveries of every git host with hostile contents: accepted as they are, or ignored, and never an error of ours.
import { describe, expect, test } from 'vitest'
import { databases } from '../../../test/databases.ts'
import { buildEnvironment } from '../../../test/factories.ts'
import { deliverAs, dialects } from '../../../test/git-host-dialects.ts'
import { buildHookedProject, commit, NONE, SECRET, stateOf } from '../../../test/git-host-events.ts'
import { hostileBranches, literalBranches } from '../../../test/hostile-branches.ts'
import { builtBeforeAll } from '../../../test/stage/built-before.ts'
import { byTurns } from '../../../test/stage/by-turns.ts'
import { stageApp } from '../../../test/stage/stage-app.ts'

const takenBranches = [...literalBranches, 'constructor', '__proto__']

const refusedBranches = [...hostileBranches, 'HEAD', 'main\u009b2J', 'main\ud800', 'x'.repeat(256)]

const refusedCommits = [
  'HEAD$(id)',
  '--upload-pack=x',
  'a'.repeat(39),
  'a'.repeat(41),
  `${'A'.repeat(40)};id`,
  'main',
  '',
  'a'.repeat(11),
  'a'.repeat(13),
  'A'.repeat(40),
  'a'.repeat(64),
  `${'a'.repeat(40)}\n`,
]

/** As they stand in the JSON. */
const refusedNumbers = [
  '"1;id"',
  '"1.evil.example"',
  '"../1"',
  '-1',
  '0',
  '1.5',
  '1e+21',
  '9007199254740993',
  '"０１"',
  '"1\\n2"',
  '[]',
  '{}',
  'true',
  '"00001"',
  '"1"',
  '[7]',
  'null',
  '2147483648',
  '-0',
]

const bodies = [
  ['null', 'incomplete_payload'],
  ['"x"', 'incomplete_payload'],
  ['{', 'malformed_body'],
  ['{"ref":1}', 'incomplete_payload'],
  ['{"refUpdates":[]}', 'incomplete_payload'],
  ['{"pull_request":null,"action":"opened"}', 'incomplete_payload'],
  ['{"action":"opened","number":1}', 'incomplete_payload'],
  ['['.repeat(100_000), 'malformed_body'],
  ['['.repeat(100_000) + ']'.repeat(100_000), 'incomplete_payload'],
  ['\uFEFF{}', 'incomplete_payload'],
  ['{"ref":"\\ud800"}', 'incomplete_payload'],
  ['', 'malformed_body'],
  [' ', 'malformed_body'],
  ['{}{}', 'malformed_body'],
  ['{"__proto__":{"ref":"refs/heads/main"}}', 'incomplete_payload'],
  ['{"constructor":{"prototype":{"action":"opened"}}}', 'incomplete_payload'],
  ['NaN', 'malformed_body'],
  ['{"a":1,}', 'malformed_body'],
] as const

describe.each(databases)('hostile deliveries on $name', (source) => {
  const app = stageApp(source)

  describe.each(dialects)('of $name', (dialect) => {
    const { repository_host } = dialect
    const overrides = { repository_host, environment_limit: 1000 }
    let project = builtBeforeAll(() => buildHookedProject(app.ctx, overrides))
    let number = 100
    // Each is sent on one of the databases, and on the other in the next dialect: both meet all of them.
    const inTurn = <Item>(items: readonly Item[]): Item[] => byTurns(source, items, dialects.indexOf(dialect))

    const deliverEvent = async (delivery: { event: string; payload: unknown }, headers = {}) => {
      const { status, body } = await deliverAs(dialect, { app, hookId: project.hook_id }, delivery, { headers })
      expect(status, JSON.stringify(body)).toBe(200)
      return body
    }
    const state = () => stateOf(app.ctx, project.id)
    /** Nothing of them is left: no environment, no task, no record of a branch or a pull request. */
    const expectIgnored = async (reason: string, ...all: { event: string; payload: unknown }[]) => {
      const before = await recordsOf(project.id)
      for (const delivery of all) expect(await deliverEvent(delivery)).toEqual({ verdict: 'ignored', reason })
      expect(await recordsOf(project.id)).toEqual(before)
    }
    const recordsOf = async (id: number) => {
      const { rows } = await state()
      const pushes = await app.ctx.db.selectFrom('pushes').where('project_id', '=', id).selectAll().execute()
      const pullRequests = await app.ctx.db
        .selectFrom('pull_requests')
        .where('project_id', '=', id)
        .selectAll()
        .execute()
      return { rows, pushes, pullRequests }
    }

    test.each(inTurn(refusedBranches))('the branch %j is no branch', async (branch) => {
      const pushed = dialect.push({ branch, sha: commit('a') })
      const [opened, targeted] = [dialect.pullRequest({ branch }), dialect.pullRequest({ target: branch })]
      await expectIgnored('invalid_ref', pushed, opened, targeted)
    })

    test.each(inTurn(refusedCommits))('the commit %j is no commit', async (sha) => {
      await expectIgnored('invalid_commit', dialect.push({ branch: 'main', sha }), dialect.pullRequest({ sha }))
    })

    test('no commit at all is the end of a branch, and no pull request', async () => {
      await buildEnvironment(app.ctx, project, { branch: 'gone', name: 'gone' })
      const { tasks } = await state()
      expect(await deliverEvent(dialect.push({ branch: 'gone', sha: NONE }))).toEqual({
        verdict: 'ignored',
        reason: 'branch_deleted',
      })
      expect((await state()).tasks).toEqual(tasks)
      await expectIgnored('invalid_commit', dialect.pullRequest({ sha: NONE }))
    })

    test.each(inTurn(refusedNumbers))('%s is no number of a pull request', async (text) => {
      const { event, payload } = dialect.pullRequest({ number: 'the number' })
      const body = JSON.stringify(payload).replace('"the number"', text)
      await expectIgnored('invalid_number', { event, payload: body })
    })

    test.each(inTurn(bodies))('the body %.40s is ignored', async (payload, reason) => {
      const events = [dialect.push({ branch: 'main', sha: commit('a') }), dialect.pullRequest({})]
      await expectIgnored(reason, ...events.map(({ event }) => ({ event, payload })))
    })

    test.each(inTurn(['', 'nothing', '__proto__', 'constructor', 'toString', 'pr:', 'pullrequest:', 'pr:constructor']))(
      'an event called %j is ignored',
      async (event) => {
        const delivery = { event, payload: { object_kind: event, action: event, object_attributes: { action: event } } }
        const { verdict } = await deliverEvent(delivery)
        expect(verdict).toBe('ignored')
      },
    )

    test('bytes that are no text are ignored', async () => {
      const { event, payload } = dialect.push({ branch: 'main?', sha: commit('a') })
      const bytes = Buffer.from(JSON.stringify(payload).replace('main?', 'main\u00ff'), 'latin1')
      const answer = await app.app.inject({
        method: 'POST',
        url: `/api/webhooks/${project.hook_id}`,
        headers: {
          host: 'ship.example.com',
          'content-type': 'application/json',
          ...dialect.headersOf(event, 'bytes'),
          [dialect.signatureHeader]: dialect.signatureOf(bytes, SECRET),
        },
        payload: bytes,
      })
      expect([answer.statusCode, answer.json()]).toEqual([200, { verdict: 'ignored', reason: 'malformed_body' }])
    })

    test('of two fields with one name the last one counts, as everywhere', async () => {
      const { event, payload } = dialect.push({ branch: 'first', sha: commit('a') })
      const { payload: second } = dialect.push({ branch: 'sec..ond', sha: commit('a') })
      const body = `{${JSON.stringify(payload).slice(1, -1)},${JSON.stringify(second).slice(1)}`
      await expectIgnored('invalid_ref', { event, payload: body })
    })

    test.each(inTurn(takenBranches))('the branch %j is taken as it is', async (branch) => {
      number += 1
      expect(await deliverEvent(dialect.pullRequest({ branch, number }))).toEqual({ verdict: 'accepted', reason: null })
      await buildEnvironment(app.ctx, project, { branch, name: `follows-${number}` })
      const pushed = await deliverEvent(dialect.push({ branch, sha: commit('c') }))
      expect(pushed).toEqual({ verdict: 'accepted', reason: null })
      const { rows, tasks } = await state()
      const { id } = rows.environments.find(({ name }) => name === `pr-${number}`) ?? { id: 0 }
      const shown = await app.call('GET', `/api/environments/${id}`, { as: project.owner })
      expect(shown.body).toMatchObject({ branch, domain: `pr-${number}.${project.domain}` })
      expect(tasks).toContain(`follows-${number} deploy queued c`)
    })

    test('once the repository is known, events of another one are ignored, and events that name none', async () => {
      const known = dialect.name === 'Bitbucket Cloud' ? '{1}' : '1'
      const own = { repository_host: dialect.repository_host, repository_external_id: known }
      project = await buildHookedProject(app.ctx, own)
      for (const repositoryId of [2, '1', '', null, {}]) {
        const pushed = dialect.push({ branch: 'main', sha: commit('a'), repositoryId })
        await expectIgnored('other_repository', pushed, dialect.pullRequest({ repositoryId }))
      }
      expect(await deliverEvent(dialect.pullRequest({}))).toEqual({ verdict: 'accepted', reason: null })
    })

    // The signature tells who sends the bytes; what they call them decides nothing.
    test.each(inTurn(['application/json; charset=utf-8', 'Application/JSON', 'text/plain', 'application/xml']))(
      'a body of the type %s is read',
      async (type) => {
        const delivery = dialect.push({ branch: 'no..branch', sha: commit('a') })
        expect(await deliverEvent(delivery, { 'content-type': type })).toEqual({
          verdict: 'ignored',
          reason: 'invalid_ref',
        })
      },
    )
  })
})
