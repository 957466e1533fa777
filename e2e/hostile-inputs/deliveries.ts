// Deliveries of a git host: with a wrong signature, with a right one and hostile contents, from forks, and repeated.
import { createHmac, randomUUID } from 'node:crypto'
import { pullRequestWas, pushTo } from '../webhooks/deliveries.ts'
import { type Guarded, type Reply, signatureOf } from './guarded.ts'
import { must } from './must.ts'
import { numbered, scenarios, table } from './table.ts'
import type { World } from './world.ts'

const SHA = 'a'.repeat(40)

/** As they stand in the JSON. */
const numbers = numbered(
  'pr-number',
  [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 13, 14, 16],
  [
    ...['"1;id"', '"1.evil.example"', '"../1"', '-1', '0', '1.5', '1e+21', '9007199254740992', '"０１"', '"1\\n2"'],
    ...['[]', '{}', 'true', '"00001"'],
  ],
)

/** What differs in a pull request of the project's own. */
type Fork = { readonly head?: unknown; readonly base?: unknown; readonly more?: object }

const forks = numbered<Fork>(
  'fork-detect',
  [1, 2, 3, 4, 6],
  [
    { head: null },
    { head: { id: 2 }, more: { author_association: 'CONTRIBUTOR' } },
    { head: { id: 2 }, more: { author_association: 'OWNER' } },
    { head: { id: 2, fork: false } },
    { head: { id: '1' } },
  ],
)

type Signing = (body: string, secret: string) => string | null

const signatures = numbered<Signing>(
  'webhook-sig',
  [3, 5, 7, 8, 11, 13, 15, 18, 19],
  [
    () => 'sha256=',
    () => `sha256=${'0'.repeat(64)}`,
    (body, secret) => `sha1=${createHmac('sha1', secret).update(body).digest('hex')}`,
    (body, secret) => signatureOf(body, secret).replace('sha256', 'SHA256'),
    (body) => signatureOf(body, ''),
    (body) => signatureOf(body, 'undefined'),
    (body, secret) => signatureOf(JSON.stringify(JSON.parse(body), null, 1), secret),
    (body, secret) => `sha256=${signatureOf(body, secret).slice(7).toUpperCase()}`,
    () => `sha256=${'\u00e9'.repeat(33)}`,
  ],
)

const tokens = numbered<(secret: string) => string | null>(
  'webhook-sig',
  [20, 22, 23, 26],
  [() => '', () => null, (secret) => secret.slice(0, -1), (secret) => secret.toUpperCase()],
)

const bodies = numbered(
  'webhook-body',
  [2, 4, 5, 6, 8, 10, 11, 14, 15, 16, 17],
  [
    ...['null', '"x"', '{', '{"ref":1}', '{"refUpdates":[]}', '{"pull_request":null,"action":"opened"}'],
    ...['{"action":"opened","number":1}', '['.repeat(100_000), ' '.repeat(30_000_000), '\uFEFF{}', '{"ref":"\\ud800"}'],
  ],
)

export const deliveryTables = [
  ...table({
    surface: 'numbers of pull requests',
    rows: numbers,
    holds: async (world: World, number: string) => {
      const guarded = await world.guarded()
      const before = await guarded.records()
      const opened = { ...pullRequestWas('opened', { number: 1, branch: 'feature', sha: SHA }), number: 'the number' }
      const numbered = { ...opened, pull_request: { ...opened.pull_request, number: 'the number' } }
      const text = JSON.stringify(numbered).replaceAll('"the number"', number)
      const sent = await guarded.settle(text, { event: 'pull_request' })
      must(sent.verdict === 'ignored' && sent.reason === 'invalid_number', sent)
      must((await guarded.records()) === before, 'a change')
    },
  }),
  ...table({
    surface: 'pull requests of forks',
    rows: forks,
    holds: async (world: World, fork: Fork) => mustAwaitApproval(await world.guarded(), fork),
  }),
  ...scenarios('pull requests of forks', {
    'fork-detect-005': async (world) => {
      // The same id is the project's own, however its name is written.
      const guarded = await world.guarded()
      const number = guarded.next()
      const opened = forkOf({ head: { id: 1, full_name: 'Org/Repo' }, base: { id: 1, full_name: 'org/repo' } }, number)
      const sent = await guarded.settle(opened, { event: 'pull_request' })
      must(sent.verdict === 'accepted' && sent.reason === null, sent)
      must((await environmentOf(guarded, number)).pull_request.is_fork === false, 'a fork')
    },
    'fork-detect-009': async (world) => {
      const guarded = await world.guarded()
      const { id, opened } = await openFork(guarded, { head: { id: 2 } })
      const edited = { action: 'edited', changes: { base: { ref: { from: 'develop' } } } }
      await guarded.settle(
        { ...opened, ...edited, pull_request: later(opened.pull_request) },
        { event: 'pull_request' },
      )
      await mustStillWait(guarded, id)
    },
    'fork-detect-010': async (world) => {
      const guarded = await world.guarded()
      const { id, opened } = await openFork(guarded, { head: { id: 2 } })
      const again = { action: 'reopened', sender: { login: 'another-user' } }
      await guarded.settle({ ...opened, ...again, pull_request: later(opened.pull_request) }, { event: 'pull_request' })
      await mustStillWait(guarded, id)
    },
  }),
  ...table({
    surface: 'signatures of deliveries',
    rows: signatures,
    holds: async (world: World, sign: Signing) => {
      const guarded = await world.guarded()
      const body = JSON.stringify(pushTo('main', { after: SHA }))
      await mustBeUnknown(guarded, (path) =>
        guarded.deliver(body, { signature: sign(body, guarded.project.secret), path, headers: SAME }),
      )
    },
  }),
  ...table({
    surface: 'tokens of deliveries',
    rows: tokens,
    holds: async (world: World, tokenOf: (secret: string) => string | null) => {
      const guarded = await world.guarded()
      const token = tokenOf(guarded.project.secret)
      const payload = { object_kind: 'push', ref: 'refs/heads/main', after: SHA, project: { id: 1 } }
      await mustBeUnknown(guarded, (path) =>
        guarded.call('POST', path, {
          as: null,
          body: payload,
          headers: { 'x-gitlab-event': 'Push Hook', ...SAME, ...(token !== null && { 'x-gitlab-token': token }) },
        }),
      )
    },
  }),
  ...table({
    surface: 'bodies of deliveries',
    rows: bodies,
    holds: async (world: World, body: string) => {
      const guarded = await world.guarded()
      const before = await guarded.records()
      for (const event of ['push', 'pull_request'] as const) {
        const { status, body: answer } = await answerOf(guarded.deliver(body, { event }))
        must([400, 413].includes(status) || (status === 200 && answer.verdict === 'ignored'), { status, answer })
      }
      must((await guarded.records()) === before, 'a change')
    },
  }),
  ...scenarios('secrets of deliveries', {
    'webhook-legacy-001': async (world) => {
      const { call, client, serverId } = await world.guarded()
      const made = await client.createProject({
        body: {
          name: 'Older',
          repo_url: 'https://git.example.com/acme/older.git',
          domain: 'older.example.com',
          server_ids: [serverId],
        },
      })
      const send = async (secret: string) => {
        const body = JSON.stringify({ ...pushTo('nowhere', { after: SHA }), id: randomUUID() })
        const headers = { 'x-github-event': 'push', 'x-github-delivery': randomUUID() }
        const signed = { ...headers, 'x-hub-signature-256': signatureOf(body, secret) }
        return (await call('POST', new URL(made.webhook.url).pathname, { as: null, body, headers: signed })).status
      }
      must((await send(made.webhook.secret)) === 200, 'a refusal of the first secret')
      const { secret } = await client.regenerateWebhookSecret({ params: { id: made.id } })
      must((await send(secret)) === 200, 'a refusal of the new secret')
      must((await send(made.webhook.secret)) === 401, 'the earlier secret, after the new one was used')
    },
  }),
  ...scenarios('repeated deliveries', {
    'webhook-replay-001': async (world) => {
      const guarded = await world.guarded()
      const { id: environment, opened } = await openFork(guarded, { head: { id: 2 } }, 'the-same-id')
      const again = await guarded.settle(opened, { event: 'pull_request', id: 'the-same-id' })
      must(again.verdict === 'duplicate', again)
      await mustStillWait(guarded, environment)
    },
    'webhook-replay-004': async (world) => {
      const guarded = await world.guarded()
      const number = guarded.next()
      const opened = forkOf({ head: { id: 2 } }, number)
      const first = await guarded.deliver(opened, { event: 'pull_request', id: null })
      const again = await guarded.deliver(opened, { event: 'pull_request', id: null })
      must(first.status === 200 && again.body.verdict === 'duplicate', [first.body, again.body])
    },
  }),
]

/** So that nothing else of two answers may differ. */
const SAME = { 'x-request-id': 'the-same-id', accept: 'application/json' } as const

/** It is refused word for word as a hook that does not exist. */
async function mustBeUnknown({ project }: Guarded, send: (path: string) => Promise<Reply>): Promise<void> {
  const refused = await send(project.hookPath)
  const unknown = await send(project.hookPath.replace(/[^/]+$/, 'nobody-has-this-one'))
  must(refused.status === 401, { status: refused.status, text: refused.text })
  must(refused.text === unknown.text, [refused.text, unknown.text])
  const shown = ({ headers }: Reply) => JSON.stringify({ ...headers, date: '' })
  must(shown(refused) === shown(unknown), [refused.headers, unknown.headers])
}

function forkOf({ head, base, more }: Fork, number: number) {
  const opened = pullRequestWas('opened', { number, branch: 'feature', sha: SHA })
  const { pull_request: pullRequest } = opened
  return {
    ...opened,
    pull_request: {
      ...pullRequest,
      ...more,
      head: { ...pullRequest.head, repo: head },
      ...(base !== undefined && { base: { ...pullRequest.base, repo: base } }),
    },
  }
}

/** The same a second later. */
const later = <Request extends { readonly updated_at: string }>(pullRequest: Request): Request => ({
  ...pullRequest,
  updated_at: new Date(Date.parse(pullRequest.updated_at) + 1000).toISOString(),
})

async function openFork(guarded: Guarded, fork: Fork, id: string = randomUUID()) {
  const number = guarded.next()
  const opened = forkOf(fork, number)
  const sent = await guarded.settle(opened, { event: 'pull_request', id })
  must(sent.verdict === 'accepted' && sent.reason === 'awaiting_approval', sent)
  const environment = await environmentOf(guarded, number)
  return { id: Number(environment.id), opened }
}

async function environmentOf({ call, project }: Guarded, number: number) {
  const { body } = await call('GET', `/api/projects/${project.id}/environments?limit=200`)
  const environment = body.find(({ name }: { name: string }) => name === `pr-${number}`)
  must(environment !== undefined, 'no environment')
  return environment
}

async function mustAwaitApproval(guarded: Guarded, fork: Fork): Promise<void> {
  const { id } = await openFork(guarded, fork)
  await mustStillWait(guarded, id)
}

async function mustStillWait({ call }: Guarded, id: number): Promise<void> {
  const { body } = await call('GET', `/api/environments/${id}`)
  must(body.status === 'awaiting_approval' && body.pull_request.is_fork === true, body)
  const tasks = await call('GET', `/api/environments/${id}/tasks`)
  must(tasks.body.length === 0, tasks.body)
}

/** The platform may answer before all of a body that is too large was sent, and close the connection. */
async function answerOf(sent: Promise<Reply>): Promise<Pick<Reply, 'status' | 'body'>> {
  return sent.catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE' || error.code === 'ECONNRESET') return { status: 413, body: undefined }
    throw error
  })
}
