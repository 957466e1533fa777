// Compose files by chance: whatever is accepted has nothing of the machine in what would run, however the file was put together.
// GENERATED=10000 makes more of them.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hasCompose, resolve } from '../test/compose.ts'
import { treeOf } from '../test/corpus/tree.ts'
import { service, topLevel } from '../test/generated-services.ts'
import { checkRepositoryFiles } from './check-repository-files.ts'
import { adaptModel } from './compose/adapt/adapt-model.ts'
import type { ComposeModel, JsonObject } from './compose/model.ts'
import { checkNestedMounts } from './compose/mounts/check-nested-mounts.ts'
import { mountedPaths, resolveMounts } from './compose/mounts/resolve-mounts.ts'
import { checkCompose } from './compose/policy/check-compose.ts'
import { CHECKOUT, PROJECT, readComposeFiles } from './compose/read-compose-files.ts'
import { composeModel, readComposeModel } from './compose/read-compose-model.ts'
import { readSource } from './compose/source/read-source.ts'

const count = Number(process.env.GENERATED ?? 300)

/** What would run: null where it is refused. */
function accepted(
  resolved: ComposeModel,
  { checkout, project }: { checkout: string; project: string },
): ComposeModel | null {
  const routed = new Set(['web'])
  const own = adaptModel(resolved, { grants: new Set(), routed })
  const sources = new Map(mountedPaths(own.model, checkout).map((path) => [path, 'absent' as const]))
  const placed = resolveMounts(own.model, { checkout, sources, writes: [], known: [], digest: (text) => text })
  const refusals = checkCompose(own.model, {
    checkout,
    platformFolder: '/srv/shipway',
    variablesFile: '/srv/variables.env',
    projectName: project,
    grants: new Set<never>(),
    routed,
  })
  return refusals.length + checkNestedMounts(placed.model).length === 0 ? placed.model : null
}

/** By its own list, and not by the policy's: everything through which a container has something that is not the environment's. */
function outsideTheRules({ services, networks, volumes }: ComposeModel, project: string, checkout: string): string[] {
  const found = [...services.values()].flatMap(({ name, definition, mounts }) => [
    ...Object.keys(definition).filter((key) => NEVER.includes(key) && isGiven(definition[key])),
    ...mounts.flatMap(({ type, source, isReadOnly }) => {
      if (type === 'volume' || type === 'tmpfs') return []
      const isClock = isReadOnly && (source === '/etc/localtime' || source === '/etc/timezone')
      const isInside =
        type === 'bind' && (source === checkout || (source ?? '').startsWith(`${checkout}/`)) && !source?.includes('..')
      return isClock || isInside ? [] : [`${name} mounts ${source}`]
    }),
    ...['network_mode', 'pid', 'ipc'].filter((key) => /^(host|bridge|container:)/.test(String(definition[key] ?? ''))),
    ...(JSON.stringify(definition.security_opt ?? []).includes('unconfined') ? ['security_opt'] : []),
  ])
  const own = ([key, { name, external, driver, driver_opts: options }]: [string, JsonObject]): string[] =>
    external === true ||
    !String(name).startsWith(`${project}_`) ||
    isGiven(options) ||
    !['bridge', 'local', undefined].includes(driver as string | undefined)
      ? [key]
      : []
  return [
    ...found,
    ...[...networks].flatMap(own),
    ...[...volumes].filter(([, volume]) => volume.name !== undefined).flatMap(own),
  ]
}

const NEVER = [
  'ports',
  'privileged',
  'cap_add',
  'devices',
  'uts',
  'userns_mode',
  'cgroup_parent',
  'sysctls',
  'container_name',
  'gpus',
]
const isGiven = (value: unknown): boolean =>
  value !== undefined &&
  value !== null &&
  value !== false &&
  value !== '' &&
  JSON.stringify(value) !== '[]' &&
  JSON.stringify(value) !== '{}'

/** Half of the others are harmless, so that enough files are accepted whatever chance brings: of two by chance few are. */
const other = fc.oneof(service, fc.constant({ image: 'other' }))
const files = fc
  .record({ web: service, other, top: topLevel })
  .map(({ web, other, top }) => ({ ...top, services: { web, other } }))

test('nothing that is accepted has something of the machine', { timeout: 600_000 }, async () => {
  let acceptedCount = 0
  await fc.assert(
    fc.asyncProperty(files, async (file) => {
      const tree = treeOf({ 'compose.yml': JSON.stringify(file), '.service.yml': 'services: { web: { port: 80 } }\n' })
      const reading = {
        files: ['compose.yml'],
        links: new Set<string>(),
        read: tree.read,
        custom: new Map(),
        profiles: [],
      }
      const read = await readComposeFiles({ ...reading, readSource: async (source) => readSource(source) })
      const model =
        read.faults.length > 0 ? null : accepted(modelOf(read.document), { checkout: CHECKOUT, project: PROJECT })
      const { faults } = await checkRepositoryFiles(tree, { recipe: 'docker' })
      // The policy's refusals are reported; the check also predicts what Compose refuses.
      if (model === null) expect(faults).not.toEqual([])
      if (model === null) return
      acceptedCount++
      expect(outsideTheRules(model, PROJECT, CHECKOUT)).toEqual([])
    }),
    { numRuns: count },
  )
  // It is no test where everything is refused.
  expect(acceptedCount).toBeGreaterThan(count / 30)
})

const modelOf = (document: JsonObject): ComposeModel => composeModel(JSON.parse(JSON.stringify(document)))

/** One file of many services, since to start Compose takes longer than to check what it prints. */
test.skipIf(!hasCompose)('Compose resolves such services to the same verdicts', { timeout: 120_000 }, async () => {
  const services = fc
    .sample(service, { numRuns: 300, seed: 20_261_116 })
    .map((one) => Object.fromEntries(Object.entries(one).filter(([key]) => key !== 'container_name')))
    .filter(isForCompose)
  const named = Object.fromEntries(services.map((one, at) => [`s${at}`, one]))
  const top = { networks: { front: {} }, volumes: { data: {}, cache: {} } }
  const { checkout, text, refused } = await resolve({
    'compose.yml': { ...top, services: { other: { image: 'other' }, ...named } },
  })
  expect(refused).toBeNull()
  const resolved = readComposeModel(text)
  let acceptedCount = 0
  for (const name of Object.keys(named)) {
    const alone = (definition: unknown) =>
      composeModel({
        ...top,
        ...namedTop(resolved),
        services: { web: definition, other: { image: 'other' } },
        name: resolved.name,
      })
    const model = accepted(alone(resolved.services.get(name)?.definition), { checkout, project: resolved.name })
    const tree = treeOf({
      'compose.yml': JSON.stringify({ ...top, services: { web: named[name], other: { image: 'other' } } }),
      '.service.yml': 'services: { web: { port: 80 } }\n',
    })
    const { faults } = await checkRepositoryFiles(tree, { recipe: 'docker' })
    expect(model === null, `${JSON.stringify(named[name])}: ${faults.map(({ sentence }) => sentence)}`).toBe(
      faults.length > 0,
    )
    if (model === null) continue
    acceptedCount++
    expect(outsideTheRules(model, resolved.name, checkout)).toEqual([])
  }
  expect(acceptedCount).toBeGreaterThan(20)
})

const namedTop = ({ networks, volumes }: ComposeModel) => ({
  networks: Object.fromEntries(networks),
  volumes: Object.fromEntries(volumes),
})

/** What Compose itself refuses would end the whole file. */
function isForCompose({ network_mode: mode, networks, ports, volumes = [], ...others }: JsonObject): boolean {
  const types = Array.isArray(volumes)
    ? volumes.map((mount) => (typeof mount === 'object' && mount !== null && 'type' in mount ? mount : null))
    : []
  return (
    !(mode !== undefined && (networks !== undefined || (ports !== undefined && mode === 'host'))) &&
    types.every((mount) => mount === null || (mount.type === 'bind' && 'source' in mount)) &&
    new Set((Array.isArray(volumes) ? volumes : []).map(targetOf)).size ===
      (Array.isArray(volumes) ? volumes.length : 0) &&
    others.uts !== ''
  )
}

const targetOf = (mount: unknown): string =>
  typeof mount === 'string'
    ? (mount.split(':')[1] ?? '')
    : String(typeof mount === 'object' && mount !== null && 'target' in mount ? mount.target : '')

test('malformed values are reported at their positions, and nothing throws', async () => {
  await fc.assert(
    fc.asyncProperty(fc.json(), fc.json(), async (value, other) => {
      const text = `{"services":{"web":${value},"x":{"image":"a","volumes":${other},"ports":${value}}},"networks":${other}}`
      const tree = treeOf({ 'compose.yml': text, '.service.yml': 'services: { web: { port: 80 } }\n' })
      const { faults } = await checkRepositoryFiles(tree, { recipe: 'docker' })
      for (const { sentence, file, line, column } of faults) {
        expect(sentence).not.toBe('')
        expect(file).toMatch(/^(compose|\.service)\.yml$/)
        expect(Math.min(line, column)).toBeGreaterThan(0)
      }
    }),
    { numRuns: Math.min(count, 1000) },
  )
})
