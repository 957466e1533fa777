import { expect, test } from 'vitest'
import { lastOf, whyNotRun } from './environment-reasons.ts'

const me = {
  id: 1,
  name: 'Ada',
  email: 'a@example.com',
  is_platform_admin: false,
  organizations: [{ id: 5, name: 'Acme', role: 'member' as const }],
  needs_two_factor: null,
  token: null,
}
const environment = {
  status: 'running',
  live: { task_id: 1 },
  locked: true,
  protected: false,
  owner: { id: 2, name: 'Bo' },
}
const action = { name: 'dump', disabled_reason: null }

type Changes = {
  readonly environment?: object
  readonly action?: object
  readonly role?: 'viewer'
  readonly runs?: object[]
  readonly project?: object
}
const reasonFor = (changes: Changes = {}) => {
  const organizations = [{ ...me.organizations[0], ...(changes.role && { role: changes.role }) }]
  const context = {
    me: { ...me, organizations },
    organizationId: 5,
    environment: { ...environment, ...changes.environment },
    project: changes.project,
  }
  return Reflect.apply(whyNotRun, undefined, [context, { ...action, ...changes.action }, changes.runs ?? []])
}

test('an action can run during a deployment and beside other actions', () => {
  expect(reasonFor()).toBeUndefined()
  expect(
    reasonFor({
      runs: [
        { action: 'seed', status: 'running' },
        { action: 'dump', status: 'failed' },
      ],
    }),
  ).toBeUndefined()
})

test.each([
  [{ environment: { status: 'removing' } }, 'The environment is being removed'],
  [{ project: { status: 'deleting' } }, 'The project is being deleted'],
  [{ environment: { status: 'awaiting_approval' } }, 'The commit is awaiting approval'],
  [{ action: { disabled_reason: 'old' } }, 'This action must be migrated first'],
  [{ environment: { live: null } }, 'Nothing is deployed yet. Deploy first'],
  [{ runs: [{ action: 'dump', status: 'queued' }] }, 'This action is already queued or running'],
  [{ role: 'viewer' as const }, 'Viewers have read-only access. Members can do this'],
  [{ environment: { protected: true } }, 'This environment is protected. Only Bo can deploy, change or delete it'],
])('%j disables it, with the reason', (changes, reason) => expect(reasonFor(changes)).toBe(reason))

test('the last task is never an action', () => {
  const tasks = [
    { id: 3, kind: 'action' },
    { id: 2, kind: 'remove' },
  ]
  expect(Reflect.apply(lastOf, undefined, [tasks])).toEqual({ id: 2, kind: 'remove' })
})
