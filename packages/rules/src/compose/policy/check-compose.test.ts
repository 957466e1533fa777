import { expect, test } from 'vitest'
import { planServices } from '../../../../server/src/domain/compose/plan-services.ts'
import { modelOf, PROJECT } from '../../../test/compose.ts'
import type { JsonObject } from '../model.ts'
import { CAPABILITIES, type Capability, isCapability } from './capabilities.ts'
import { type ComposeCheck, checkCompose } from './check-compose.ts'

const check: ComposeCheck = {
  checkout: '/srv/release',
  platformFolder: '/srv',
  links: new Set(['link', 'a/link', 'a$b']),
  variablesFile: '/srv/variables.env',
  projectName: PROJECT,
  grants: new Set(),
  routed: new Set(),
}

const bind = (source: string, more: JsonObject = {}): JsonObject => ({ type: 'bind', source, target: '/t', ...more })
const mounting = (...volumes: JsonObject[]): JsonObject => ({ volumes })
const building = (build: JsonObject): JsonObject => ({ build: { context: '/srv/release', ...build } })

test.each<[JsonObject, string, Capability | null]>([
  [{ privileged: true }, 'privileged', 'privileged'],
  [{ cap_add: ['NET_ADMIN'] }, 'cap_add', 'capabilities'],
  [{ devices: [{ source: '/dev/a' }] }, 'devices', 'devices'],
  [{ device_cgroup_rules: ['c 1:3 mr'] }, 'device_cgroup_rules', 'devices'],
  [{ gpus: [{ count: -1 }] }, 'gpus', 'devices'],
  [{ deploy: { resources: { reservations: { devices: [{}] } } } }, 'deploy.resources.reservations.devices', 'devices'],
  [{ network_mode: 'host' }, 'network_mode', 'host_network'],
  [{ network_mode: 'bridge' }, 'network_mode', 'external_networks'],
  [{ network_mode: 'container:x' }, 'network_mode', 'external_networks'],
  [{ pid: 'host' }, 'pid', 'host_namespaces'],
  [{ pid: 'container:x' }, 'pid', 'host_namespaces'],
  [{ ipc: 'host' }, 'ipc', 'host_namespaces'],
  [{ uts: 'host' }, 'uts', 'host_namespaces'],
  [{ userns_mode: 'host' }, 'userns_mode', 'host_namespaces'],
  [{ cgroup: 'host' }, 'cgroup', 'host_namespaces'],
  [{ cgroup_parent: '/' }, 'cgroup_parent', null],
  [{ security_opt: ['seccomp=unconfined'] }, 'security_opt[0]', 'security_options'],
  [{ security_opt: ['no-new-privileges:false'] }, 'security_opt[0]', 'security_options'],
  [{ sysctls: { 'net.core.somaxconn': '1' } }, 'sysctls', 'kernel_settings'],
  [{ runtime: 'sysbox' }, 'runtime', 'runtimes'],
  [{ container_name: 'a' }, 'container_name', 'container_names'],
  [{ ports: [{ target: 80, host_ip: '127.0.0.1' }] }, 'ports', 'host_ports'],
  [{ use_api_socket: true }, 'use_api_socket', 'docker_socket'],
  [{ volumes_from: ['container:x'] }, 'volumes_from[0]', 'external_volumes'],
  [{ external_links: ['x'] }, 'external_links', 'external_networks'],
  [{ annotations: { a: 'b' } }, 'annotations', null],
  [{ oom_kill_disable: true }, 'oom_kill_disable', null],
  [{ oom_score_adj: -1 }, 'oom_score_adj', null],
  [{ cpu_quota: 100000 }, 'cpu_quota', null],
  [{ memswap_limit: '-1' }, 'memswap_limit', null],
  [{ scale: 11 }, 'scale', null],
  [{ deploy: { mode: 'global' } }, 'deploy.mode', null],
  [{ ulimits: { rtprio: 99 } }, 'ulimits.rtprio', null],
  [{ ulimits: { nofile: { soft: 1, hard: 9999999 } } }, 'ulimits.nofile', null],
  [{ ulimits: { nofile: -1 } }, 'ulimits.nofile', null],
  [{ logging: { driver: 'gelf' } }, 'logging.driver', 'log_drivers'],
  [{ logging: { options: { 'gelf-address': 'a' } } }, 'logging.options.gelf-address', 'log_drivers'],
  [{ env_file: [{ path: '/etc/passwd' }] }, 'env_file[0]', 'host_paths'],
  [{ post_start: [{ command: ['a'], privileged: true }] }, 'post_start[0].privileged', 'privileged'],
  [{ networks: { default: { driver_opts: { a: 'b' } } } }, 'networks.default.driver_opts', 'host_network'],
  [{ provider: { type: 'x' } }, 'provider', null],
  [{ unheard_of: true }, 'unheard_of', null],
  [{ logging: 'syslog' }, 'logging', null],
  [{ labels: { 'Shipway.environment': '8' } }, 'labels["Shipway.environment"]', null],
  [mounting({ type: 'bind', target: '/t' }), 'volumes[0]', null],
  [mounting(bind('/')), 'volumes[0].source', 'privileged'],
  [mounting(bind('/proc/1')), 'volumes[0].source', 'privileged'],
  [mounting(bind('/var/lib')), 'volumes[0].source', 'privileged'],
  [mounting(bind('/var/run/docker.sock')), 'volumes[0].source', 'docker_socket'],
  [mounting(bind('/run/')), 'volumes[0].source', 'docker_socket'],
  [mounting(bind('/mnt/podman.sock')), 'volumes[0].source', 'docker_socket'],
  [mounting(bind('/etc')), 'volumes[0].source', 'host_paths'],
  [mounting(bind('/srv/release-2')), 'volumes[0].source', 'privileged'],
  [mounting(bind('/srv/release/../variables.env')), 'volumes[0].source', 'privileged'],
  [mounting(bind('relative')), 'volumes[0].source', 'host_paths'],
  // A link can lead anywhere, to what the platform has on the server too.
  [mounting(bind('/srv/release/link')), 'volumes[0].source', 'privileged'],
  [mounting(bind('/srv/release/a/link/b')), 'volumes[0].source', 'privileged'],
  // As Compose writes it.
  [mounting(bind('/srv/release/a$$b/c')), 'volumes[0].source', 'privileged'],
  [mounting(bind('/srv/release/line\nend')), 'volumes[0].source', 'privileged'],
  [mounting(bind('/srv/release/a', { bind: { propagation: 'rshared' } })), 'volumes[0].bind.propagation', 'privileged'],
  [mounting({ type: 'npipe', source: 'x', target: '/t' }), 'volumes[0]', null],
  [building({ context: '/srv' }), 'build.context', null],
  [building({ context: 'git@attacker.test:x.git' }), 'build.context', null],
  [building({ context: '/srv/release/link' }), 'build.context', null],
  [building({ dockerfile: '../Dockerfile' }), 'build.dockerfile', null],
  [building({ dockerfile: '/etc/passwd' }), 'build.dockerfile', null],
  [
    building({ additional_contexts: { x: 'docker-image://shipway-main-8-web:1' } }),
    'build.additional_contexts.x',
    null,
  ],
  [building({ additional_contexts: { x: 'oci-layout:///srv' } }), 'build.additional_contexts.x', null],
  [building({ privileged: true }), 'build.privileged', 'privileged'],
  [building({ ssh: { default: null } }), 'build.ssh', null],
  [building({ cache_to: ['type=local,dest=/srv'] }), 'build.cache_to', null],
  [building({ cache_from: ['type=local,src=/srv'] }), 'build.cache_from[0]', null],
  [building({ network: 'container:x' }), 'build.network', 'external_networks'],
  [{ image: 'registry.test/shipway-main-8-web:1' }, 'image', null],
  ...['a', '2b', '2b391cee1c17', 'f'.repeat(64), 'sha256:2b', `sha256:${'f'.repeat(64)}`].map(
    (image): [JsonObject, string, null] => [{ image }, 'image', null],
  ),
  [building({ additional_contexts: { x: 'docker-image://2b391cee1c17' } }), 'build.additional_contexts.x', null],
  [building({ cache_from: ['2b391cee1c17'] }), 'build.cache_from[0]', null],
  [mounting({ type: 'image', source: 'shipway-main-8-web:1', target: '/t' }), 'volumes[0]', null],
  [{ image: '' }, '', null],
])('%j is refused at %s and granted by %s', (service, key, capability) => {
  const model = modelOf({ web: service })
  const refused = { key: key === '' ? 'services.web' : `services.web.${key}`, capability }
  expect(checkCompose(model, check)).toMatchObject([refused])
  const granted = checkCompose(model, { ...check, grants: new Set(capability === null ? all() : [capability]) })
  expect(granted).toMatchObject(capability === null ? [refused] : [])
})

test.each<[JsonObject, string, Capability | null]>([
  [{ networks: { n: { external: true, name: `${PROJECT}_n` } } }, 'networks.n.external', 'external_networks'],
  [{ networks: { n: { name: `${PROJECT}1_n` } } }, 'networks.n.name', 'external_networks'],
  [{ networks: { n: { driver: 'macvlan' } } }, 'networks.n.driver', 'host_network'],
  [{ networks: { n: { ipam: { config: [{ subnet: '8.8.8.0/24' }] } } } }, 'networks.n.ipam.config', 'host_network'],
  [{ volumes: { v: { name: 'shipway-main-8_data' } } }, 'volumes.v.name', 'external_volumes'],
  [{ volumes: { v: { external: true } } }, 'volumes.v.external', 'external_volumes'],
  [{ volumes: { v: { driver_opts: { device: '/' } } } }, 'volumes.v.driver_opts', 'volume_options'],
  [{ volumes: { v: { driver: 'rclone' } } }, 'volumes.v.driver', 'volume_options'],
  [{ secrets: { s: { environment: 'HOME' } } }, 'secrets.s.environment', null],
  [{ secrets: { s: { environment: 'DOCKER_CONFIG' } } }, 'secrets.s.environment', null],
  [{ configs: { c: { environment: 'NPM_TOKEN' } } }, 'configs.c.environment', null],
  [{ secrets: { s: { file: '/etc/shadow' } } }, 'secrets.s.file', 'host_paths'],
  [{ configs: { c: { external: true } } }, 'configs.c.external', null],
  [{ name: 'env-8' }, 'name', null],
  [{ models: {}, unheard_of: 1 }, 'models', null],
])('%j is refused at %s', (top, key, capability) => {
  expect(checkCompose(modelOf({ web: {} }, top), check)[0]).toMatchObject({ key, capability })
})

test.each([
  'cafe:1',
  'cafe:latest',
  'docker.io/library/cafe',
  'ada/cafe',
  'registry.test:5000/2b',
  `cafe@sha256:${'a'.repeat(64)}`,
  'alpine',
])('the image %s is a name', (image) => {
  expect(checkCompose(modelOf({ web: { image } }), check)).toEqual([])
})

test('a sentence says what to do, and who can grant it', () => {
  expect(checkCompose(modelOf({ web: { privileged: true } }), check)[0]?.sentence).toBe(
    'services.web.privileged gives the container all rights on the machine. Remove it. ' +
      'An organization owner can grant "privileged" to this environment',
  )
})

test('a mode that starts containers otherwise than replicas say is refused in words for every runtime', () => {
  expect(checkCompose(modelOf({ web: { deploy: { mode: 'global' } } }), check)[0]?.sentence).toBe(
    'services.web.deploy.mode must be "replicated": the platform starts as many containers as deploy.replicas says. ' +
      'Remove it, and set deploy.replicas to the number of containers that you need',
  )
})

test('names out of the repository cannot steer a terminal', () => {
  const [refusal] = checkCompose(modelOf({ web: { '\u001b[2Jx"\n': 1 } }), check)
  expect(refusal?.key).toBe('services.web["x  "]')
})

test.each<[JsonObject, string]>([
  [{ network_mode: 'none' }, 'services.web.network_mode'],
  [{ scale: 2 }, 'services.web'],
  [{ networks: { n: null } }, 'services.web.networks'],
])('a routed service cannot have %j', (service, key) => {
  const model = modelOf({ web: service }, { networks: { n: { internal: true } } })
  expect(checkCompose(model, check)).toEqual([])
  expect(checkCompose(model, { ...check, routed: new Set(['web']) })).toMatchObject([{ key, capability: null }])
})

test('no value of the file gets into a sentence or a plan', () => {
  const value = 'canary-4711'
  const model = modelOf(
    {
      web: {
        environment: { A: value },
        command: [value],
        labels: { a: value, 'shipway.x': value },
        image: `${value};`,
        volumes: [bind(`/${value}`), { type: value, source: value }],
        cap_add: [value],
        pid: value,
        runtime: value,
        build: { context: `/${value}`, args: { A: value }, dockerfile: `/${value}`, tags: [value] },
        network_mode: value,
        env_file: [value],
        security_opt: [value],
        logging: { driver: value },
      },
    },
    { networks: { n: { name: value } }, volumes: { v: { driver: value } }, secrets: { s: { file: value } } },
  )
  const refusals = checkCompose(model, { ...check, routed: new Set(['web']) })
  expect(refusals.length).toBeGreaterThan(15)
  expect(JSON.stringify(refusals)).not.toContain(value)
  const planning = { services: new Map(), live: new Map(), images: new Map(), settings: '', digest: () => '' }
  const plans = planServices(model, planning).services.map(({ image: _image, ...plan }) => plan)
  expect(JSON.stringify(plans)).not.toContain(value)
})

function all(): Capability[] {
  return Object.keys(CAPABILITIES).filter(isCapability)
}
