// Users for a describe block about members, one for each role, and the organizations that they are in together.
import { ROLES, type Role } from '@shipway/api/people'
import { buildOrganization, buildUser, type TestUser } from '../factories.ts'
import type { TestApp } from '../test-app.ts'
import { builtBeforeAll } from './built-before.ts'

export function stageHouse(app: TestApp) {
  const users = new Map<Role, TestUser>(ROLES.map((role) => [role, builtBeforeAll(() => buildUser(app.ctx))]))
  /** Four members, one of each role, and the one whom the test is about. */
  const buildHouse = async (target: TestUser, role: Role) => {
    const members = [...users].map(([role, user]) => ({ user, role }))
    return (await buildOrganization(app.ctx, [...members, { user: target, role }])).id
  }
  return { users, buildHouse }
}
