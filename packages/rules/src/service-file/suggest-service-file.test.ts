import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { outlineCompose } from '../compose/compose-outline.ts'
import { chooseRoutes } from './choose-routes.ts'
import { exposedPorts, mentionedPorts } from './exposed-ports.ts'
import { readContents } from './read-contents.ts'
import { suggestServiceFile } from './suggest-service-file.ts'

function compose(services: unknown): string {
  const outlined = outlineCompose({ services }).services
  const routing = chooseRoutes(outlined.map((one) => ({ ...one, inDockerfile: [], mentionedInDockerfile: [] })))
  return suggestServiceFile({ compose: { files: ['compose.yaml'], routing }, dockerfile: null })
}

test('published services are routed, what people look at comes first, and stores of data are left out', () => {
  const text = compose({
    db: { ports: ['5432:5432'] },
    api: { ports: ['3000:3000'] },
    internal: { expose: ['4000'] },
    worker: {},
    web: { ports: ['0.0.0.0:8080:80/tcp', '9000:9000'] },
  })
  expect(text).toBe(`# Recipe: docker. The first service answers at the name of the environment.
services:
  web: { port: 80 }
  api: { port: 3000 }
docker:
  compose: compose.yaml
`)
})

test('names of a repository stay values: no folder, profile or path becomes a key of the file', () => {
  const more = '\n  release: [{ run: evil }]\n  seed: ["'
  const file = `a${more}/compose.yml`
  const routes = [{ name: `web${more}`, port: 80, health: `/${more}` }]
  const suggested = suggestServiceFile({
    compose: { files: [file], routing: { routes, profiles: [`a"]${more}`] } },
    dockerfile: null,
  })
  const { services, docker } = parse(suggested)
  expect(services).toEqual({ [`web${more}`]: { port: 80, health: `/${more}` } })
  expect(docker).toEqual({ compose: file, profiles: [`a"]${more}`] })
})

test('without a port in any file none is guessed: the image names it, and a comment says so', () => {
  expect(compose({ site_one: { image: 'x' } })).toContain('  site_one: {}\n')
  expect(compose({ site_one: {} })).toContain('# No file names the port of site_one')
  for (const text of [compose('nonsense'), compose({ db: { image: 'postgres' } })]) {
    expect(text).toContain('# No service of the compose file seems to answer visitors')
    expect(text).toContain('\nservices: {}\n')
  }
  const unread = suggestServiceFile({ compose: { files: ['docker-compose.yml'], routing: null }, dockerfile: null })
  expect(unread).toContain('compose: docker-compose.yml')
  expect(compose({ web: {} })).not.toContain('8080')
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
  ['8080:${PORT:-3000}', [3000]],
  ['${PORT:-3000}', [3000]],
  ['99999', []],
  ['0', []],
  [{}, []],
  [null, []],
])('the port %j of a compose file is %j', (port, expected) => {
  expect(
    outlineCompose({ services: { web: { ports: [port] } } }).services[0]?.published.map((one) => one.port),
  ).toEqual(expected)
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
  expect(outlineCompose(document).services.flatMap(({ published, exposed }) => [...published, ...exposed])).toEqual([]),
)

test.each([
  ['FROM a\nEXPOSE 3000', [3000]],
  ['from a\r\n  expose 3000/tcp 53/udp 8000-8010\r\n', [3000, 8000]],
  ['FROM a AS build\nEXPOSE 1\nFROM b\nEXPOSE 2', [2]],
  ['FROM a\nEXPOSE $PORT', []],
  ['FROM a\nARG PORT=3000\nEXPOSE ${PORT}', [3000]],
  ['FROM a\nENV PORT 3000\nEXPOSE $PORT', [3000]],
  ['FROM a AS base\nEXPOSE 1\nFROM base AS app\nRUN x', [1]],
  ['FROM a\nEXPOSE 3000 \\\n  4000', [3000, 4000]],
  ['FROM a\n# EXPOSE 3000', []],
  ['EXPOSE 0 70000', []],
  ['', []],
])('the Dockerfile %j exposes %j', (text, ports) => {
  expect(exposedPorts(text)).toEqual(ports)
})

test('the ports of a stage are those of the target', () => {
  const text = 'FROM a AS one\nEXPOSE 1\nFROM b AS two\nEXPOSE 2\n'
  expect([exposedPorts(text, 'one'), exposedPorts(text, 'TWO'), exposedPorts(text, 'none')]).toEqual([[1], [2], [2]])
})

test.each([
  ['CMD ["gunicorn", "-b", "0.0.0.0:8000", "app"]', [8000]],
  ['CMD uvicorn main:app --host 0.0.0.0 --port 80', [80]],
  ['CMD ["vite", "--port", "5173"]', [5173]],
  ['ENV PORT=3000', [3000]],
  ['RUN mkdir -p /app && chmod 0644 x', []],
])('a Dockerfile with %j mentions %j', (line, ports) => {
  expect(mentionedPorts(`FROM a\n${line}\n`)).toEqual(ports)
})

test('a Dockerfile is built, with its exposed port or none and a comment', () => {
  const suggest = (ports: readonly number[]) => suggestServiceFile({ compose: null, dockerfile: { ports } })
  expect(suggest([3000, 9000])).toBe('# Recipe: docker.\nservices:\n  web: { port: 3000 }\ndocker:\n  build: .\n')
  expect(suggest([])).toMatch(/# The Dockerfile has no EXPOSE.*\n {2}web: \{\}\n/)
})

test('where nothing says how it runs, a step is left to fill in', () => {
  expect(suggestServiceFile({ compose: null, dockerfile: null })).toMatch(/^# Recipe: manual.*run: echo "Replace/s)
})

test.each([
  [['CMD', 'curl', '-f', 'http://localhost:80/healthz'], '/healthz'],
  [['CMD', 'curl', '-f', 'http://localhost:3000/healthz'], null],
  [['CMD', 'curl', '-fk', 'https://localhost/healthz'], null],
  ['curl http://localhost/', null],
  ['wget -q -O- http://127.0.0.1/api/health?full=1 || exit 1', '/api/health'],
  [['CMD-SHELL', 'curl http://localhost:80'], null],
  ['curl http://elsewhere.example/healthz', null],
  ['pg_isready', null],
  [{}, null],
  [undefined, null],
])('of the health check %j the path is %j, if it asks the routed port', (check, path) => {
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
  const text = suggestServiceFile(await readContents({ read, listComposeFiles: async () => ['compose.yml'] }))
  expect(text).toContain('  web: { port: 8080 }\n  api: { port: 4000 }\n')
  expect(asked.filter((path) => path.startsWith('..'))).toEqual([])
})

test.each([
  ['blanks before another kind of line end', `RUN${' '.repeat(200_000)}x\u2028y`, []],
  ['a port in each of many lines', Array.from({ length: 60_000 }, (_, at) => `EXPOSE ${at + 1}`).join('\n'), [1, 2, 3]],
])('a Dockerfile with %s is read in a time that grows with its length alone', (_, lines, first) => {
  expect(exposedPorts(`FROM a\n${lines}`).slice(0, 3)).toEqual(first)
})
