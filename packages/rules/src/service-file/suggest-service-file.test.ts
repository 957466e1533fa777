import { expect, test } from 'vitest'
import { outlineCompose } from '../compose/compose-outline.ts'
import { exposedPorts } from './exposed-ports.ts'
import { readContents } from './read-contents.ts'
import { suggestServiceFile } from './suggest-service-file.ts'

const compose = (services: unknown) =>
  suggestServiceFile({ compose: { file: 'compose.yaml', outline: outlineCompose({ services }) }, dockerfile: null })

test('services with ports are routed, what people look at comes first, and stores of data are left out', () => {
  const text = compose({
    db: { ports: ['5432:5432'] },
    api: { expose: ['3000'] },
    worker: {},
    web: { ports: ['127.0.0.1:8080:80/tcp', '9000:9000'] },
  })
  expect(text).toBe(`# Recipe: docker. The first service answers at the name of the environment.
services:
  web: { port: 80 }
  api: { port: 3000 }
docker:
  compose: compose.yaml
`)
})

test('without a port in the compose file one is guessed, with a comment', () => {
  expect(compose({ site_one: { image: 'x' } })).toContain('  site_one: { port: 8080 }')
  expect(compose({ site_one: {} })).toContain('# The port that this service listens on')
  expect(compose('nonsense')).toContain('  web: { port: 8080 }')
  const unread = suggestServiceFile({ compose: { file: 'docker-compose.yml', outline: null }, dockerfile: null })
  expect(unread).toContain('compose: docker-compose.yml')
})

test('names that YAML would read as something else are quoted, and those that no host name can have are left out', () => {
  const text = compose({
    on: { expose: [1] },
    7: { expose: [2] },
    'Web Site': { expose: [3] },
    'a: b\nc': { expose: [4] },
  })
  expect(text).toContain('  "on": { port: 1 }')
  expect(text).toContain('  "7": { port: 2 }')
  expect(text).not.toMatch(/Web|a: b/)
})

test.each([
  ['8080:80', [80]],
  ['80', [80]],
  [80, [80]],
  ['0.0.0.0:8080:80', [80]],
  ['[::1]:8080:80', [80]],
  ['${PORT:-8080}:80', [80]],
  ['3000-3005:3000-3005', [3000]],
  ['80/udp', []],
  [{ target: 80, published: '8080' }, [80]],
  [{ target: 53, protocol: 'udp' }, []],
  ['8080:${PORT}', []],
  ['99999', []],
  ['0', []],
  [{}, []],
  [null, []],
])('the port %j of a compose file is %j', (port, expected) => {
  expect(outlineCompose({ services: { web: { ports: [port] } } }).services[0]?.ports).toEqual(expected)
})

test.each([
  undefined,
  null,
  1,
  [],
  { services: [] },
  { services: { web: null } },
  { services: { web: { ports: 'x' } } },
])('a document that is no compose file, %j, has no ports', (document) =>
  expect(outlineCompose(document).services.flatMap(({ ports }) => ports)).toEqual([]),
)

test.each([
  ['FROM a\nEXPOSE 3000', [3000]],
  ['from a\r\n  expose 3000/tcp 53/udp 8000-8010\r\n', [3000, 8000]],
  ['FROM a AS build\nEXPOSE 1\nFROM b\nEXPOSE 2', [2]],
  ['FROM a\nEXPOSE $PORT', []],
  ['FROM a\n# EXPOSE 3000', []],
  ['EXPOSE 0 70000', []],
  ['', []],
])('the Dockerfile %j exposes %j', (text, ports) => {
  expect(exposedPorts(text)).toEqual(ports)
})

test('a Dockerfile is built, with its exposed port or a guess with a comment', () => {
  const suggest = (ports: readonly number[]) => suggestServiceFile({ compose: null, dockerfile: { ports } })
  expect(suggest([3000, 9000])).toBe('# Recipe: docker.\nservices:\n  web: { port: 3000 }\ndocker:\n  build: .\n')
  expect(suggest([])).toContain('# The Dockerfile has no EXPOSE')
})

test('where nothing tells how it runs, a step is left to fill in', () => {
  expect(suggestServiceFile({ compose: null, dockerfile: null })).toMatch(/^# Recipe: manual.*run: echo "Replace/s)
})

test.each([
  [['CMD', 'curl', '-f', 'http://localhost:3000/healthz'], '/healthz'],
  ['wget -q -O- http://127.0.0.1/api/health?full=1 || exit 1', '/api/health'],
  [['CMD-SHELL', 'curl http://localhost:80'], null],
  ['curl http://elsewhere.example/healthz', null],
  ['pg_isready', null],
  [{}, null],
  [undefined, null],
])('the health check %j asks for %j', (check, path) => {
  const text = compose({ web: { expose: [80], healthcheck: { test: check } } })
  expect(text).toContain(`  web: { port: 80${path === null ? '' : `, health: ${path}`} }\n`)
})

test('where the compose file names no port of a service that is built, its Dockerfile may', async () => {
  const files: Readonly<Record<string, string>> = {
    'compose.yml': `services:
  api: { build: ./api }
  web: { build: { context: site, dockerfile: docker/prod } }
  out: { build: ../elsewhere }
`,
    'api/Dockerfile': 'FROM node\nEXPOSE 4000\n',
    'site/docker/prod': 'FROM nginx\nEXPOSE 8080/tcp\n',
  }
  const asked: string[] = []
  const read = async (path: string) => {
    asked.push(path)
    const text = files[path]
    return text === undefined ? undefined : new TextEncoder().encode(text)
  }
  const text = suggestServiceFile(await readContents(read))
  expect(text).toContain('  web: { port: 8080 }\n  api: { port: 4000 }\n')
  expect(asked.filter((path) => path.startsWith('..'))).toEqual([])
})
