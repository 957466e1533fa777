import { describe, expect, test } from 'vitest'
import { modelOf, PROJECT } from '../../../test/compose.ts'
import type { JsonObject } from '../model.ts'
import type { Capability } from '../policy/capabilities.ts'
import { checkCompose } from '../policy/check-compose.ts'
import { adaptModel } from './adapt-model.ts'

const meant = (
  services: Readonly<Record<string, JsonObject>>,
  { top = {}, grants = [] }: { top?: JsonObject; grants?: readonly Capability[] } = {},
) => {
  const { model, notes } = adaptModel(modelOf(services, top), { grants: new Set(grants), routed: new Set(['web']) })
  const refusals = checkCompose(model, {
    checkout: '/srv/release',
    platformFolder: '/srv/shipway',
    variablesFile: '/srv/variables.env',
    projectName: PROJECT,
    grants: new Set(grants),
    routed: new Set(['web']),
  })
  const web = model.services.get('web')
  return {
    model,
    web: web?.definition ?? {},
    service: web,
    notes,
    sentences: notes.map(({ sentence }) => sentence),
    refusals,
  }
}

describe('ports', () => {
  const ports = [
    { target: 80, published: '8080', protocol: 'tcp' },
    { target: 53, published: '53', protocol: 'udp' },
  ]

  test('are not published, and still known', () => {
    const { web, service, notes, refusals } = meant({ web: { ports, expose: ['9000'] } })
    expect(web).not.toHaveProperty('ports')
    expect(service?.exposed).toEqual([80, 9000])
    expect(notes).toEqual([
      {
        key: 'services.web.ports',
        sentence:
          'services.web: nothing is published on the host, ports are left out. ' +
          'Ports 80, 53/udp of the container can be routed in .service.yml',
      },
    ])
    expect(refusals).toEqual([])
  })

  test('are published on 127.0.0.1 where an owner has granted it', () => {
    const { web, sentences, refusals } = meant({ web: { ports } }, { grants: ['host_ports'] })
    expect(web.ports).toEqual(ports.map((port) => ({ ...port, host_ip: '127.0.0.1' })))
    expect(sentences).toEqual([expect.stringContaining('are published on 127.0.0.1 of the server alone')])
    expect(refusals).toEqual([])
  })

  test('are published as the file says where that was granted too', () => {
    const { web, sentences, refusals } = meant({ web: { ports } }, { grants: ['host_ports', 'public_ports'] })
    expect(web.ports).toEqual(ports)
    expect([sentences, refusals]).toEqual([[], []])
  })
})

describe('the name of a container', () => {
  test('becomes an alias in each network of the service', () => {
    const networks = { default: null, back: { aliases: ['other'] } }
    const { web, sentences, refusals } = meant(
      { web: { container_name: 'my_web', networks } },
      { top: { networks: { default: {}, back: {} } } },
    )
    expect(web).not.toHaveProperty('container_name')
    expect(web.networks).toEqual({ default: { aliases: ['my_web'] }, back: { aliases: ['other', 'my_web'] } })
    expect(sentences).toEqual([expect.stringContaining('other services of the environment still find it by that name')])
    expect(refusals).toEqual([])
  })

  test.each([
    ['is that of another service', { container_name: 'db', networks: { default: null } }],
    ['cannot be the name of a host', { container_name: 'a b', networks: { default: null } }],
    ['has no network to be known in', { container_name: 'my_web', network_mode: 'none' }],
  ])('is left out where it %s', (_, definition) => {
    const { web } = meant({ web: definition, db: {} })
    expect(web).not.toHaveProperty('container_name')
    expect(JSON.stringify(web.networks ?? {})).not.toContain('aliases')
  })

  test('stays where an owner has granted it', () => {
    expect(meant({ web: { container_name: 'a' } }, { grants: ['container_names'] }).web.container_name).toBe('a')
  })
})

describe('networks and volumes', () => {
  test('are of the environment alone, whatever they are called', () => {
    const networks = {
      front: { name: 'proxy', external: true },
      back: { name: 'shared', driver: 'overlay', ipam: { config: [{ subnet: '10.9.0.0/16' }] } },
    }
    const web = { networks: { back: { ipv4_address: '10.9.0.2', aliases: ['w'] }, front: null } }
    const {
      model,
      web: own,
      sentences,
      refusals,
    } = meant({ web }, { top: { networks, volumes: { data: { name: 'their-data' } } } })
    expect([...model.networks]).toEqual([
      ['front', { name: `${PROJECT}_front` }],
      ['back', { name: `${PROJECT}_back` }],
    ])
    expect([...model.volumes]).toEqual([['data', { name: `${PROJECT}_data` }]])
    expect(own.networks).toEqual({ back: { aliases: ['w'] }, front: null })
    expect(sentences).toHaveLength(6)
    expect(refusals).toEqual([])
  })

  test('of releases get no gw_priority, since containers that join them later have none', () => {
    const web = { networks: { front: { gw_priority: -1, aliases: ['w'] }, proxy: { gw_priority: 2 }, default: null } }
    const top = { networks: { front: {}, proxy: { name: 'proxy', external: true } } }
    const { web: own, notes, refusals } = meant({ web }, { top, grants: ['external_networks'] })
    expect(own.networks).toEqual({ front: { aliases: ['w'] }, proxy: { gw_priority: 2 }, default: null })
    expect(notes).toEqual([
      { key: 'services.web.networks', sentence: 'services.web: gw_priority is left out. Docker chooses the gateway' },
    ])
    expect(refusals).toEqual([])
  })

  test.each([
    [{ networks: { out: { driver: 'macvlan' } } }, 'networks.out.driver'],
    [{ volumes: { data: { external: true, name: 'their-data' } } }, 'volumes.data.external'],
    [{ volumes: { data: { driver_opts: { type: 'none', o: 'bind', device: '/' } } } }, 'volumes.data.driver_opts'],
  ])('%j is refused as before', (top, key) => {
    expect(meant({ web: {} }, { top }).refusals.map((refusal) => refusal.key)).toContain(key)
  })

  test('stay as they are where an owner has granted it', () => {
    const top = { networks: { front: { name: 'proxy', external: true } }, volumes: { data: { name: 'their-data' } } }
    const { model, refusals } = meant({ web: {} }, { top, grants: ['external_networks', 'external_volumes'] })
    expect(model.networks.get('front')).toEqual({ name: 'proxy', external: true })
    expect(model.volumes.get('data')).toEqual({ name: 'their-data' })
    expect(refusals).toEqual([])
  })
})

test('the clock of the machine may be read, and is never made', () => {
  const bind = (source: string, more: JsonObject = {}) => ({ type: 'bind', source, target: source, ...more })
  const { web, sentences, refusals } = meant({
    web: {
      volumes: [bind('/etc/localtime', { read_only: true, bind: { create_host_path: true } }), bind('/etc//timezone')],
    },
  })
  expect(web.volumes).toEqual([
    {
      type: 'bind',
      source: '/etc/localtime',
      target: '/etc/localtime',
      read_only: true,
      bind: { create_host_path: false },
    },
    {
      type: 'bind',
      source: '/etc/timezone',
      target: '/etc//timezone',
      read_only: true,
      bind: { create_host_path: false },
    },
  ])
  expect(sentences).toEqual(['services.web: /etc/timezone is mounted read-only'])
  expect(refusals).toEqual([])
  expect(meant({ web: { volumes: [bind('/etc/passwd', { read_only: true })] } }).refusals).toHaveLength(1)
})

test('limits beside those of the platform and copies of a routed service are left out', () => {
  const { web, sentences, refusals } = meant({
    web: { cpu_quota: 5000, memswap_limit: '1', scale: 3, deploy: { replicas: 3, mode: 'replicated' } },
  })
  expect(web).toMatchObject({ deploy: { mode: 'replicated' } })
  expect(Object.keys(web)).not.toContain('scale')
  expect(sentences).toEqual([
    expect.stringContaining('cpu_quota is left out'),
    expect.stringContaining('memswap_limit is left out'),
    expect.stringContaining('runs once and not 3 times'),
  ])
  expect(refusals).toEqual([])
})

test.each([10_000, -1, 1.5])('%s replicas are refused', (replicas) => {
  expect(meant({ web: { deploy: { replicas } } }).refusals.map(({ sentence }) => sentence)).toContainEqual(
    expect.stringContaining('services.web.deploy.replicas must be a whole number from 0 to '),
  )
})

test('a file that asks for nothing of the machine stays as it is, and nothing is said', () => {
  const services = {
    web: { expose: ['80'], networks: { default: null }, volumes: [{ type: 'volume', source: 'data', target: '/d' }] },
  }
  const top = {
    networks: { default: { name: `${PROJECT}_default`, ipam: {} } },
    volumes: { data: { name: `${PROJECT}_data` } },
  }
  const { model, notes } = meant(services, { top })
  expect(notes).toEqual([])
  expect(model).toEqual(modelOf(services, top))
})
