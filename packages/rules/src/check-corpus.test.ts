// Repositories of the kinds that people have: each deploys, or is refused for what is dangerous, and the check without Docker says
// the same as Compose with the policy.
import { hash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { hasCompose, PROJECT, resolve } from '../test/compose.ts'
import type { CorpusCase } from '../test/corpus/case.ts'
import { fileLocations } from '../test/corpus/file-locations.ts'
import { forms } from '../test/corpus/forms.ts'
import { infrastructure } from '../test/corpus/infrastructure.ts'
import { ports } from '../test/corpus/ports.ts'
import { repositories } from '../test/corpus/repositories.ts'
import { treeOf, withServiceFile } from '../test/corpus/tree.ts'
import { webApplications } from '../test/corpus/web-applications.ts'
import { checkRepositoryFiles } from './check-repository-files.ts'
import { adaptModel } from './compose/adapt/adapt-model.ts'
import { checkNestedMounts } from './compose/mounts/check-nested-mounts.ts'
import { mountedPaths, resolveMounts } from './compose/mounts/resolve-mounts.ts'
import { checkCompose } from './compose/policy/check-compose.ts'
import { readComposeFiles } from './compose/read-compose-files.ts'
import { readComposeModel } from './compose/read-compose-model.ts'
import { readSource } from './compose/source/read-source.ts'
import { faultLine } from './fault.ts'
import { routePorts } from './service-file/route-ports.ts'

const corpus: readonly CorpusCase[] = [
  ...webApplications,
  ...infrastructure,
  ...forms,
  ...fileLocations,
  ...ports,
  ...repositories,
]
const named = corpus.map((one) => [one.name, one] as const)

test('there are enough of them', () => {
  expect(corpus.length).toBeGreaterThanOrEqual(60)
  expect(new Set(corpus.map(({ name }) => name)).size).toBe(corpus.length)
})

describe('checked without Docker', () => {
  test.each(named)('%s', async (_, { files, refusedAt = [], says = [] }) => {
    const all = await withServiceFile(files)
    const { faults, remarks } = await checkRepositoryFiles(treeOf(all), { recipe: 'docker' })
    const lines = faults.map(faultLine)
    expect(lines.length, lines.join('\n')).toBe(refusedAt.length)
    for (const part of refusedAt) expect(lines.join('\n')).toContain(part)
    for (const part of says) expect(remarks.map(faultLine).join('\n')).toContain(part)
  })
})

/** Cases that Compose and the policy check: faults in `.service.yml` or before Compose come from the same code anyway. */
const resolvable = named.filter(([, { files }]) => 'compose.yml' in files)

describe.skipIf(!hasCompose)('checked by what Compose resolves', () => {
  test.each(resolvable)('%s', async (_, { files, refusedAt = [] }) => {
    const all = await withServiceFile(files)
    const tree = treeOf(all)
    const { config, faults } = await checkRepositoryFiles(tree, { recipe: 'docker' })
    const docker = config?.recipe === 'docker' ? config : null
    const named = docker?.source?.type === 'compose' ? docker.source.files : ['compose.yml']
    const custom = new Map(
      [...(all['compose.yml']?.matchAll(/\$\{([A-Z_]+):\?/g) ?? [])].map(([, name]) => [
        String(name),
        { isForBuilds: true },
      ]),
    )
    const read = await readComposeFiles({
      files: named,
      links: new Set<string>(),
      read: tree.read,
      custom,
      profiles: docker?.profiles ?? [],
      readSource: async (source) => readSource(source),
    })
    if (read.faults.length > 0)
      return expect(faults.map(({ sentence }) => sentence)).toEqual(
        expect.arrayContaining(read.faults.map(({ sentence }) => sentence)),
      )
    const over = Object.entries(read.envFiles).map(
      ([name, paths]) => `  ${name}: { env_file: !override [${paths.map((path) => `"{checkout}/${path}"`)}] }\n`,
    )
    const env = [...read.known.defaults, ...[...custom.keys()].map((key) => [key, 'set'])].map(
      ([key, value]) => `${key}=${value}\n`,
    )
    const given = {
      ...all,
      'over.yml': `services:\n${over.join('') || '  {}'}\n`,
      'all.env': `${env.join('')}PWD={checkout}\n`,
    }
    const { checkout, text, refused } = await resolve(given, {
      composeFiles: over.length > 0 ? [...named, 'over.yml'] : [...named],
      envFile: 'all.env',
      profiles: docker?.profiles ?? [],
    })
    // What Compose itself refuses is refused.
    if (refused !== null) return expect(refusedAt, refused).not.toEqual([])
    const resolved = readComposeModel(text)
    const routed = docker?.services ?? []
    const names = new Set(routed.map(({ name }) => name))
    const own = adaptModel(resolved, { grants: new Set(), routed: names })
    const sources = new Map(
      await Promise.all(
        mountedPaths(own.model, checkout).map(async (path) => [path, await tree.kindOf(path)] as const),
      ),
    )
    const placed = resolveMounts(own.model, {
      checkout,
      sources,
      writes: read.writes,
      known: [],
      digest: (one) => hash('sha256', one),
    })
    const refusals = checkCompose(own.model, {
      checkout,
      platformFolder: '/srv/shipway',
      variablesFile: '/srv/variables.env',
      projectName: PROJECT,
      grants: new Set<never>(),
      routed: names,
    })
    const reported = [
      ...refusals,
      ...checkNestedMounts(placed.model),
      ...routePorts(routed, resolved, read.leftOut).faults,
    ]
    const without = (file: string) => faults.filter((fault) => fault.file !== file || config !== null)
    const foretold = without('.service.yml').map(({ sentence }) => sentence)
    // An image alone says what a Dockerfile exposes.
    expect(reported.map(({ sentence }) => sentence).toSorted()).toEqual(
      foretold.filter((one) => !one.startsWith('The image names')).toSorted(),
    )
  })
})
