// Typical repositories that the rules let onto a Swarm: Docker itself takes the stack documents that the platform makes of them.
import { hash } from 'node:crypto'
import { adaptModel } from '@shipway/rules/compose/adapt/adapt-model'
import { composeJson } from '@shipway/rules/compose/escaped-dollars'
import { mountedPaths, resolveMounts } from '@shipway/rules/compose/mounts/resolve-mounts'
import { readComposeModel } from '@shipway/rules/compose/read-compose-model'
import { describe, expect, test } from 'vitest'
import { isOnThePath } from '../../../../../tools/real-parts/programs.ts'
import { hasCompose } from '../../../../rules/test/compose.ts'
import { corpus } from '../../../../rules/test/corpus/corpus.ts'
import { refusedOnSwarm } from '../../../../rules/test/corpus/expected-on-swarm.ts'
import { resolveCase } from '../../../../rules/test/corpus/resolve-case.ts'
import { stackConfig } from '../../../test/docker/stack-config.ts'
import { aNode } from '../../../test/docker/swarm-tasks.ts'
import { planServices } from '../compose/plan-services.ts'
import { placeVolumes } from './place-volumes.ts'
import { stackDocuments } from './stack-document.ts'
import { stackFiles } from './stack-files.ts'

const digest = (text: string): string => hash('sha256', text)
const ids = { installationId: 'main', environmentId: 7 }
const none = { cpus: null, memoryBytes: null, processes: null }

/** A lone Dockerfile has no compose file to read. */
const deploying = corpus.filter(
  ({ name, files, refusedAt = [] }) =>
    refusedAt.length === 0 && refusedOnSwarm[name] === undefined && 'compose.yml' in files,
)

async function documentsOf(files: Readonly<Record<string, string>>) {
  const { tree, docker, read, resolved } = await resolveCase(files)
  if (resolved === null || resolved.refused !== null) throw new Error(resolved?.refused ?? 'refused before Compose')
  const routed = docker?.services ?? []
  const names = new Set(routed.map(({ name }) => name))
  const own = adaptModel(readComposeModel(resolved.text), { grants: new Set(), routed: names, runtime: 'swarm' })
  const { checkout } = resolved
  const paths = mountedPaths(own.model, checkout)
  const sources = new Map(await Promise.all(paths.map(async (path) => [path, await tree.kindOf(path)] as const)))
  const { model } = resolveMounts(own.model, { checkout, sources, writes: read.writes, known: [], digest })
  const images = new Map([...model.services.keys()].map((name) => [name, `registry.test/${name}@sha256:${digest('')}`]))
  const plan = planServices(model, {
    services: new Map(routed.map(({ name, port, health }) => [name, { port: port ?? 3000, health }])),
    ...{ live: new Map(), images, settings: '', digest },
  })
  const imageVolumes = new Map<string, readonly string[]>()
  const view = { services: [], tasks: [], nodes: [aNode()], now: 0 }
  const file = (key: string) => ({ path: '/srv/file', digest: digest(key), isExecutable: false })
  const variables = new Map<string, string>()
  return stackDocuments({
    ...{ model, plan, ids, taskId: 5, images, imageVolumes, variables, limits: none, replicas: new Map(), digest },
    groups: new Map(routed.map(({ name }, at) => [name, 20_000 + at])),
    files: new Map(stackFiles(model, variables).map(({ key }) => [key, file(key)])),
    volumes: placeVolumes({ model, imageVolumes, digest, view, ids, taskId: 5 }).places,
  })
}

describe.skipIf(!hasCompose || !isOnThePath('docker'))('Docker takes the stack of', () => {
  test('most of the corpus', () => {
    expect(deploying).toHaveLength(72)
  })

  test.each(deploying.map(({ name, files }) => [name, files] as const))('%s', async (_, files) => {
    const { base, release } = await documentsOf(files)
    const services = { ...Object(base.services), ...Object(release.services) }
    expect(Object.keys(services)).not.toEqual([])
    const parts = ['networks', 'volumes', 'secrets', 'configs'] as const
    const sections = parts.map((part) => [part, { ...Object(base[part]), ...Object(release[part]) }])
    const read = await stackConfig(composeJson({ ...release, services, ...Object.fromEntries(sections) }))
    expect(read, read.err).toMatchObject({ code: 0, err: '' })
  })
})
