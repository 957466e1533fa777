import { expect, test } from 'vitest'
import { keptByProtection, statusOf, type TaskFacts, urlOf } from './environment.ts'

const none: TaskFacts = {
  running: null,
  queued: null,
  last: null,
  lastDeployment: null,
  live: null,
  lastOutcome: null,
  lastEndedId: null,
  variablesVersion: null,
}
const running = (kind: 'deploy' | 'remove' | 'reset' | 'action') =>
  ({ running: { id: 1, status: 'running', kind } }) as const
const queued = (kind: 'deploy' | 'remove' | 'reset') => ({ queued: { id: 2, status: 'queued', kind } }) as const
const live = { live: { id: 1, commitSha: null, finishedAt: 1 } }

test.each([
  ['new', {}, false],
  ['deploying', queued('deploy'), false],
  ['deploying', running('reset'), false],
  ['deploying', { ...running('deploy'), ...live, lastOutcome: 'failed' }, false],
  ['removing', running('remove'), false],
  ['removing', { ...running('deploy'), ...queued('remove') }, false],
  ['removing', queued('remove'), true],
  ['awaiting_approval', {}, true],
  ['running', { ...live, lastOutcome: 'succeeded' }, false],
  ['running', { ...live, ...running('action'), lastOutcome: 'succeeded' }, false],
  ['running', { ...live, lastOutcome: 'canceled' }, false],
  ['failed', { ...live, lastOutcome: 'failed' }, false],
  ['failed', { lastOutcome: 'failed' }, false],
  ['failed', { lastOutcome: 'succeeded' }, false],
  ['new', { lastOutcome: 'canceled' }, false],
] as const)('it is %s with %j, awaiting approval: %s', (status, facts, awaitsApproval) => {
  expect(statusOf({ awaitsApproval, tasks: { ...none, ...facts }, isDegraded: false })).toBe(status)
})

test.each([
  ['degraded', { ...live, lastOutcome: 'succeeded' }],
  ['degraded', { ...live, lastOutcome: 'canceled' }],
  ['deploying', { ...live, ...running('deploy'), lastOutcome: 'succeeded' }],
  ['failed', { ...live, lastOutcome: 'failed' }],
  ['removing', { ...live, ...running('remove') }],
] as const)('where a service does not answer it is %s with %j', (status, facts) => {
  expect(statusOf({ awaitsApproval: false, tasks: { ...none, ...facts }, isDegraded: true })).toBe(status)
})

test.each([
  ['off', 'haproxy', 'http://localhost:7878', 'http://a.test'],
  ['off', 'embedded', 'http://localhost:7878', 'http://a.test:7878'],
  ['off', 'embedded', 'http://ship.test', 'http://a.test'],
  ['off', 'embedded', 'https://ship.test', 'http://a.test'],
  ['automatic', 'embedded', 'https://ship.test', 'https://a.test'],
  ['automatic', 'embedded', 'http://localhost:7878', 'http://a.test:7878'],
  ['certificate', 'haproxy', 'http://localhost:7878', 'https://a.test'],
] as const)('with tls %s on the edge %s of %s it answers at %s', (tls, edge, baseUrl, url) => {
  expect(urlOf('a.test', { tls, edge, baseUrl })).toBe(url)
})

test.each([
  [{}, []],
  [{ title: 'T', server_id: 1, domain: 'a.test' }, []],
  [{ title: 'New' }, ['title']],
  [{ server_id: 2, domain: 'b.test', title: 'T' }, ['server', 'domain']],
])('protection keeps of %j: %j', (changes, kept) => {
  expect(keptByProtection({ title: 'T', server: { id: 1 }, domain: 'a.test' }, changes)).toEqual(kept)
})
