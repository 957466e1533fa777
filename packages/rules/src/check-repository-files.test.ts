// What only the check before a push tells: what is left to a deployment, and what Compose would refuse.
import { describe, expect, test } from 'vitest'
import { treeOf } from '../test/corpus/tree.ts'
import { checkRepositoryFiles } from './check-repository-files.ts'
import { faultLine } from './fault.ts'
import { likelyRecipe } from './service-file/likely-recipe.ts'
import { suggestServiceFile } from './service-file/suggest-service-file.ts'

const check = (files: Readonly<Record<string, string>>) => checkRepositoryFiles(treeOf(files), { recipe: 'docker' })
const least = { '.service.yml': 'services:\n  web: {}\n' }

describe('decided at deployment', () => {
  const laterOf = async (files: Readonly<Record<string, string>>): Promise<string[]> => {
    const { faults, later } = await check(files)
    expect(faults).toEqual([])
    return later.map(faultLine)
  }

  test('what depends on a variable that the environment may have, where the policy looks at it', async () => {
    const compose = `services:
  web:
    image: nginx
    ports: ["80:80"]
    environment: { TOKEN: $TOKEN }
    volumes:
      - \${DATA}:/data
      - \${CACHE:-./cache}:/cache
`
    expect(await laterOf({ ...least, 'compose.yml': compose })).toEqual([
      'compose.yml:7:9: services.web.volumes[0] depends on DATA of the environment',
    ])
    expect(await laterOf({ ...least, 'compose.yml': compose, '.env': 'DATA=./data\n' })).toEqual([])
  })

  test('the port that an image exposes, unless the Dockerfile is there', async () => {
    expect(await laterOf({ ...least, 'compose.yml': 'services: { web: { image: nginx } }\n' })).toEqual([
      '.service.yml:2:3: web: no file names its port, so it is the one that its image exposes',
    ])
    const built = { 'compose.yml': 'services: { web: { build: . } }\n', Dockerfile: 'FROM nginx\nEXPOSE 80\n' }
    expect(await laterOf({ ...least, ...built })).toEqual([])
  })

  test('files that use !override', async () => {
    const files = {
      '.service.yml': 'services: { web: { port: 80 } }\ndocker: { compose: [compose.yml, more.yml] }\n',
      'compose.yml': 'services: { web: { image: nginx, volumes: ["/:/host"] } }\n',
      'more.yml': 'services: { web: { volumes: !override [] } }\n',
    }
    expect(await laterOf(files)).toEqual([
      'more.yml:1:1: The file uses !override, so only Compose knows the merged result',
      expect.stringContaining('services.web.volumes[0].source mounts a path outside the checkout'),
    ])
  })

  test('a domain of its own', async () => {
    const config = 'services:\n  web: { port: 80, domain: shop.example.com }\n'
    expect(await laterOf({ '.service.yml': config, 'compose.yml': 'services: { web: { image: nginx } }\n' })).toEqual([
      '.service.yml:2:3: web: whether the project may have the domain shop.example.com',
    ])
  })
})

test('what Compose would refuse is a fault beside those of the policy', async () => {
  const compose = 'services: { web: { image: nginx, ports: "80", privileged: true } }\n'
  const { faults } = await check({ '.service.yml': 'services: { web: { port: 80 } }\n', 'compose.yml': compose })
  expect(faults.map(({ sentence }) => sentence)).toEqual([
    'services.web.ports is a text, and Compose takes only a list there',
    expect.stringContaining('services.web.privileged gives the container all rights'),
  ])
})

describe('a fault of a value with variables that are not set', () => {
  const faultsOf = async (compose: string, set: readonly string[] = []) => {
    const custom = new Map(set.map((name) => [name, { isForBuilds: false }]))
    const files = { '.service.yml': 'services: { web: { port: 80 } }\n', 'compose.yml': compose }
    return (await checkRepositoryFiles(treeOf(files), { recipe: 'docker', custom })).faults.map(faultLine)
  }
  const mounting = (mount: string) => `services:\n  web:\n    image: nginx\n    volumes:\n      - ${mount}\n`

  test('names them, and says how to set them', async () => {
    expect(await faultsOf(mounting('${PHOTOS}:/photos'))).toEqual([
      'compose.yml:5:9: services.web.volumes[0] cannot be read by Compose. Write it as "./folder:/path/in/the/container". ' +
        'It uses the variable PHOTOS, which is not set: shipway vars set PHOTOS=…',
    ])
    expect(await faultsOf(mounting('${CONFIG}/web:/config'))).toEqual([
      expect.stringMatching(
        /volumes\[0\]\.source mounts a path outside .* It uses the variable CONFIG, which is not set: shipway vars set CONFIG=…$/,
      ),
    ])
    expect(await faultsOf('services: { web: { image: "$IMAGE:$TAG" } }\n')).toEqual([
      expect.stringMatching(
        /is not the name of an image\. .* It uses IMAGE, TAG, which are not set: shipway vars set IMAGE=… TAG=…$/,
      ),
    ])
  })

  test('does not name set ones, those with a default, those of other values, and none before the variables are known', async () => {
    expect(await faultsOf(mounting('${PHOTOS}:/photos'), ['PHOTOS'])).toEqual([])
    const [root] = await faultsOf(mounting('/${PHOTOS:-photos}:/photos\n      - ./data:/data/$KIND'))
    expect(root).toMatch(/grant "host_paths" to this environment$/)
    expect((await check({ ...least, 'compose.yml': mounting('${PHOTOS}:/photos') })).faults).toEqual([])
  })
})

test('a variable may say that a container is not privileged', async () => {
  const compose = 'services: { web: { image: nginx, privileged: "${ROOT:-false}" } }\n'
  expect((await check({ '.service.yml': 'services: { web: { port: 80 } }\n', 'compose.yml': compose })).faults).toEqual(
    [],
  )
})

describe('the recipe that a repository is made for', () => {
  const compose = { 'compose.yml': 'services: {}\n' }
  test.each([
    ['manual', { '.service.yml': 'manual: { deploy: [{ run: x }] }\n', ...compose }],
    ['docker', { '.service.yml': 'manual: { deploy: [{ run: x }] }\ndocker: {}\n' }],
    ['docker', { '.service.yml': 'services: { web: {} }\n' }],
    ['docker', { '.service.yml': 'not: [valid\n' }],
    ['docker', compose],
    ['docker', { Dockerfile: 'FROM scratch\n' }],
    ['docker', { 'deploy/compose.yml': 'services: {}\n' }],
    ['docker', { 'stack/docker-compose.yml': 'services: {}\n' }],
    ['manual', { 'tests/docker-compose.yml': 'services: {}\n', 'a/b/c/d/e/f/compose.yml': 'services: {}\n' }],
    ['manual', { 'README.md': '' }],
  ])('%s: %j', async (recipe, files) => {
    expect(await likelyRecipe(treeOf(files))).toBe(recipe)
  })
})

test('the placeholder that init writes is reported at its place, until a step takes its place', async () => {
  const text = suggestServiceFile({ compose: null, dockerfile: null })
  const remarksOf = async (file: string) =>
    (await checkRepositoryFiles(treeOf({ '.service.yml': file }), { recipe: 'manual' })).remarks.map(faultLine)
  expect(await remarksOf(text)).toEqual([
    expect.stringMatching(/^\.service\.yml:7:12: Warning: this step is the placeholder of shipway init/),
  ])
  expect(await remarksOf(text.replace(/echo .*/, 'npm start'))).toEqual([])
})

test('without a .service.yml the compose file in a usual folder is checked too', async () => {
  const { faults } = await check({ 'docker/compose.yml': 'services: { web: { image: nginx, privileged: true } }\n' })
  expect(faults.map(faultLine)).toEqual([
    expect.stringMatching(/^\.service\.yml:1:1: .*compose: docker\/compose\.yml/s),
    expect.stringMatching(/^docker\/compose\.yml:1:\d+: services\.web\.privileged/),
  ])
})

test('notes about mounts stand at the mount', async () => {
  const compose =
    'services:\n  web:\n    image: nginx\n    expose: [80]\n    volumes:\n      - ./data:/d\n      - ./src:/s\n'
  const { remarks } = await check({ ...least, 'compose.yml': compose, 'src/a': '' })
  expect(remarks.map(({ line, column, sentence }) => [line, column, sentence.slice(0, 12)])).toEqual([
    [6, 9, 'web: ./data '],
    [7, 9, 'web: ./src i'],
  ])
})

test('ranges of ports are short to write, and cost no more than they are worth', async () => {
  const range = '      - "2000-2199:2000-2199"\n'
  const files = {
    '.service.yml': 'services: { web: { port: 80 } }\n',
    'compose.yml': `services:\n  web:\n    image: nginx\n    ports:\n${range.repeat(9_000)}`,
  }
  const { faults } = await checkRepositoryFiles(treeOf(files), { recipe: 'docker' })
  expect(faults.map(({ sentence }) => sentence)).toContain(
    'A service names more than 1000 ports. Name those that it needs',
  )
})

test('a missing Dockerfile is reported, wherever the build names it', async () => {
  const remarksOf = async (build: string, more: Readonly<Record<string, string>> = {}): Promise<string[]> => {
    const compose = `services:\n  web:\n    build: ${build}\n    expose: [80]\n`
    return (await check({ ...least, 'compose.yml': compose, ...more })).remarks.map(faultLine)
  }
  expect(await remarksOf('.')).toEqual([expect.stringMatching(/^compose.yml:3:\d+: .*there is no file Dockerfile, so/)])
  expect(await remarksOf('{ context: api, dockerfile: docker/Web }')).toEqual([
    expect.stringContaining('there is no file api/docker/Web'),
  ])
  expect(await remarksOf('{ context: api, dockerfile: Web }', { 'api/Web': 'FROM nginx\n' })).toEqual([])
  expect(await remarksOf('{ dockerfile_inline: FROM nginx }')).toEqual([])
})

test.each([
  ['a variable', (at: number) => `"A${at}=\${LONG}y"`],
  ['an alias', () => '*long'],
])('a long text that %s repeats makes the files too large', async (_, entry) => {
  const entries = Array.from({ length: 4000 }, (_, at) => entry(at)).join(', ')
  const text = 'x'.repeat(20_000)
  const base = `x-long: &long ${text}\nservices:\n  base: { image: nginx, environment: [${entries}] }\n`
  const files = { ...least, '.env': `LONG=${text}\n`, 'compose.yml': `${base}  web: { extends: base, expose: [80] }\n` }
  const { faults } = await check(files)
  expect(faults.map(faultLine)).toEqual([expect.stringContaining('more than 20,000 values, or to very long ones')])
})
