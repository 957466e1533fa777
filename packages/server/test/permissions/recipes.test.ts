// Who may choose which recipe, as every role: the expectations are made from the permission table.
import { ROLES, type Role } from '@shipway/api/people'
import { isAtLeast, LEAST_ROLE, type RolePermission } from '@shipway/api/permissions'
import type { ManualRecipe, Recipe } from '@shipway/api/values/recipe'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { databases } from '../databases.ts'
import {
  buildEnvironment,
  buildOrganization,
  buildProject,
  buildServer,
  buildUser,
  type TestUser,
} from '../factories.ts'
import { openTestApp, type TestAnswer, type TestApp } from '../test-app.ts'

type Arranged = { readonly user: TestUser; readonly projectId: number; readonly environmentId: number }
type Call = {
  readonly name: string
  /** What the body chooses, in a project with this default and this consent. */
  readonly from: { readonly recipe: Recipe; readonly consent: ManualRecipe; readonly own?: Recipe }
  /** The rows of the table that the call needs, all of them. */
  readonly needs: readonly RolePermission[]
  /** A role that has all of these may still be told to allow the recipe first. */
  readonly withConsent?: 422
  readonly send: (app: TestApp, arranged: Arranged) => Promise<TestAnswer>
}

const createEnvironment =
  (recipe: Recipe | null) =>
  (app: TestApp, { user, projectId }: Arranged) =>
    app.call('POST', `/api/projects/${projectId}/environments`, {
      as: user,
      body: { name: 'new', branch: 'main', recipe },
    })
const changeEnvironment =
  (recipe: Recipe | null) =>
  (app: TestApp, { user, environmentId }: Arranged) =>
    app.call('PATCH', `/api/environments/${environmentId}`, { as: user, body: { recipe } })
const changeProject =
  (body: object) =>
  (app: TestApp, { user, projectId }: Arranged) =>
    app.call('PATCH', `/api/projects/${projectId}`, { as: user, body })

const dockerOff = { recipe: 'docker', consent: 'off' } as const
const dockerAllowed = { recipe: 'docker', consent: 'allowed' } as const
const manual = { recipe: 'manual', consent: 'allowed' } as const

const CALLS: readonly Call[] = [
  {
    name: "an environment with the project's recipe",
    from: dockerOff,
    needs: ['deploy'],
    send: createEnvironment(null),
  },
  { name: 'the same recipe by its name', from: dockerOff, needs: ['deploy'], send: createEnvironment('docker') },
  { name: "a manual project's recipe", from: manual, needs: ['deploy'], send: createEnvironment('manual') },
  { name: 'docker in a manual project', from: manual, needs: ['choose_recipe'], send: createEnvironment('docker') },
  { name: 'manual with consent', from: dockerAllowed, needs: ['choose_recipe'], send: createEnvironment('manual') },
  {
    name: 'manual without consent',
    from: dockerOff,
    needs: ['choose_recipe', 'allow_manual_recipe'],
    withConsent: 422,
    send: createEnvironment('manual'),
  },
  { name: 'to manual with consent', from: dockerAllowed, needs: ['choose_recipe'], send: changeEnvironment('manual') },
  {
    name: 'to manual without consent',
    from: dockerOff,
    needs: ['choose_recipe', 'allow_manual_recipe'],
    withConsent: 422,
    send: changeEnvironment('manual'),
  },
  { name: 'to docker in a manual project', from: manual, needs: ['choose_recipe'], send: changeEnvironment('docker') },
  {
    name: "back to the project's",
    from: { ...dockerAllowed, own: 'manual' },
    needs: ['deploy'],
    send: changeEnvironment(null),
  },
  {
    name: 'the default to manual with consent',
    from: dockerAllowed,
    needs: ['administer'],
    send: changeProject({ default_recipe: 'manual' }),
  },
  {
    name: 'the default to manual without consent',
    from: dockerOff,
    needs: ['administer', 'allow_manual_recipe'],
    withConsent: 422,
    send: changeProject({ default_recipe: 'manual' }),
  },
  {
    name: 'the default to manual, with consent in the same request',
    from: dockerOff,
    needs: ['administer', 'allow_manual_recipe'],
    send: changeProject({ default_recipe: 'manual', manual_recipe: 'allowed' }),
  },
  {
    name: 'consent',
    from: dockerOff,
    needs: ['administer', 'allow_manual_recipe'],
    send: changeProject({ manual_recipe: 'allowed' }),
  },
  {
    name: 'consent withdrawn',
    from: dockerAllowed,
    needs: ['administer', 'allow_manual_recipe'],
    send: changeProject({ manual_recipe: 'off' }),
  },
  {
    name: 'consent as it stands',
    from: dockerAllowed,
    needs: ['administer'],
    send: changeProject({ manual_recipe: 'allowed' }),
  },
]

describe.each(databases)('recipes on $name', (source) => {
  let app: TestApp

  beforeAll(async () => {
    app = await openTestApp(source)
  })
  afterAll(() => app.close())

  async function arrange(role: Role, { recipe, consent, own }: Call['from']): Promise<Arranged> {
    const [user, other] = [await buildUser(app.ctx), await buildUser(app.ctx)]
    const organization = await buildOrganization(app.ctx, [
      { user, role },
      { user: other, role: 'owner' },
    ])
    const place = { organizationId: organization.id, ownerId: other.id }
    const project = await buildProject(app.ctx, place, { default_recipe: recipe, manual_recipe: consent })
    const environment = await buildEnvironment(app.ctx, project, { recipe: own ?? null })
    return { user, projectId: project.id, environmentId: environment.id }
  }

  describe.each(CALLS)('$name', ({ from, needs, withConsent, send }) => {
    test.each(ROLES)('as %s', async (role) => {
      const arranged = await arrange(role, from)
      const answer = await send(app, arranged)
      if (!needs.every((permission) => isAtLeast(role, LEAST_ROLE[permission]))) {
        expect(answer, answer.text).toMatchObject({ status: 403, body: { code: 'insufficient_role' } })
        return
      }
      expect(withConsent ?? (answer.status === 201 ? 201 : 200), answer.text).toBe(answer.status)
    })
  })

  describe('a new project', () => {
    const NEW: readonly { body: object; needs: RolePermission; status: number; consent: ManualRecipe }[] = [
      { body: {}, needs: 'administer', status: 201, consent: 'off' },
      { body: { default_recipe: 'manual' }, needs: 'allow_manual_recipe', status: 201, consent: 'allowed' },
      { body: { manual_recipe: 'allowed' }, needs: 'allow_manual_recipe', status: 201, consent: 'allowed' },
      {
        body: { default_recipe: 'manual', manual_recipe: 'off' },
        needs: 'allow_manual_recipe',
        status: 422,
        consent: 'off',
      },
    ]
    test.each(NEW.flatMap((wanted) => ROLES.map((role) => ({ ...wanted, role }))))(
      '$body as $role',
      async ({ body, needs, status, consent, role }) => {
        const user = await buildUser(app.ctx)
        const { id } = await buildOrganization(app.ctx, [{ user, role }])
        const server = await buildServer(app.ctx, id)
        const answer = await app.call('POST', '/api/projects', {
          as: user,
          body: {
            name: 'New',
            repo_url: 'https://git.example.org/acme/new.git',
            domain: `new-${id}.example.org`,
            server_ids: [server.id],
            organization_id: id,
            ...body,
          },
        })
        if (!isAtLeast(role, LEAST_ROLE[needs])) {
          expect(answer, answer.text).toMatchObject({ status: 403, body: { code: 'insufficient_role' } })
          if (role === 'admin') expect(answer.body.detail).toMatch(/only an owner of the organization can allow it/)
          return
        }
        expect(answer.status, answer.text).toBe(status)
        if (status === 201) expect(answer.body.manual_recipe).toBe(consent)
      },
    )
  })

  test('consent is not withdrawn while something has the manual recipe, and each change of it is audited', async () => {
    const arranged = await arrange('owner', { ...dockerAllowed, own: 'manual' })
    const withdraw = (more: object = {}) => changeProject({ manual_recipe: 'off', ...more })(app, arranged)
    expect(await withdraw()).toMatchObject({ status: 409, body: { code: 'in_use' } })
    expect((await changeEnvironment(null)(app, arranged)).status).toBe(200)
    expect((await changeProject({ default_recipe: 'manual' })(app, arranged)).status).toBe(200)
    expect(await withdraw()).toMatchObject({ status: 409, body: { code: 'in_use' } })
    const done = await withdraw({ default_recipe: 'docker' })
    expect(done, done.text).toMatchObject({ status: 200, body: { manual_recipe: 'off' } })
    const events = await app.ctx.db
      .selectFrom('audit_events')
      .where('action', '=', 'project.updated')
      .where('target_id', '=', arranged.projectId)
      .select(['fields'])
      .orderBy('id')
      .execute()
    expect(events.map(({ fields }) => JSON.parse(fields))).toEqual([
      ['default_recipe'],
      expect.arrayContaining(['manual_recipe', 'default_recipe']),
    ])
  })
})
