// The schema for editors and the rules of a deployment agree: what the rules accept is accepted, usual mistakes are refused by both.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv, type ValidateFunction } from 'ajv'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { fileLocations } from '../../test/corpus/file-locations.ts'
import { forms } from '../../test/corpus/forms.ts'
import { infrastructure } from '../../test/corpus/infrastructure.ts'
import { ports } from '../../test/corpus/ports.ts'
import { repositories } from '../../test/corpus/repositories.ts'
import { withServiceFile } from '../../test/corpus/tree.ts'
import { webApplications } from '../../test/corpus/web-applications.ts'
import { readRepositoryConfig } from './read-repository-config.ts'
import { RepositoryConfigFault } from './repository-config.ts'
import { type SchemaNode, serviceSchema } from './service-schema.ts'

const root = join(import.meta.dirname, '../../../..')
const schema = serviceSchema()
const accepts: ValidateFunction = new Ajv({ strict: true, strictTypes: false, strictRequired: false }).compile(schema)

function fault(text: string): string | undefined {
  // The section of a recipe is read only for that recipe.
  const recipe = /^manual:/m.test(text) ? 'manual' : 'docker'
  try {
    readRepositoryConfig(text, recipe)
    return undefined
  } catch (error) {
    if (error instanceof RepositoryConfigFault) return error.message
    throw error
  }
}

const complaint = (text: string): string | undefined => {
  const file: unknown = parse(text, { schema: 'core', version: '1.2', uniqueKeys: false })
  return accepts(file) ? undefined : JSON.stringify(accepts.errors)
}

describe('the schema accepts what the rules accept', () => {
  const corpus = [...webApplications, ...infrastructure, ...forms, ...fileLocations, ...ports, ...repositories]
  test.each(corpus.map((one) => [one.name, one.files] as const))('%s', async (_, files) => {
    const text = (await withServiceFile(files))['.service.yml'] ?? ''
    if (fault(text) === undefined) expect(complaint(text), text).toBeUndefined()
  })

  const documents = globSync(['docs/**/*.md', '*.md', 'examples/**/.service.yml'], { cwd: root })
  const blocks = documents.flatMap((document) => {
    const text = readFileSync(join(root, document), 'utf8')
    if (!document.endsWith('.md')) return [[document, 1, text] as const]
    const found = [...text.matchAll(/^ *```yaml\n([\s\S]*?)^ *```$/gm)]
    return found.map(([, block = ''], index) => [document, index + 1, block] as const)
  })

  test.each(blocks)('%s, block %i', (_, __, text) => {
    if (fault(text) === undefined) expect(complaint(text)).toBeUndefined()
  })

  test('many files were compared', () => {
    expect(corpus.length).toBeGreaterThan(100)
    expect(blocks.filter(([, , text]) => fault(text) === undefined).length).toBeGreaterThan(15)
  })

  test.each([
    'services: { web: }',
    'services: { web: { port: 1, health: "/a?b=c", domain: "{env}-api.example.com", main: true, sticky_sessions: false } }',
    'services: { web: { domain: münchen.example } }',
    'docker: {}',
    'docker: { compose: [a.yml, b.yml], profiles: tools }',
    'docker: { build: { context: ./app, dockerfile: docker/Dockerfile } }',
    'docker: { build: apps/web/ }',
    'docker: { release: { run: x, on_rollback: true }, seed: [{ run: x }, { run: y, service: db, timeout: 1h30m }] }',
    'manual: { deploy: [{ run: "a\\nb", name: ä }], destroy: [] }',
    'actions: { a_b.c: { run: x, artifacts: { paths: ["a/**", "{b,c}*.sql"] } } }',
    'actions: { old: { command: x, result: file } }',
    'actions: { a: { run: x, schedule: "*/5 * * * *", environments: staging, catch_up: true } }',
    'pull_requests: { enabled: label, labels: preview, paths: ["!**/*.md"], expire_after: 72h }',
    'pull_requests: { enabled: false, labels: [], drafts: true, bots: false, comments: true }',
    'deploy_after: checks',
    'deploy_after: { checks: build, timeout: 20m }',
    'deploy_after: {}',
  ])('%s', (text) => {
    expect(fault(text)).toBeUndefined()
    expect(complaint(text)).toBeUndefined()
  })
})

describe('the schema refuses what the rules refuse', () => {
  test.each([
    '{}\n[]',
    'service: { web: {} }',
    'services:',
    'services: [web]',
    'services: { Web: {} }',
    'services: { web: 80 }',
    'services: { web: { prot: 80 } }',
    'services: { web: { port: "80" } }',
    'services: { web: { port: 65536 } }',
    'services: { web: { main: yes } }',
    'services: { web: { health: healthz } }',
    'services: { web: { health: "/a b" } }',
    'services: { web: { domain: "https://example.com" } }',
    'services: { web: { domain: "*.example.com" } }',
    'docker:',
    'docker: { compose: [] }',
    'docker: { compose: /etc/compose.yml }',
    'docker: { compose: a.yml, build: . }',
    'docker: { build: { contxt: . } }',
    'docker: { release: { name: x } }',
    'docker: { release: { run: " " } }',
    'docker: { release: { run: x, timeout: 10 } }',
    'docker: { release: { run: x, timeout: 10min } }',
    'docker: { seed: { run: x, on_rollback: true } }',
    'docker: { profiles: "-x" }',
    'manual: {}',
    'manual: { deploy: [] }',
    'manual: { deploy: [restart.sh] }',
    'manual: { deploy: [{ name: "a\\nb", run: x }] }',
    'actions: { a: { service: db } }',
    'actions: { a: { run: true } }',
    'actions: { a: { run: x, artifacts: { paths: x } } }',
    'actions: { a: { run: x, artifacts: { paths: ["/etc/*"] } } }',
    'actions: { a: { run: x, timezone: UTC } }',
    'actions: { a: { run: x, schedule: "* * * * *", environments: [] } }',
    'actions: { a: { run: x, schedule: "* * * * *", environments: [pr-7] } }',
    'pull_requests: { enabled: maybe }',
    'pull_requests: { enabled: label }',
    'pull_requests: { expire_after: 3 weeks }',
    'deploy_after: green',
    'deploy_after: { check: build }',
    `services: { ${Array.from({ length: 21 }, (_, index) => `a${index}: {}`).join(', ')} }`,
  ])('%s', (text) => {
    expect(fault(text)).toBeDefined()
    expect(complaint(text.split('\n')[0] ?? '')).toBeDefined()
  })
})

describe('the schema knows the keys that the rules know', () => {
  /** Each section of the schema, with a file that has an unknown key there. */
  const sections: readonly (readonly [name: string, node: SchemaNode, file: string])[] = [
    ['', schema, 'zzzzzzzz: 1'],
    ['services.web', at('services', 'additionalProperties'), 'services: { web: { zzzzzzzz: 1 } }'],
    ['docker', at('docker'), 'docker: { zzzzzzzz: 1 }'],
    ['docker.build', at('docker', 'build', 1), 'docker: { build: { zzzzzzzz: 1 } }'],
    ['docker.release', at('docker', 'release', 0), 'docker: { release: { zzzzzzzz: 1 } }'],
    ['docker.seed', at('docker', 'seed', 0), 'docker: { seed: { zzzzzzzz: 1 } }'],
    ['manual', at('manual'), 'manual: { zzzzzzzz: 1 }'],
    ['manual.deploy', at('manual', 'deploy', 'items'), 'manual: { deploy: [{ zzzzzzzz: 1 }] }'],
    ['manual.destroy', at('manual', 'destroy', 'items'), 'manual: { destroy: [{ zzzzzzzz: 1 }] }'],
    ['actions', at('actions', 'additionalProperties', 'else'), 'actions: { a: { zzzzzzzz: 1 } }'],
    ['pull_requests', at('pull_requests'), 'pull_requests: { zzzzzzzz: 1 }'],
    ['deploy_after', at('deploy_after', 1), 'deploy_after: { zzzzzzzz: 1 }'],
  ]
  test.each(sections)('%s', (_, node, file) => {
    const [, known = ''] = /is not a known key; known here: (.*)/.exec(fault(file) ?? '') ?? []
    expect(Object.keys(node.properties ?? {}).toSorted()).toEqual(known.split(', ').toSorted())
  })

  test('each key has a description', () => {
    for (const [name, node] of sections)
      for (const [key, { description }] of Object.entries(node.properties ?? {}))
        expect(description, `${name}.${key}`).toMatch(/^\S.+[^.]$/)
  })
})

/** A key of a section, `items`, `else`, `additionalProperties`, or one of several forms by its number. */
function at(...path: readonly (string | number)[]): SchemaNode {
  return path.reduce<SchemaNode>((node, step) => {
    const next =
      typeof step === 'number'
        ? node.oneOf?.[step]
        : step === 'items' || step === 'else' || step === 'additionalProperties'
          ? node[step]
          : node.properties?.[step]
    if (!next) throw new Error(`The schema has no ${path.join('.')}`)
    return next
  }, schema)
}
