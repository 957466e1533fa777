// What check runs and comments say, whatever the names and outputs in them are.
import { expect, test } from 'vitest'
import { checkRunOfApproval, checkRunOfTask } from './check-run.ts'
import { commentOf, type FeedbackEnvironment, type FeedbackTask } from './feedback.ts'
import { blockOf } from './inert-text.ts'

const environment: FeedbackEnvironment & { readonly id: number } = {
  id: 3,
  name: 'pr-7',
  url: 'https://pr-7.example.com',
  page: 'https://ship.example.com/environments/3',
  services: [],
  awaitsApproval: false,
  checkWait: null,
  expiresAt: null,
}
const task: FeedbackTask & { readonly id: number } = {
  id: 9,
  kind: 'deploy',
  status: 'succeeded',
  reason: null,
  commitSha: 'a'.repeat(40),
  url: 'https://ship.example.com/environments/3/tasks/9',
  durationMs: 72_000,
  failedStep: null,
}
const failed = {
  ...task,
  status: 'failed',
  failedStep: { phase: 'Build', name: 'Build images', message: 'npm ERR! `x`' },
} as const
const sha = 'a'.repeat(40)
const outputOf = (text: string) => ({ text, firstLine: 1, lastLine: 2, totalLines: 2, isTruncated: false })
const runOf = (of: Partial<Parameters<typeof checkRunOfTask>[0]>) =>
  checkRunOfTask({ environment, sha, task, output: undefined, annotations: [], ...of })

test.each([
  ['queued', 'queued', 'Waiting to deploy aaaaaaaaaaaa', []],
  ['running', 'in_progress', 'Deploying aaaaaaaaaaaa', []],
  ['succeeded', 'success', 'Deployed aaaaaaaaaaaa in 1 min 12 s', ['redeploy']],
  ['failed', 'failure', 'Failed at Build images after 1 min 12 s', ['redeploy']],
  ['canceled', 'cancelled', 'Canceled', ['redeploy']],
] as const)('a task that is %s is %s', (status, state, title, buttons) => {
  const run = runOf({ task: { ...failed, status } })
  expect([run.state, run.title, run.buttons.map(({ action }) => action)]).toEqual([state, title, buttons])
})

test('an environment that expires can be extended, and a fork approved', () => {
  const expiring = { ...environment, expiresAt: 1 }
  expect(runOf({ environment: expiring }).buttons.map(({ action }) => action)).toEqual(['redeploy', 'extend'])
  expect(checkRunOfApproval(environment, sha)).toMatchObject({
    state: 'action_required',
    buttons: [{ action: 'approve' }],
  })
})

test('the labels of buttons are as short as GitHub wants them', () => {
  const buttons = [...runOf({ environment: { ...environment, expiresAt: 1 } }).buttons]
  for (const { label, description } of [...buttons, ...checkRunOfApproval(environment, sha).buttons])
    expect([label.length <= 20, description.length <= 40]).toEqual([true, true])
})

test('the summary of a failure has the step and its last lines in a block that nothing ends', () => {
  const output = 'one\n```\n# Heading @acme/all <img src=x>\n`````\n[link](https://evil.example)\n'
  const { summary } = runOf({ task: failed, output: outputOf(output) })
  expect(summary).toContain("Failed step: `Build: Build images` `npm ERR! 'x'`")
  const [, fence = ''] = /\n(`{3,})text\n/.exec(summary) ?? []
  expect(fence).toBe('``````')
  expect(summary.split('\n').filter((line) => line.startsWith(fence))).toEqual([`${fence}text`, fence])
  expect(summary.endsWith(fence)).toBe(true)
})

test.each([
  ['lines', 'x'.repeat(99).concat('\n').repeat(2_000)],
  ['backticks', '`'.repeat(60_000)],
  ['emoji', '😀'.repeat(25_000)],
  ['long lines', `${'y'.repeat(64_000)}\nlast`],
])('a summary of many %s is within the limit of GitHub', (_, text) => {
  const services = Array.from({ length: 500 }, (__, index) => ({
    name: `s${index}`,
    url: `https://${'d'.repeat(250)}`,
  }))
  const { summary } = runOf({ task: failed, output: outputOf(text), environment: { ...environment, services } })
  expect(Buffer.byteLength(summary)).toBeLessThan(65_535)
})

test('nothing invisible is in a block', () => {
  expect(blockOf('a\u001b[31mb\u202e\u0000c')).toBe('```text\nabc\n```')
})

const commentOfTask = (of: Partial<Parameters<typeof commentOf>[0]>) =>
  commentOf({
    project: { name: 'bookshop' },
    hasCheckRun: true,
    state: 'open',
    waiting: undefined,
    refusal: null,
    environment,
    removal: null,
    task,
    ...of,
  })

test('comment and check say alike who may approve a commit of a fork', () => {
  const forked = { ...environment, awaitsApproval: true }
  const shared = 'an administrator or the owner of the project approves it in Shipway'
  expect(commentOfTask({ environment: forked })).toContain(
    `is deployed when ${shared}, or a user with write access to the repository in its check`,
  )
  const withoutApp = commentOfTask({ environment: forked, hasCheckRun: false })
  expect([withoutApp.includes(shared), withoutApp.includes('write access')]).toEqual([true, false])
  expect(checkRunOfApproval(forked, 'a'.repeat(40)).summary).toBe(
    `This commit comes from a fork. It is deployed when a user with write access to the repository approves it here, or ${shared}.`,
  )
})

test('the comment has every address, the duration and the way to the logs', () => {
  const services = [
    { name: 'web', url: 'https://pr-7.example.com' },
    { name: 'api', url: 'https://api-pr-7.example.com' },
  ]
  expect(commentOfTask({ environment: { ...environment, services } })).toBe(
    [
      '**Environment `pr-7`**: deployed aaaaaaaaaaaa in 1 min 12 s',
      '| Service | Address |\n|---|---|\n| `web` | https://pr-7.example.com |\n| `api` | https://api-pr-7.example.com |',
      'Output: https://ship.example.com/environments/3/tasks/9',
      'Logs: `shipway logs -p bookshop -e pr-7` or https://ship.example.com/environments/3',
    ].join('\n\n'),
  )
})

test.each(['a|b', 'a`b', 'a\\|b', 'a\nb', '<b>', '@acme/all', '[x](y)'])(
  'a service that is called %j stays in its cell',
  (name) => {
    const text = commentOfTask({ environment: { ...environment, services: [{ name, url: 'https://x.example.com' }] } })
    const row = text.split('\n').find((line) => line.includes('x.example.com')) ?? ''
    // Bars that are not escaped, outside of the code: the borders of two cells.
    expect(row.match(/(?<!\\)\|/g)?.length).toBe(3)
    expect(row.match(/`/g)?.length).toBe(2)
  },
)

test('a project with odd characters in its name is quoted', () => {
  const text = commentOfTask({ project: { name: "Ada's `shop`\n/close" } })
  expect(text).toContain("`shipway logs -p 'Ada'\\''s 'shop' /close' -e pr-7`")
  expect(text.split('\n').some((line) => line.startsWith('/'))).toBe(false)
})
