import { hash } from 'node:crypto'
import { composeJson } from '@shipway/rules/compose/escaped-dollars'
import type { ComposeModel, JsonObject } from '@shipway/rules/compose/model'
import { describe, expect, test } from 'vitest'
import { isOnThePath } from '../../../../../tools/real-parts/programs.ts'
import { modelOf, PROJECT } from '../../../../rules/test/compose.ts'
import { stackConfig } from '../../../test/docker/stack-config.ts'
import { planServices } from '../compose/plan-services.ts'
import { onlyServices, stackDocuments } from './stack-document.ts'
import type { StackFile } from './stack-files.ts'
import type { StackInput } from './stack-input.ts'

const digest = (text: string) => hash('sha256', text)
const own = { 'shipway.installation': 'main', 'shipway.environment': '7' }
const none = { cpus: null, memoryBytes: null, processes: null }

type Options = Partial<Omit<StackInput, 'model' | 'plan'>> & {
  readonly live?: ReadonlyMap<string, { readonly hash: string; readonly slot: 'a' | 'b' | null }>
  readonly withVolumes?: ReadonlySet<string>
}

function documents(model: ComposeModel, { live = new Map(), withVolumes = new Set(), ...options }: Options = {}) {
  const images = new Map([...model.services.keys()].map((name) => [name, `registry.test/env-7/${name}@sha256:1`]))
  const services = new Map([['web', { port: 3000, health: null }]])
  const plan = planServices(model, { services, live, images, withVolumes, settings: '', digest })
  const all = stackDocuments({
    model,
    plan,
    ids: { installationId: 'main', environmentId: 7 },
    taskId: 5,
    images,
    imageVolumes: new Map(),
    variables: new Map(),
    limits: none,
    groups: new Map([['web', 20000]]),
    replicas: new Map(),
    files: new Map(),
    volumes: new Map(),
    digest,
    ...options,
  })
  return { ...all, plan }
}

const service = (document: JsonObject, key: string): JsonObject => Object(document.services)[key]

const networks = { default: { name: `${PROJECT}_default` } }
const inDefault = { networks: { default: null } }

test('what can run twice is new in each release, what cannot is updated in place', () => {
  const model = modelOf(
    {
      web: { ...inDefault, depends_on: { db: { condition: 'service_started' } } },
      db: { ...inDefault, volumes: [{ type: 'volume', source: 'data', target: '/data' }] },
      migrate: inDefault,
      worker: { ...inDefault, depends_on: { migrate: { condition: 'service_completed_successfully' } } },
    },
    { networks, volumes: { data: { name: `${PROJECT}_data` } } },
  )
  const { base, release } = documents(model, { volumes: new Map([['data', { node: 'node1', name: 'data-5' }]]) })
  expect(Object.keys(Object(base.services))).toEqual(['db'])
  expect(Object.keys(Object(release.services))).toEqual(['r5-migrate', 'r5-web', 'r5-worker'])
  expect(service(base, 'db').deploy).toMatchObject({
    replicas: 1,
    placement: { constraints: ['node.id==node1'] },
    update_config: { order: 'stop-first' },
    labels: { ...own, 'shipway.node': 'node1', 'shipway.mode': 'in_place' },
  })
  expect(service(release, 'r5-migrate').deploy).toMatchObject({
    mode: 'replicated-job',
    restart_policy: { condition: 'none' },
  })
  expect(service(release, 'r5-web')).toMatchObject({
    image: 'registry.test/env-7/web@sha256:1',
    ports: [{ target: 3000, protocol: 'tcp', mode: 'host' }],
    deploy: { endpoint_mode: 'dnsrr', labels: { 'shipway.group': '20000', 'shipway.port': '3000' } },
  })
  expect(base.volumes).toEqual({ data: { name: 'data-5', labels: own } })
  expect(release.volumes).toEqual({})
})

describe('a name leads to one version', () => {
  const model = modelOf(
    {
      web: inDefault,
      db: { ...inDefault, volumes: [{ type: 'volume', source: 'data', target: '/data' }] },
      proxy: {
        ...inDefault,
        volumes: [{ type: 'volume', source: 'data', target: '/data' }],
        depends_on: { web: { condition: 'service_started' } },
      },
    },
    { networks, volumes: { data: { name: `${PROJECT}_data` } } },
  )

  test('of a release in its own network alone', () => {
    const { release } = documents(model)
    expect(service(release, 'r5-web').networks).toEqual({
      release_default: { aliases: ['web'] },
      shared_default: {},
    })
    expect(release.networks).toMatchObject({
      release_default: { name: `${PROJECT}r0000000005_default`, driver: 'overlay' },
      shared_default: { name: `${PROJECT}_default`, driver: 'overlay' },
    })
  })

  test('of what all releases share in the network that outlives them', () => {
    const { base } = documents(model)
    expect(service(base, 'db').networks).toEqual({ shared_default: { aliases: ['db'] } })
    expect(service(base, 'proxy').networks).toEqual({
      release_default: { aliases: ['proxy'] },
      shared_default: { aliases: ['proxy'] },
    })
  })

  test('a shared service that did not change is planned so, and has a definition for commands like its container', () => {
    const hashes = new Map(documents(model).plan.services.map(({ name, hash: own }) => [name, own]))
    const live = new Map([['db', { hash: hashes.get('db') ?? '', slot: null }]])
    const { base, plan } = documents(model, { live })
    expect(plan.services.find(({ name }) => name === 'db')?.mode).toBe('unchanged')
    expect(service(base, 'db')).toMatchObject({ image: 'registry.test/env-7/db@sha256:1' })
  })
})

test('variables win over the file, and braces are no templates', () => {
  const model = modelOf({ web: { ...inDefault, environment: { A: 'file', B: null, C: '{{.Node.ID}}' } } }, { networks })
  const { release } = documents(model, { variables: new Map([['A', '{{{']]) })
  expect(service(release, 'r5-web').environment).toEqual({ A: '{{"{{"}}{', C: '{{"{{"}}.Node.ID}}' })
})

test('the lower limit counts, and no more is reserved', () => {
  const deploy = { resources: { limits: { cpus: '2', memory: '100' }, reservations: { memory: '90' } } }
  const model = modelOf({ web: { ...inDefault, deploy, pids_limit: 5 } }, { networks })
  const { release } = documents(model, { limits: { cpus: 1, memoryBytes: 80, processes: 10 } })
  expect(service(release, 'r5-web').deploy).toMatchObject({
    resources: { limits: { cpus: '1', memory: '80', pids: 5 }, reservations: { memory: '80' } },
  })
})

test('times are within bounds, and a platform is a processor of nodes', () => {
  const restart = (delay: string) => ({ restart_policy: { condition: 'any', delay } })
  const placement = { constraints: ['node.role==worker'] }
  const model = modelOf(
    {
      web: {
        ...inDefault,
        stop_grace_period: '8760h0m0s',
        platform: 'linux/arm64',
        deploy: { ...restart('0s'), placement },
      },
      api: { ...inDefault, stop_grace_period: '4m0s', platform: 'linux', deploy: restart('2s') },
    },
    { networks },
  )
  const { release } = documents(model)
  expect(service(release, 'r5-web')).toMatchObject({
    stop_grace_period: '5m0s',
    deploy: {
      restart_policy: { condition: 'any', delay: '1s' },
      placement: { constraints: ['node.role==worker', 'node.platform.arch==aarch64'] },
    },
  })
  expect(service(release, 'r5-api')).toMatchObject({
    stop_grace_period: '4m0s',
    deploy: { restart_policy: { delay: '2s' }, placement: { constraints: [] } },
  })
})

test('replicas are those of the environment, else of the file', () => {
  const model = modelOf(
    { web: { ...inDefault, deploy: { replicas: 3 } }, api: { ...inDefault, scale: 2 } },
    { networks },
  )
  const { release } = documents(model, { replicas: new Map([['web', 5]]) })
  expect(service(release, 'r5-web').deploy).toMatchObject({ replicas: 5 })
  expect(service(release, 'r5-api').deploy).toMatchObject({ replicas: 2 })
})

test('files of the repository, secrets and configs go to the nodes under names made from their content', () => {
  const model = modelOf(
    {
      web: {
        ...inDefault,
        volumes: [{ type: 'bind', source: '/srv/release/nginx.conf', target: '/etc/nginx.conf', read_only: true }],
        secrets: [{ source: 'key', mode: '0400', uid: '1000' }],
      },
    },
    { networks, secrets: { key: { file: '/srv/release/key' }, unused: { file: '/srv/release/other' } } },
  )
  const file = (path: string, content: string): StackFile => ({ path, digest: digest(content), isExecutable: false })
  const files = (content: string) =>
    new Map([
      ['secret:key', file('/srv/release/key', content)],
      ['mount:/srv/release/nginx.conf', file('/srv/release/nginx.conf', 'conf')],
    ])
  const { release } = documents(model, { files: files('one') })
  const web = service(release, 'r5-web')
  const [secret] = Object.keys(Object(release.secrets))
  const [config] = Object.keys(Object(release.configs))
  expect(web.secrets).toEqual([{ source: secret, target: '/run/secrets/key', uid: '1000', mode: 0o400 }])
  expect(web.configs).toEqual([{ source: config, target: '/etc/nginx.conf', mode: 0o444 }])
  expect(secret).toMatch(new RegExp(`^${PROJECT}_secret-key-[0-9a-f]{24}$`))
  expect(release.secrets).toEqual({ [String(secret)]: { name: secret, file: '/srv/release/key', labels: own } })
  expect(Object.keys(Object(documents(model, { files: files('two') }).release.secrets))).not.toEqual([secret])
})

test('what an image keeps in a volume has a volume of its own that outlives the container', () => {
  const model = modelOf({ db: inDefault }, { networks })
  const { base } = documents(model, { withVolumes: new Set(['db']), imageVolumes: new Map([['db', ['/data']]]) })
  const [key] = Object.keys(Object(base.volumes))
  expect(service(base, 'db').volumes).toEqual([{ type: 'volume', source: key, target: '/data' }])
  expect(base.volumes).toEqual({ [String(key)]: { name: `${PROJECT}_${key}`, labels: own } })
})

test('memory as a filesystem', () => {
  const model = modelOf(
    { web: { ...inDefault, shm_size: '1024', tmpfs: ['/run:size=1m'], volumes: [{ type: 'tmpfs', target: '/t' }] } },
    { networks },
  )
  expect(service(documents(model).release, 'r5-web').volumes).toEqual([
    { type: 'tmpfs', target: '/t' },
    { type: 'tmpfs', target: '/run', tmpfs: { size: 1_048_576 } },
    { type: 'tmpfs', target: '/dev/shm', tmpfs: { size: 1024 } },
  ])
})

test('a part of a document has what its services use', () => {
  const volume = (source: string) => ({ ...inDefault, volumes: [{ type: 'volume', source, target: '/data' }] })
  const { base } = documents(modelOf({ a: volume('a'), b: volume('b') }, { networks, volumes: { a: {}, b: {} } }))
  const part = onlyServices(base, new Set(['a']))
  expect(Object.keys(Object(part.services))).toEqual(['a'])
  expect(Object.keys(Object(part.volumes))).toEqual(['a'])
  expect(Object.keys(Object(part.networks))).toEqual(['shared_default'])
})

/** As Docker itself reads the format. Needs no engine. */
test.skipIf(!isOnThePath('docker'))('Docker takes every key that the rules take', async () => {
  const model = modelOf(
    {
      web: {
        networks: { back: { aliases: ['w'], priority: 5 } },
        command: ['serve', '$HOME'],
        entrypoint: ['/entrypoint.sh'],
        environment: { A: 'a$b{{c' },
        healthcheck: { test: ['CMD', 'true'], interval: '5s', timeout: '1s', retries: 3, start_interval: '1s' },
        deploy: {
          replicas: 2,
          labels: { a: 'b' },
          endpoint_mode: 'vip',
          placement: {
            constraints: ['node.role==worker'],
            preferences: [{ spread: 'node.labels.a' }],
            max_replicas_per_node: 1,
          },
          resources: {
            limits: { cpus: 0.5, memory: '64000000', pids: 5 },
            reservations: { cpus: '0.1', memory: '8000000' },
          },
          restart_policy: { condition: 'on-failure', delay: '5s', max_attempts: 3, window: '2m' },
          update_config: { parallelism: 2 },
          rollback_config: { parallelism: 2 },
        },
        ...{ cap_add: ['CHOWN'], cap_drop: ['ALL'], cpus: 0.5, dns: ['192.0.2.1'], dns_search: ['a.test'] },
        ...{
          expose: ['80'],
          extra_hosts: ['gw=host-gateway', 'six=::1'],
          hostname: 'h',
          init: true,
          labels: { a: 'b' },
        },
        ...{
          logging: { driver: 'json-file', options: { 'max-size': '1m' } },
          mem_reservation: '8000000',
          pids_limit: 9,
        },
        ...{
          platform: 'linux/amd64',
          pull_policy: 'always',
          read_only: true,
          restart: 'on-failure:3',
          shm_size: '1000000',
        },
        ...{ stdin_open: true, tty: true, stop_grace_period: '5s', stop_signal: 'SIGINT', user: '1000:1000' },
        ...{ sysctls: { 'net.core.somaxconn': '1024' }, tmpfs: ['/run:size=1m'], working_dir: '/srv' },
        ...{ ulimits: { nofile: { soft: 10, hard: 20 }, nproc: 5 }, ipc: 'private', pid: 'private', attach: false },
        volumes: [
          {
            type: 'bind',
            source: '/srv/nginx.conf',
            target: '/etc/nginx.conf',
            read_only: true,
            bind: { create_host_path: true },
          },
          { type: 'volume', source: 'data', target: '/data', volume: { nocopy: true } },
          { type: 'volume', source: 'files', target: '/files', read_only: true },
          { type: 'volume', target: '/anonymous', volume: {} },
          { type: 'tmpfs', target: '/t', tmpfs: { size: '1000', mode: 1023 } },
        ],
        secrets: [{ source: 'key', target: 'other', uid: '5', gid: '5', mode: '0400' }],
        configs: [{ source: 'text' }],
      },
    },
    {
      networks: {
        back: {
          name: `${PROJECT}_back`,
          internal: true,
          attachable: true,
          ipam: {},
          driver_opts: { 'com.docker.network.driver.mtu': '1400' },
        },
      },
      volumes: {
        data: { name: `${PROJECT}_data`, 'x-shipway-folder': 'data' },
        files: { driver_opts: { type: 'nfs', o: 'addr=192.0.2.1', device: ':/f' } },
      },
      secrets: { key: { file: '/srv/key' } },
      configs: { text: { content: 'a' } },
    },
  )
  const keys = ['secret:key', 'config:text', 'mount:/srv/nginx.conf']
  const files = new Map(keys.map((key) => [key, { path: '/srv/file', digest: digest(key), isExecutable: true }]))
  const { base } = documents(model, {
    files,
    volumes: new Map([['data', { node: 'n', name: 'data-5' }]]),
    variables: new Map([['B', '']]),
  })
  expect(Object.keys(Object(base.services))).toEqual(['web'])
  const read = await stackConfig(composeJson(base))
  expect(read).toMatchObject({ code: 0, err: '' })
  expect(read.out).toContain('A: a$b{{"{{"}}c')
  expect(read.out).toContain('- $HOME')
})
