// Repositories of the kinds that people have: each deploys, or is refused for what is dangerous, and the check without Docker says
// the same as Compose with the policy.
import { hash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { hasCompose, PROJECT } from '../test/compose.ts'
import { corpus } from '../test/corpus/corpus.ts'
import { refusedOnSwarm } from '../test/corpus/expected-on-swarm.ts'
import { resolveCase } from '../test/corpus/resolve-case.ts'
import { treeOf, withServiceFile } from '../test/corpus/tree.ts'
import { checkRepositoryFiles } from './check-repository-files.ts'
import { adaptModel } from './compose/adapt/adapt-model.ts'
import { checkNestedMounts } from './compose/mounts/check-nested-mounts.ts'
import { mountedPaths, resolveMounts } from './compose/mounts/resolve-mounts.ts'
import { checkCompose } from './compose/policy/check-compose.ts'
import { readComposeModel } from './compose/read-compose-model.ts'
import { faultLine } from './fault.ts'
import { routePorts } from './service-file/route-ports.ts'

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

describe('checked for a Swarm', () => {
  test.each(named)('%s', async (name, { files }) => {
    const tree = treeOf(await withServiceFile(files))
    const onMachine = await checkRepositoryFiles(tree, { recipe: 'docker' })
    const onSwarm = await checkRepositoryFiles(tree, { recipe: 'docker', runtime: 'swarm' })
    const expected = refusedOnSwarm[name] ?? []
    const lines = onSwarm.faults.map(({ sentence }) => sentence)
    if (onMachine.faults.length > 0) return expect(lines).not.toEqual([])
    expect(lines, lines.join('\n')).toHaveLength(expected.length)
    for (const beginning of expected) expect(lines.some((line) => line.startsWith(beginning))).toBe(true)
  })

  test('most of what deploys on one machine also does there', async () => {
    const deploying = corpus.filter(({ refusedAt = [] }) => refusedAt.length === 0)
    const also = deploying.filter(({ name }) => refusedOnSwarm[name] === undefined)
    expect([corpus.length, deploying.length, also.length]).toEqual([141, 114, 105])
  })
})

/** Cases that Compose and the policy check: faults in `.service.yml` or before Compose come from the same code anyway. */
const resolvable = named.filter(([, { files }]) => 'compose.yml' in files)

describe.skipIf(!hasCompose)('checked by what Compose resolves', () => {
  test.each(resolvable)('%s', async (_, { files, refusedAt = [] }) => {
    const { tree, config, faults, docker, read, resolved } = await resolveCase(files)
    if (resolved === null)
      return expect(faults.map(({ sentence }) => sentence)).toEqual(
        expect.arrayContaining(read.faults.map(({ sentence }) => sentence)),
      )
    const { checkout, text, refused } = resolved
    // What Compose itself refuses is refused.
    if (refused !== null) return expect(refusedAt, refused).not.toEqual([])
    const model = readComposeModel(text)
    const routed = docker?.services ?? []
    const names = new Set(routed.map(({ name }) => name))
    const own = adaptModel(model, { grants: new Set(), routed: names })
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
      ...routePorts(routed, model, read.leftOut).faults,
    ]
    const without = (file: string) => faults.filter((fault) => fault.file !== file || config !== null)
    const foretold = without('.service.yml').map(({ sentence }) => sentence)
    // An image alone says what a Dockerfile exposes.
    expect(reported.map(({ sentence }) => sentence).toSorted()).toEqual(
      foretold.filter((one) => !one.startsWith('The image names')).toSorted(),
    )
  })
})
