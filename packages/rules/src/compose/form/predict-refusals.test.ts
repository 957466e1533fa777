// Each file is given to our foresight and, where it is installed, to the real Compose: both must say the same.
import { describe, expect, test } from 'vitest'
import { hasCompose, resolve } from '../../../test/compose.ts'
import { readComposeFiles } from '../read-compose-files.ts'
import { readSource } from '../source/read-source.ts'
import { predictRefusals } from './predict-refusals.ts'

const of = (keys: string): string => `services: { web: { image: nginx, ${keys} } }\n`
const beside = (top: string): string => `services: { web: { image: nginx } }\n${top}\n`
const two = (keys: string): string => `services: { web: { image: nginx, ${keys} }, db: { image: postgres } }\n`

/** The sentence is that of the first fault. */
const refused: readonly (readonly [file: string, sentence: string])[] = [
  ['version: "3"\n', 'The file has no services'],
  [beside('version: 3.8'), 'version is a number, and Compose takes only a text there. Put it in quotes'],
  ['services: [ { image: nginx } ]\n', 'services is a list, and Compose takes only a mapping there'],
  [beside('networks:'), 'networks is empty, and Compose takes only a mapping there. Remove it'],
  [beside('volumes: [data]'), 'volumes is a list'],
  [beside('secrets: { a: {} }'), 'secrets.a needs file or environment'],
  [beside('secrets: { a: { file: ./a, environment: A } }'), 'secrets.a needs file or environment, and not both'],
  ['services: { "a b": { image: nginx } }\n', 'services["a b"] has a name with other characters'],
  [of('environment: 3'), 'services.web.environment is a number, and Compose takes only a list or a mapping there'],
  [of('environment:'), 'services.web.environment is empty'],
  [of('environment: { A: [1] }'), 'services.web.environment.A is a list'],
  [of('restart: true'), 'services.web.restart is true or false, and Compose takes only a text there'],
  [of('volumes: "./a:/a"'), 'services.web.volumes is a text, and Compose takes only a list there'],
  [of('ports: "80:80"'), 'services.web.ports is a text'],
  [of('ports: ["a:b"]'), 'services.web.ports[0] cannot be read by Compose. Write it as "8080:80"'],
  [of('ports: ["80:99999"]'), 'services.web.ports[0]'],
  [of('ports: ["80:80/foo"]'), 'services.web.ports[0]'],
  [of('ports: ["foo:80:80"]'), 'services.web.ports[0]'],
  [of('ports: ["3000-3005:80-82"]'), 'services.web.ports[0]'],
  [of('volumes: ["./a:/b:ro:z:q"]'), 'services.web.volumes[0] cannot be read by Compose'],
  [of('volumes: [":/b"]'), 'services.web.volumes[0] cannot be read by Compose'],
  [of('volumes: ["data:/v"]'), 'services.web.volumes[0] names the volume data, which is not in the file'],
  [of('volumes: [{ type: volume, source: data, target: /v }]'), 'services.web.volumes[0] names the volume data'],
  [of('networks: [front]'), 'services.web.networks names the network front'],
  [of('secrets: [key]'), 'services.web.secrets[0] names the secret key'],
  [of('configs: [conf]'), 'services.web.configs[0] names the config conf'],
  [of('links: [db]'), 'services.web.links[0] names the service db'],
  [of('network_mode: "service:db"'), 'services.web.network_mode names the service db'],
  [of('extends: base'), 'services.web.extends names the service base, which is not in compose.yml'],
  ['services: { a: { image: x, extends: b }, b: { image: x, extends: a } }\n', 'services.a.extends leads back'],
  [
    'services: { a: { image: x, depends_on: [b] }, b: { image: x, links: [a] } }\n',
    'services.a.depends_on leads in a circle: none of a, b could be started first',
  ],
  [two('depends_on: { db: { condition: ready } }'), 'services.web.depends_on.db needs a condition'],
  [two('depends_on: { db: {} }'), 'services.web.depends_on.db needs a condition'],
  [of('healthcheck: { foo: 1 }'), 'services.web.healthcheck.foo is no key of a health check'],
  [of('healthcheck: { test: [curl, x] }'), 'services.web.healthcheck.test as a list must begin with CMD'],
  [of('healthcheck: { test: x, interval: 30 }'), 'services.web.healthcheck.interval is a number'],
  [of('healthcheck: { test: x, interval: soon }'), 'services.web.healthcheck.interval is no time'],
  [of('mem_limit: lots'), 'services.web.mem_limit is no size. Write it as 512m or 2g'],
  [of('deploy: { resources: { limits: { memory: lots } } }'), 'services.web.deploy.resources.limits.memory is no size'],
  [of('mem_limit: 1g, deploy: { resources: { limits: { memory: 2g } } }'), 'services.web.mem_limit and deploy'],
  [of('scale: 1, deploy: { replicas: 2 }'), 'services.web.scale and deploy.replicas are not the same'],
  [of('container_name: c, deploy: { replicas: 2 }'), 'services.web.container_name is one name for 2 containers'],
  [of('command: "echo ${1}"'), 'services.web.command holds ${ with no variable behind it'],
  [of('command: "echo ${A!x}"'), 'services.web.command holds ${'],
  [of('command: "echo ${A"'), 'services.web.command holds ${'],
]

const taken: readonly string[] = [
  'services: {}\n',
  beside('volumes: { data: }\nnetworks: { front: }'),
  beside('version: "3"\nx-any: "${"'.replace('${', '$$')),
  of('command: , entrypoint: , deploy: '),
  of('command: "cost $ 5 $(pwd) 5$ $$HOME ${HOME:-{}}"'),
  of(
    'ports: ["80", 53, "0:80", ":80", "127.0.0.1:9000:9000/udp", "3000-3002:3000-3002", "5000-5010:5000", "[::1]:81:81"]',
  ),
  of('volumes: ["./a:/b:ro,z", "/cache", "C:/x:/y", "./dir with space:/s", "v:/v"]'),
  of('environment: { A: 1, B: true, C: , D: x }'),
  of('environment: [A=1, B]'),
  of('healthcheck: { test: [CMD, x], interval: 1m30s, retries: 3 }, stop_grace_period: 10s'),
  of('healthcheck: { test: [], disable: true }'),
  of('mem_limit: 1g, deploy: { resources: { limits: { memory: 1024m } } }'),
  of('mem_limit: 512M, shm_size: 64mb, cpus: "0.5"'),
  of('privileged: "${ROOT:-false}", mem_limit: "${MEMORY:-1g}", ports: ["${PORT:-80}:80"]'),
  two('depends_on: { db: { condition: service_started } }, links: ["db:database"], volumes_from: ["db:ro"]'),
]

const files = (file: string) => ({ 'compose.yml': file, a: '', Dockerfile: 'FROM scratch\n' })

async function foreseen(file: string): Promise<string[]> {
  const found = await readComposeFiles({
    files: ['compose.yml'],
    links: new Set(),
    profiles: [],
    custom: new Map(),
    read: async (path) => (path === 'compose.yml' ? new TextEncoder().encode(file) : undefined),
    readSource: async (source) => readSource(source),
  })
  return predictRefusals(found, ['compose.yml']).map(({ sentence }) => sentence)
}

describe('what Compose refuses', () => {
  test.each(refused)('%j is foreseen: %s', async (file, sentence) => {
    expect((await foreseen(file))[0]).toContain(sentence)
  })

  test.skipIf(!hasCompose).each(refused)('%j is refused by Compose itself', async (file) => {
    expect((await resolve(files(file))).refused).not.toBeNull()
  })
})

describe('what Compose takes', () => {
  test.each(taken)('nothing is said of %j', async (file) => {
    expect(await foreseen(file)).toEqual([])
  })

  test.skipIf(!hasCompose).each(taken)('Compose itself takes %j', async (file) => {
    expect((await resolve(files(file))).refused).toBeNull()
  })
})

test('each is reported at its position', async () => {
  const text = 'services:\n  web:\n    image: nginx\n    ports:\n      - "80:80"\n      - "a:b"\n'
  const found = await readComposeFiles({
    files: ['compose.yml'],
    links: new Set(),
    profiles: [],
    custom: null,
    read: async () => new TextEncoder().encode(text),
    readSource: async (source) => readSource(source),
  })
  expect(predictRefusals(found, ['compose.yml'])).toMatchObject([{ file: 'compose.yml', line: 6, column: 9 }])
})

test('what a variable of the environment may be is left open', async () => {
  const found = await readComposeFiles({
    files: ['compose.yml'],
    links: new Set(),
    profiles: [],
    custom: null,
    read: async (path) =>
      path === 'compose.yml' ? new TextEncoder().encode(of('ports: ["$PORT"], mem_limit: "$SIZE"')) : undefined,
    readSource: async (source) => readSource(source),
  })
  expect(predictRefusals(found, ['compose.yml'])).toEqual([])
})
