import type { ComposeLimits, ComposeModel, JsonObject } from '@shipway/rules/compose/model'
import { expect, test } from 'vitest'
import { modelOf } from '../../../../rules/test/compose.ts'
import { imageName, type Override, overrideFor } from './override-for.ts'
import { planServices } from './plan-services.ts'

const NONE: ComposeLimits = { cpus: null, memoryBytes: null, processes: null }
const options: Override = {
  installationId: 'main',
  environmentId: 7,
  taskId: 41,
  imageToken: 'token',
  variablesFile: '/srv/$x/variables.env',
  systemVariables: [
    ['SERVICE_DOMAIN', 'a.test'],
    ['SERVICE_ENV_BRANCH', 'fix/$HOME'],
  ],
  ports: new Map([['web', 20001]]),
  limits: NONE,
}
const services = new Map([['web', { port: 3000, health: null }]])

function override(model: ComposeModel, changes: Partial<Override> = {}): JsonObject {
  const planning = { services, live: new Map(), images: new Map(), settings: '', digest: () => 'digest' }
  return overrideFor(model, planServices(model, planning), { ...options, ...changes })
}

const ids = { 'shipway.installation': 'main', 'shipway.environment': '7' }

test('a built and routed service gets its image, labels, variables and port', () => {
  const model = modelOf({ web: { build: { context: '/c' } } })
  expect(override(model, { labels: new Map([['web', { mode: 'beside' }]]) })).toEqual({
    services: {
      web: {
        image: 'shipway-token-web:41',
        pull_policy: 'never',
        labels: {
          ...ids,
          'shipway.task': '41',
          'shipway.release': '41',
          'shipway.service': 'web',
          'shipway.hash': 'digest',
          'shipway.slot': 'a',
          'shipway.mode': 'beside',
        },
        env_file: ['/srv/$x/variables.env'],
        environment: { SERVICE_DOMAIN: 'a.test', SERVICE_ENV_BRANCH: 'fix/$HOME' },
        ports: ['127.0.0.1:20001:3000'],
        restart: 'unless-stopped',
      },
    },
  })
})

test('a service that is only run keeps its image and publishes nothing', () => {
  const { services: found } = override(modelOf({ db: { restart: 'no' } }))
  expect(found).not.toHaveProperty('db.image')
  expect(found).not.toHaveProperty('db.ports')
  expect(found).not.toHaveProperty('db.restart')
})

test('a service that does its work once is not started again', () => {
  const model = modelOf({
    web: { depends_on: { migrate: { condition: 'service_completed_successfully' } } },
    migrate: { restart: 'always' },
  })
  expect(override(model)).toHaveProperty('services.migrate.restart', 'no')
})

test('networks and volumes of the environment are labelled, those of others are not', () => {
  const found = override(modelOf({ web: {} }, { networks: { n: {}, x: { external: true } }, volumes: { v: {} } }))
  expect(found).toMatchObject({ networks: { n: { labels: ids } }, volumes: { v: { labels: ids } } })
  expect(found).not.toHaveProperty('networks.x')
})

const platform: ComposeLimits = { cpus: 2, memoryBytes: 1000, processes: 50 }

test.each<[JsonObject, JsonObject]>([
  [{}, { cpus: 2, mem_limit: 1000, pids_limit: 50 }],
  [{ cpus: 1, mem_limit: '500', pids_limit: 10 }, {}],
  [
    { cpus: 4, mem_limit: '5000', pids_limit: -1 },
    { cpus: 2, mem_limit: 1000, pids_limit: 50 },
  ],
  [
    { deploy: { resources: { limits: { cpus: 8, memory: '10' } } } },
    { cpus: 2, pids_limit: 50, deploy: { resources: { limits: { cpus: '2', pids: 50 } } } },
  ],
  [{ cpus: 0.0000000001 }, { cpus: 2, mem_limit: 1000, pids_limit: 50 }],
  [
    { deploy: { resources: { limits: { cpus: 0.000009 } } } },
    {
      cpus: 2,
      mem_limit: 1000,
      pids_limit: 50,
      deploy: { resources: { limits: { cpus: '2', memory: '1000', pids: 50 } } },
    },
  ],
])('%j is limited by %j', (service, limits) => {
  const web = Object(override(modelOf({ web: service }), { limits: platform }).services).web
  const { cpus, mem_limit, pids_limit, deploy } = web
  expect({ cpus, mem_limit, pids_limit, deploy }).toEqual({
    cpus: undefined,
    mem_limit: undefined,
    pids_limit: undefined,
    deploy: undefined,
    ...limits,
  })
})

test.each([
  ['web', 'shipway-token-web:41'],
  ['a_b.c-d', 'shipway-token-a_b.c-d:41'],
  ['Web', 'shipway-token-x__576562:41'],
  ['a--b', 'shipway-token-x__612d2d62:41'],
])('the image of %s is %s', (service, name) => {
  expect(imageName(options, service)).toBe(name)
})

test('no value of the file gets into the override', () => {
  const value = 'canary-4711'
  const model = modelOf(
    {
      web: {
        build: { context: `/${value}`, args: { A: value } },
        environment: { A: value },
        command: [value],
        labels: { a: value },
        image: value,
        hostname: value,
        healthcheck: { test: [value] },
      },
    },
    { networks: { n: { labels: { a: value } } }, volumes: { v: { name: value } }, configs: { c: { content: value } } },
  )
  expect(JSON.stringify(override(model, { variableKeys: ['A'] }))).not.toContain(value)
})
