// The document that runs, as Compose itself reads it.

import { composeJson } from '@shipway/rules/compose/escaped-dollars'
import type { ComposeLimits, ComposeModel } from '@shipway/rules/compose/model'
import { printComposeModel, readComposeModel } from '@shipway/rules/compose/read-compose-model'
import { expect, test } from 'vitest'
import { hasCompose, modelOf, resolve } from '../../../../rules/test/compose.ts'
import { documentToRun } from './document-to-run.ts'
import type { Override } from './override-for.ts'
import { planServices } from './plan-services.ts'

const ids = { 'shipway.installation': 'main', 'shipway.environment': '7' }
const platform: ComposeLimits = { cpus: 2, memoryBytes: 1000, processes: 50 }
const options: Override = {
  installationId: 'main',
  environmentId: 7,
  taskId: 41,
  imageToken: 'token',
  variablesFile: '{checkout}/variables.env',
  systemVariables: [
    ['SERVICE_DOMAIN', 'a.test'],
    ['SERVICE_ENV_BRANCH', 'fix/$HOME'],
  ],
  variableKeys: ['A', 'B'],
  ports: new Map([['web', 20001]]),
  limits: platform,
}

function toRun(model: ComposeModel) {
  const services = new Map([['web', { port: 3000, health: null }]])
  const planning = { services, live: new Map(), images: new Map(), settings: '', digest: () => 'digest' }
  return documentToRun(model, planServices(model, planning), options)
}

test('nothing in it leads to another file or is still to be decided', () => {
  const done = { build: { context: '/c' }, env_file: ['a.env'], label_file: ['l'], profiles: ['p'], develop: {} }
  const { services } = toRun(modelOf({ web: { ...done, extends: { service: 'x' } } }))
  const found = Object(services).web
  for (const key of ['build', 'label_file', 'profiles', 'develop', 'extends']) expect(found).not.toHaveProperty(key)
  expect(found).toMatchObject({ image: 'shipway-token-web:41', env_file: [options.variablesFile] })
})

test('a link is a further name of the service, in the networks that both are in', () => {
  const networks = { front: null, back: null }
  const { services } = toRun(modelOf({ web: { links: ['db:store'], networks }, db: { networks: { back: null } } }))
  expect(Object(services).web).not.toHaveProperty('links')
  expect(Object(services).db.networks).toEqual({ back: { aliases: ['store'] } })
})

test('a persistent folder is labelled by its path', () => {
  const volumes = { kept: { name: 'p_kept', 'x-shipway-folder': 'data' } }
  expect(toRun(modelOf({ web: {} }, { volumes }))).toMatchObject({
    volumes: { kept: { name: 'p_kept', labels: { ...ids, 'shipway.folder': 'data' } } },
  })
})

/** Line ends and controls that YAML and JSON see differently. */
const ODD = 'a\u0085b\u2028c\u2029d\ufeffe\u007ff\u0001 \u{1f600} "\\\n\t\'#: - {}'

const file = {
  services: {
    web: {
      build: { context: '.', labels: { a: '1' } },
      environment: { A: 'file', ONLY: 'file', SERVICE_DOMAIN: 'evil', ODD: ODD, K$$K: '$$V $${V} $$$$' },
      env_file: ['file.env'],
      labels: { app: '1', a$$b: '$$c' },
      cpus: 8,
      deploy: { resources: { limits: { cpus: '8', memory: '8g' } } },
      command: ['sh', '-c', 'echo $$A ${A}'],
      depends_on: { db: { condition: 'service_healthy' } },
      volumes: ['./src:/src', 'data:/data', '/unnamed'],
      configs: ['c'],
      healthcheck: { test: 'exit $$?', interval: '1m30s' },
      ulimits: { nofile: { soft: 1, hard: 2 } },
      extra_hosts: ['a:1.2.3.4'],
      tmpfs: '/tmp',
      stop_grace_period: '5s',
    },
    db: { image: 'db', scale: 2, expose: ['80'], networks: { back: { aliases: ['x'] } } },
  },
  networks: { back: { internal: true } },
  volumes: { data: {} },
  configs: { c: { content: 'a $$b ${A}' } },
  secrets: { s: { environment: 'A' } },
}

const byNumber = (char: string): string => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`

test.skipIf(!hasCompose)(
  'Compose reads it as it reads the files, with the variables and limits of the platform',
  async () => {
    const variables = { 'file.env': 'B=file\nC=file\n', 'variables.env': "A='cust$om'\nB='custom'\n" }
    const first = await resolve(
      { 'compose.json': JSON.stringify(file).replaceAll(/[\u007f-\u009f\u2028\u2029\ufeff]/g, byNumber), ...variables },
      { composeFiles: ['compose.json'], envFile: 'variables.env' },
    )
    expect(first.refused).toBeNull()
    const model = readComposeModel(first.text)
    const text = composeJson({ ...toRun(model), 'x-unguessable': 'x' })
    const again = await resolve(
      { 'run.json': text, ...variables },
      { composeFiles: ['run.json'], envFile: 'variables.env' },
    )
    expect(again.refused).toBeNull()
    const { services, ...others } = readComposeModel(again.text)
    const web = services.get('web')
    const own = model.services.get('web')
    expect(web?.definition).toEqual({
      ...Object.fromEntries(Object.entries(own?.definition ?? {}).filter(([key]) => key !== 'build')),
      image: 'shipway-token-web:41',
      pull_policy: 'never',
      environment: {
        A: 'cust$om',
        B: 'custom',
        C: 'file',
        ONLY: 'file',
        ODD: ODD,
        K$$K: '$V ${V} $$',
        SERVICE_DOMAIN: 'a.test',
        SERVICE_ENV_BRANCH: 'fix/$HOME',
      },
      labels: expect.objectContaining({ ...ids, app: '1', a$$b: '$c' }),
      ports: [{ mode: 'ingress', host_ip: '127.0.0.1', target: 3000, published: '20001', protocol: 'tcp' }],
      cpus: 2,
      mem_limit: '1000',
      pids_limit: 50,
      restart: 'unless-stopped',
      deploy: { resources: { limits: { cpus: 2, memory: '1000', pids: 50 } }, placement: {} },
      command: ['sh', '-c', 'echo $A cust$om'],
    })
    expect(services.get('db')?.definition).toMatchObject(model.services.get('db')?.definition ?? {})
    expect(others).toMatchObject({ configs: model.configs, secrets: model.secrets, name: model.name })
    expect([...others.networks.keys()]).toEqual([...model.networks.keys()])
    expect(others.volumes.get('data')).toEqual({ ...model.volumes.get('data'), labels: ids })
  },
)

test('a model that was written down reads as the same', () => {
  const web = { environment: { A$: '$B$$' }, unheard_of: [1, null, { $: '$' }] }
  const model = modelOf({ web }, { networks: { default: null }, version: '3', volumes: { a$: {} } })
  expect(readComposeModel(printComposeModel(model))).toEqual(model)
})
