import type { Environment, Me, Project, Role, Task } from '@shipway/api'
import { describe, expect, test } from 'vitest'
import { whyNotAbandon, whyNotChange, whyNotDelete, whyNotStart } from './environment-reasons.ts'

const maren = { id: 1, name: 'Maren Okafor' }
const jonas = { id: 2, name: 'Jonas Lindqvist' }

type Case = {
  readonly role?: Role
  readonly me?: typeof maren
  readonly environment?: Partial<Environment>
  readonly project?: Partial<Project>
  readonly isAdministrator?: boolean
}

/** Only what the rules look at. */
const contextOf = ({ role = 'member', me = jonas, environment, project, isAdministrator = false }: Case) => ({
  me: {
    ...me,
    is_platform_admin: isAdministrator,
    organizations: [{ id: 7, name: 'Tidewater', role }],
  } as unknown as Me,
  organizationId: 7,
  environment: { status: 'running', locked: false, protected: false, owner: maren, ...environment } as Environment,
  project: { status: 'active', owner: maren, ...project } as Project,
})
const failedRemoval = { kind: 'remove', status: 'failed' } as Task

describe('deploying and deleting', () => {
  test.each<[string, Case, RegExp | undefined]>([
    ['a member', {}, undefined],
    ['a viewer', { role: 'viewer' }, /^Viewers have read-only access/],
    [
      'while a task is queued or running',
      { environment: { locked: true } },
      /^A deployment of this environment is queued or running$/,
    ],
    ['while it is removed', { environment: { status: 'removing', locked: true } }, /is being removed/],
    [
      'a user who does not own a protected environment',
      { role: 'owner', environment: { protected: true } },
      /Only Maren Okafor/,
    ],
    ['its owner, where it is protected', { me: maren, environment: { protected: true } }, undefined],
    ['while the project is deleted', { project: { status: 'deleting' } }, /project is being deleted/],
  ])('%s', (_, given, sentence) => {
    for (const lock of [whyNotStart(contextOf(given)), whyNotDelete(contextOf(given), undefined)]) {
      if (sentence === undefined) expect(lock).toBeUndefined()
      else expect(lock).toMatch(sentence)
    }
  })

  test('a failed removal can be abandoned while the project is being deleted', () => {
    expect(whyNotDelete(contextOf({ project: { status: 'deleting' } }), failedRemoval)).toBeUndefined()
  })
})

test('settings can be changed while a deployment runs', () => {
  expect(whyNotChange(contextOf({ environment: { locked: true } }))).toBeUndefined()
})

describe('abandoning a server', () => {
  test.each<[string, Case, boolean]>([
    ['an administrator of the organization', { role: 'admin' }, false],
    ['an owner of the organization', { role: 'owner' }, true],
    ['the owner of the project', { me: maren }, true],
    ['the owner of the project who became a viewer', { me: maren, role: 'viewer' }, false],
    ['a platform administrator', { isAdministrator: true }, true],
  ])('%s', (_, given, mayDo) => {
    expect(whyNotAbandon(contextOf(given)) === undefined).toBe(mayDo)
  })
})
