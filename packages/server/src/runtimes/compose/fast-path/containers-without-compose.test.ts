// A container that is made without Compose is the one that Compose makes, on a real Docker Engine, and Compose takes it for its own.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { composeJson } from '@shipway/rules/compose/escaped-dollars'
import type { JsonObject } from '@shipway/rules/compose/model'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from '../../../../../../tools/free-port.ts'
import { type EngineClient, hasDocker } from '../../../../test/docker/docker-engine.ts'
import { sharedEngine } from '../../../../test/docker/shared-engine.ts'
import { createLocalHost } from '../../../../test/processes/local-host.ts'
import { startNewContainers } from '../../../commands/docker/compose.ts'
import { containerRequest } from '../../../domain/compose/container-request.ts'
import type { Host } from '../../../remote/host.ts'
import { renderVariableFile, variablesInFile } from '../../../secrets/variable-file.ts'
import type { ServiceStart } from '../service-start.ts'
import { startRequested } from './containers-without-compose.ts'

const values = new Map([
  ['PLAIN', '1'],
  ['ODD', `two words, "quotes", 'more', $HOME, \${x}, \`ticks\`,\nlines and a backslash \\`],
  ['OVER', 'the environment'],
])
const labels = { 'shipway.installation': 'alike', 'shipway.environment': '7', 'shipway.task': '42' }

describe.skipIf(!hasDocker)('a container that is made without Compose', () => {
  let engine: EngineClient
  let host: Host
  let folder: string

  beforeAll(async () => {
    engine = await sharedEngine()
    folder = mkdtempSync(join(tmpdir(), 'shipway-alike-'))
    host = createLocalHost('here', { DOCKER_HOST: engine.host, PATH: process.env.PATH ?? '', HOME: folder })
    const container = (await engine.docker('create', 'shipway-test/busybox')).trim()
    const changes = ['CMD ["sleep","9999"]', 'EXPOSE 8080', 'ENV OVER=image KEPT=image', 'USER 1000', 'LABEL of=image']
    const words = changes.flatMap((change) => ['--change', change])
    await engine.docker('commit', ...words, container, 'alike:image')
    await engine.docker('rm', container)
  })
  afterAll(async () => {
    await removeAll()
    const networks = await engine?.docker('network', 'ls', '--quiet', '--filter', 'name=alike-')
    for (const network of networks.split('\n').filter(Boolean)) await engine.docker('network', 'rm', network)
    await engine?.docker('image', 'rm', '--force', 'alike:image')
    rmSync(folder, { recursive: true })
  })

  const removeAll = async () => {
    const ids = await engine?.docker('ps', '--all', '--quiet', '--filter', 'label=shipway.installation=alike')
    for (const id of (ids ?? '').split('\n').filter(Boolean)) await engine.docker('rm', '--force', id)
  }

  /** A project with one container of a service, made by Compose. */
  async function begin(name: string, definition: JsonObject) {
    const variablesFile = join(folder, 'variables.env')
    writeFileSync(variablesFile, renderVariableFile(values).reveal())
    const [first, second] = [await freePort(), await freePort()]
    const documentOn = (port: number): JsonObject => {
      const own = { image: 'alike:image', pull_policy: 'never', restart: 'unless-stopped', networks: { default: null } }
      const ports = [`127.0.0.1:${port}:3000`]
      const added = {
        env_file: [variablesFile],
        environment: {},
        ports,
        labels: { ...labels, 'shipway.service': 'web' },
      }
      const network = { name: `${name}_default`, external: true }
      return { name, services: { web: { ...own, ...added, ...definition } }, networks: { default: network } }
    }
    const file = join(folder, `${name}.json`)
    const project = { name, directory: folder, file, variablesFile }
    const compose = async (count: number) => {
      const { exitCode, stderr } = await host.run(startNewContainers(project, new Map([['web', count]])))
      expect(exitCode, stderr.toString()).toBe(0)
    }
    await engine.docker('network', 'create', `${name}_default`)
    writeFileSync(file, composeJson(documentOn(first)))
    await compose(1)
    const document = documentOn(second)
    writeFileSync(file, composeJson(document))
    const inspect = async (number: number) => JSON.parse(await engine.docker('inspect', `${name}-web-${number}`))[0]
    const [version, imageId] = await engine
      .docker(
        'inspect',
        '--format',
        '{{index .Config.Labels "com.docker.compose.version"}} {{.Image}}',
        `${name}-web-1`,
      )
      .then((printed) => printed.trim().split(' '))
    const request = containerRequest('web', {
      document,
      variables: variablesInFile(values),
      number: 2,
      directory: folder,
      file,
      variablesFile,
      imageId: imageId ?? '',
      composeVersion: version ?? '',
    })
    const list = async () =>
      (await engine.docker('ps', '--quiet', '--no-trunc', '--filter', `name=^${name}-web-`)).split('\n').filter(Boolean)
    return { compose, inspect, list, request }
  }

  async function start(request: ReturnType<typeof containerRequest>): Promise<boolean> {
    const requests = new Map(request ? [['web', request]] : [])
    const io = {
      host,
      signal: new AbortController().signal,
      say: () => undefined,
      warn: () => undefined,
      durably: () => Promise.reject(),
    }
    const ids = { installationId: 'alike', environmentId: 7, imageToken: '', cacheToken: '' }
    return (await startRequested(io, { ids, taskId: 42 }, { services: [service], requests })) !== undefined
  }

  test.each<[string, JsonObject]>([
    ['by its image alone', {}],
    [
      'by a command, variables and its limits',
      {
        command: ['sh', '-c', 'echo $PATH; sleep 9999'],
        environment: { OVER: null, OWN: 'a$b', EMPTY: '' },
        cpus: 1.3,
        mem_limit: '67108864',
        pids_limit: 50,
        labels: { ...labels, 'shipway.service': 'web', 'shipway.hash': 'abc', of: 'file' },
      },
    ],
    [
      'by all that is known of a service',
      {
        entrypoint: ['sleep'],
        command: ['9999'],
        user: '0',
        working_dir: '/tmp',
        hostname: 'named',
        stop_signal: 'SIGINT',
        stop_grace_period: '1m30s',
        init: true,
        tty: true,
        read_only: true,
        cap_drop: ['ALL'],
        cap_add: ['NET_BIND_SERVICE'],
        restart: 'on-failure:3',
        expose: ['4000'],
        ports: [],
        depends_on: {},
        mem_limit: 33_554_432,
        'x-note': 'nothing',
        networks: { default: { aliases: ['other'] } },
        healthcheck: {
          test: ['CMD-SHELL', 'true'],
          interval: '1m0s',
          timeout: '1.5s',
          retries: 3,
          start_period: '500ms',
        },
      },
    ],
  ])('is like that of Compose: %s', async (title, definition) => {
    const { compose, inspect, list, request } = await begin(`alike-${title.length}`, definition)
    await compose(2)
    const theirs = await inspect(2)
    await engine.docker('rm', '--force', theirs.Id)
    expect(await start(request)).toBe(true)
    const ours = await inspect(2)
    expect(comparable(ours)).toEqual(comparable(theirs))
    await compose(2)
    expect((await list()).toSorted()).toEqual([(await inspect(1)).Id, ours.Id].toSorted())
  })

  test('is found again after a try that was cut off, and started by the first worker that comes', async () => {
    const { compose, inspect, request } = await begin('alike-again', {})
    await start(request)
    const made = await inspect(2)
    expect(await start(request)).toBe(true)
    for (const goOn of [() => start(request), () => compose(2)]) {
      await engine.docker('rm', '--force', 'alike-again-web-2')
      await engine.docker('create', '--name', 'alike-again-web-2', ...wordsOf(made.Config.Labels), 'alike:image')
      await goOn()
      expect(await inspect(2)).toMatchObject({ State: { Status: 'running' } })
    }
  })

  test('is left to Compose where another one has its name, or its network or its image is gone', async () => {
    const { inspect, request } = await begin('alike-other', {})
    await engine.docker('create', '--name', 'alike-other-web-2', '--label', 'shipway.installation=alike', 'alike:image')
    expect(await start(request)).toBe(false)
    expect(await inspect(2)).toMatchObject({ State: { Status: 'created' } })
    if (!request) throw new Error('There is no request')
    const body = { ...request.body, HostConfig: {}, NetworkingConfig: {} }
    const elsewhere = { ...body, HostConfig: { NetworkMode: 'alike-absent' } }
    expect(await start({ ...request, name: 'alike-other-web-3', body: elsewhere })).toBe(false)
    expect(await start({ ...request, name: 'alike-other-web-4', body: { ...body, Image: 'alike:absent' } })).toBe(false)
    expect(await start({ ...request, name: 'alike-other-web-5', body })).toBe(true)
  })
})

const wordsOf = (all: Readonly<Record<string, string>>): string[] =>
  Object.entries(all).flatMap(([key, value]) => ['--label', `${key}=${value}`])

const service: ServiceStart = {
  name: 'web',
  level: 0,
  mode: 'beside',
  whyInPlace: null,
  gate: 'running',
  health: '/',
  port: null,
  slot: null,
  containerPort: null,
  hasContainer: true,
  isWholeByDefinition: true,
  oldPorts: [],
}

/** Without what is another one's for each container: its id, times, places and addresses; and Compose's own digest. */
function comparable({ Id, Created, GraphDriver, State, ...inspected }: JsonObject & { readonly Id: string }): unknown {
  const { 'com.docker.compose.config-hash': digest, ...others } = Object(inspected.Config).Labels
  expect(digest).toBeTypeOf('string')
  const own = {
    ...inspected,
    Config: { ...Object(inspected.Config), Labels: others, Env: Object(inspected.Config).Env.toSorted() },
  }
  const text = JSON.stringify({ ...own, status: Object(State).Status })
    .replaceAll(Id, 'ID')
    .replaceAll(Id.slice(0, 12), 'ID')
  // Compose names the network by its id here, and by its name where containers are found in it.
  const passing = /"(MacAddress|EndpointID|IPAddress|SandboxID|SandboxKey|NetworkMode)":"[^"]*"/g
  return JSON.parse(text.replaceAll(passing, '"$1":"…"').replaceAll('"IPAMConfig":{}', '"IPAMConfig":null'))
}
