// An organization of a describe block and its members, by the names that the tests have for them.
import type { Role } from '@shipway/api/people'
import { buildOrganization, buildProject, buildUser, type TestUser } from '../factories.ts'
import type { TestApp } from '../test-app.ts'
import { builtBeforeAll } from './built-before.ts'

type Roles<Name extends string> = Readonly<Record<Name, Role>>

/** `const { owner, guest, organization } = stageMembers(app, { owner: 'owner', guest: 'viewer' })` */
export function stageMembers<Name extends string>(app: TestApp, roles: Roles<Name>) {
  const people = stagePeople(app, roles)
  const organization = builtBeforeAll(() => buildOrganization(app.ctx, people))
  return { ...byName<Name>(people), organization }
}

/** With a project, which the first of them owns. */
export function stageProject<Name extends string>(app: TestApp, roles: Roles<Name>) {
  const people = stagePeople(app, roles)
  const project = builtBeforeAll(async () => {
    const { id: organizationId } = await buildOrganization(app.ctx, people)
    return buildProject(app.ctx, { organizationId, ownerId: people[0]?.user.id ?? 0 })
  })
  return { ...byName<Name>(people), project }
}

type Person = { readonly name: string; readonly role: Role; readonly user: TestUser }

const stagePeople = (app: TestApp, roles: Roles<string>): Person[] =>
  Object.entries(roles).map(([name, role]) => ({ name, role, user: builtBeforeAll(() => buildUser(app.ctx)) }))

const byName = <Name extends string>(people: readonly Person[]) =>
  Object.fromEntries(people.map(({ name, user }) => [name, user])) as Record<Name, TestUser>
