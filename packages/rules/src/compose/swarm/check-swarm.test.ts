import { describe, expect, test } from 'vitest'
import { modelOf, PROJECT } from '../../../test/compose.ts'
import { adaptModel } from '../adapt/adapt-model.ts'
import type { JsonObject } from '../model.ts'
import type { SourceKind } from '../mounts/resolve-mounts.ts'
import { CAPABILITIES, type Capability, isCapability } from '../policy/capabilities.ts'
import { checkCompose } from '../policy/check-compose.ts'
import { mergeRefusals } from '../runtime-rules.ts'
import { checkSwarm } from './check-swarm.ts'
import { swarmNotes } from './swarm-notes.ts'

const sources = new Map<string, SourceKind>([
  ['nginx.conf', 'file'],
  ['public', 'folder'],
])
const everything = new Set(Object.keys(CAPABILITIES).filter(isCapability))

/** With everything granted that can be, unless it is said. */
function check(
  web: JsonObject,
  top: JsonObject = {},
  others: Readonly<Record<string, JsonObject>> = {},
  grants: ReadonlySet<Capability> = everything,
) {
  const routed = new Set(['web'])
  const { model, notes } = adaptModel(modelOf({ web, ...others }, top), {
    grants,
    routed,
    runtime: 'swarm',
  })
  const checkout = '/srv/release'
  const refusals = checkCompose(model, {
    checkout,
    platformFolder: '/srv/shipway',
    variablesFile: '/srv/variables.env',
    projectName: PROJECT,
    grants,
    routed,
    runtime: 'swarm',
  })
  const swarm = checkSwarm(model, {
    checkout: { folder: checkout, links: new Set() },
    kindOf: (path) => sources.get(path),
    routed,
  })
  const all = mergeRefusals(refusals, swarm)
  return { model, keys: all.map(({ key }) => key), sentences: all.map(({ sentence }) => sentence), all, notes }
}

const bind = (source: string, more: JsonObject = {}) => ({ type: 'bind', source, target: '/in', ...more })

describe('refused by name, whatever was granted', () => {
  test.each<[string, unknown]>([
    ['blkio_config', { weight: 5 }],
    ['cgroup', 'host'],
    ['container_name', 'my_web'],
    ['cpu_shares', 512],
    ['cpuset', '0'],
    ['device_cgroup_rules', ['c 1:3 mr']],
    ['devices', ['/dev/fuse']],
    ['dns_opt', ['ndots:1']],
    ['domainname', 'example.com'],
    ['external_links', ['other']],
    ['gpus', 'all'],
    ['group_add', ['audio']],
    ['hostname', '{{.Node.Hostname}}'],
    ['ipc', 'service:db'],
    ['ipc', 'none'],
    ['mac_address', '02:42:ac:11:00:02'],
    ['mem_limit', '1048576'],
    ['mem_reservation', '1048576'],
    ['mem_swappiness', 10],
    ['network_mode', 'host'],
    ['network_mode', 'none'],
    ['oom_score_adj', 500],
    ['pid', 'host'],
    ['platform', 'windows/amd64'],
    ['platform', 'linux/s390x'],
    ['ports', [{ target: 80, published: '80', protocol: 'tcp' }]],
    ['post_start', [{ command: ['true'] }]],
    ['pre_stop', [{ command: ['true'] }]],
    ['privileged', true],
    ['runtime', 'nvidia'],
    ['security_opt', ['no-new-privileges:true']],
    ['use_api_socket', true],
    ['userns_mode', 'host'],
    ['uts', 'host'],
    ['volumes_from', ['db']],
    ['tmpfs', ['/run:uid=1000']],
    ['entrypoint', []],
  ])('%s', (key, value) => {
    const { keys, all } = check({ [key]: value }, {}, { db: {} })
    expect(keys).toContain(`services.web.${key}`)
    for (const { capability, sentence } of all) {
      expect(capability).toBeNull()
      expect(sentence).not.toContain('grant')
    }
  })

  test.each([
    [{ deploy: { resources: { reservations: { memory: '1048576' } } } }, 'deploy.resources.reservations.memory'],
    [
      { deploy: { resources: { reservations: { devices: [{ capabilities: ['gpu'] }] } } } },
      'deploy.resources.reservations.devices',
    ],
    [{ deploy: { replicas: 0 } }, 'deploy.replicas'],
    [{ links: ['db:other'] }, 'links'],
    [{ networks: { default: { ipv4_address: '10.0.0.9' } } }, 'networks.default.ipv4_address'],
    [{ volumes: [bind('/srv/release/public', { read_only: true })] }, 'volumes[0]'],
    [{ volumes: [bind('/srv/release/nginx.conf')] }, 'volumes[0]'],
    [{ volumes: [bind('/var/run/docker.sock')] }, 'volumes[0]'],
    [{ volumes: [{ type: 'volume', source: 'data', target: '/in', volume: { subpath: 'a' } }] }, 'volumes[0]'],
    [{ volumes: [{ type: 'volume', source: 'data', target: '/{{.Node.ID}}' }] }, 'volumes[0]'],
    [{ volumes: [{ type: 'tmpfs', target: '/in', tmpfs: { mode: 448 } }] }, 'volumes[0]'],
  ])('%j', (web, key) => {
    const top = {
      volumes: { data: { name: `${PROJECT}_data` } },
      networks: { default: { name: `${PROJECT}_default` } },
    }
    expect(check(web, top, { db: {}, other: {} }).keys).toEqual([`services.web.${key}`])
  })

  test.each([
    [{ networks: { out: { driver: 'macvlan' } } }, 'networks.out.driver'],
    [{ networks: { out: { enable_ipv6: true } } }, 'networks.out.enable_ipv6'],
    [{ networks: { out: { enable_ipv4: false } } }, 'networks.out.enable_ipv4'],
    [{ networks: { out: { driver_opts: { encrypted: '' } } } }, 'networks.out.driver_opts.encrypted'],
    [{ secrets: { key: { content: '' } } }, 'secrets.key'],
  ])('%j', (top, key) => {
    expect(check({}, top).keys).toEqual([key])
  })
})

test('what a Swarm can do is taken', () => {
  const { keys, model, notes } = check(
    {
      deploy: {
        replicas: 3,
        placement: { constraints: ['node.labels.disk==ssd'] },
        resources: { limits: { memory: '1g' } },
        restart_policy: { delay: '10ms' },
      },
      scale: 3,
      platform: 'linux/amd64',
      stop_grace_period: '8760h0m0s',
      healthcheck: { test: ['CMD', 'true'], start_interval: '1s' },
      networks: { back: { aliases: ['w'] } },
      volumes: [
        bind('/srv/release/nginx.conf', { read_only: true }),
        bind('/etc/localtime', { read_only: true }),
        { type: 'volume', source: 'data', target: '/data' },
      ],
      shm_size: '1g',
      tmpfs: ['/run:size=64m,mode=1777'],
      ipc: 'private',
      security_opt: [],
      cap_add: ['SYS_ADMIN'],
      sysctls: { 'net.core.somaxconn': '1024' },
      entrypoint: [],
      command: ['serve'],
      links: ['db:database'],
    },
    {
      networks: { back: { name: 'mine', driver: 'overlay', ipam: { config: [{ subnet: '10.1.0.0/16' }] } } },
      volumes: { data: { name: `${PROJECT}_data` } },
    },
    { db: {} },
  )
  expect(keys).toEqual([])
  const web = model.services.get('web')
  expect(web?.replicas).toBe(3)
  expect(notes.map(({ sentence }) => sentence).join('\n')).not.toContain('no cluster')
  expect(notes.map(({ sentence }) => sentence)).toContainEqual(expect.stringContaining('/etc/localtime is left out'))
  expect(swarmNotes(model).map(({ sentence }) => sentence)).toEqual([
    'services.web: runs on the node that has its volumes',
    'services.web: runs once and not 3 times, since it writes to a volume',
    'services.web: start_interval is left out. The first check comes after interval',
    'services.web: stop_grace_period is 5 minutes, the longest on a Swarm',
    'services.web: restart_policy.delay is 1 second, the shortest',
  ])
})

test('what is not granted is left out, and said to be', () => {
  const ports = [{ target: 80, published: '80', protocol: 'tcp' }]
  const { keys, model, notes } = check({ container_name: 'my_web', ports }, {}, {}, new Set())
  expect(keys).toEqual([])
  expect(model.services.get('web')?.definition).toMatchObject({ expose: ['80'] })
  expect(Object.keys(model.services.get('web')?.definition ?? {})).not.toContain('ports')
  expect(notes.map(({ sentence }) => sentence)).toEqual([
    expect.stringContaining('nothing is published on the host, ports are left out'),
    expect.stringContaining('container_name is left out'),
  ])
})
