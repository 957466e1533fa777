// The registry on the manager of a real Swarm: what a release brings there, what its tokens open, and what is removed again.
import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { request } from 'node:https'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Swarm, type SwarmNode, startSwarm } from '../../../../test/docker/swarm.ts'
import {
  hasRegistry,
  type SwarmRegistry,
  startNamedRegistry,
  startSwarmRegistry,
} from '../../../../test/docker/swarm-registry.ts'
import { listProcesses } from '../../../../test/process-list.ts'
import { readStep, startStep } from '../../../../test/steps.ts'
import { type ManagerRegistry, repositoryOf } from '../../../deployment/registry.ts'
import type { DurableWork, StepIo } from '../../../deployment/run.ts'
import { CommandFailed } from '../../../domain/tasks/step-fault.ts'
import { checkRegistry } from '../../../remote/swarm/check-registry.ts'
import { makeCertificate } from '../../../secrets/registry/certificate.ts'
import {
  createRegistryKeys,
  generateRegistryKey,
  type RegistryAccess,
} from '../../../secrets/registry/registry-keys.ts'
import { Secret } from '../../../secrets/secret.ts'
import { collectRegistryGarbage, removeRepository, removeUnusedImages } from './clean-registry.ts'
import { imageOf, type PushedImages, pullSettings, pushImages } from './push-images.ts'

const installationId = 'a1b2c3'
const serverId = 5
const keys = createRegistryKeys(generateRegistryKey(), installationId)
const tokens: string[] = []

function registryOf(environmentId: number): ManagerRegistry {
  const imageToken = String(environmentId).padStart(32, 'c')
  const repository = repositoryOf({ installationId, environmentId, imageToken })
  return {
    type: 'manager',
    repository,
    signToken: (access) => tokenFor(repository, { access }),
    certify: (address) => keys.certify(serverId, address),
  }
}

type Grant = { readonly access: RegistryAccess; readonly server?: number; readonly now?: number }

function tokenFor(repository: string, { access, server = serverId, now = Date.now() }: Grant): Secret {
  const token = keys.signToken({ serverId: server, repository, access, now })
  tokens.push(token.reveal())
  return token
}

describe.skipIf(!hasRegistry)('the registry of a manager', () => {
  let swarm: Swarm
  let manager: SwarmNode
  let worker: SwarmNode
  let registry: SwarmRegistry
  let pushed: PushedImages
  const [shop, blog] = [registryOf(7), registryOf(8)]
  const seen: string[] = []
  let tasks = 0

  beforeAll(async () => {
    swarm = await startSwarm({ managers: 1, workers: 1 })
    const [first, second] = [swarm.managers[0], swarm.workers[0]]
    if (!first || !second) throw new Error('Two nodes were asked for')
    manager = first
    worker = second
    registry = startSwarmRegistry(manager, { installationId, authority: keys.authorityOf(serverId), nodes: [worker] })
    pushed = await push(shop, { taskId: 1, text: 'first' })
  })
  afterAll(async () => {
    await registry?.stop()
    await swarm?.stop()
  })

  /** Works as a runner does, and looks at every process meanwhile. */
  const ioOf = (): StepIo => ({
    host: registry.host,
    signal: new AbortController().signal,
    say: () => undefined,
    warn: () => undefined,
    durably: async ({ run, folder, environment }: DurableWork) => {
      if ('script' in run) throw new TypeError('It is a command')
      await startStep(registry.host, { run, folder, cwd: folder, environment })
      const look = setInterval(() => seen.push(...listProcesses()), 20)
      const { end, output } = await readStep(registry.host, folder).finally(() => clearInterval(look))
      seen.push(output.toString())
      if (end.state !== 'exited') throw new Error(`The step has ${end.state}`)
      if (end.exitCode !== 0) throw CommandFailed(end.exitCode)
    },
  })

  /** One image of its own for each text, which two services have. */
  async function push(of: ManagerRegistry, { taskId, text }: { taskId: number; text: string }): Promise<PushedImages> {
    const image = `built-${of.repository.slice(-2)}:${taskId}`
    const container = (await manager.docker('create', 'shipway-test/busybox', 'true')).trim()
    await manager.docker(
      'commit',
      '--change',
      `LABEL text=${text}`,
      '--change',
      'CMD ["sleep","600"]',
      container,
      image,
    )
    await manager.docker('rm', container)
    return pushImages(ioOf(), of, {
      taskId,
      installationId,
      images: new Map([
        ['web', image],
        ['Worker', image],
      ]),
      folder: join(registry.home, 'steps', String(tasks++)),
    })
  }

  /** Creates a service on every node, as the runtime does. */
  async function serve(name: string, image: string, settings: Secret): Promise<void> {
    const text = settings.reveal()
    await registry.host.run(
      [
        'sh',
        '-c',
        'umask 077; mkdir -p "$HOME/pull" && cat >"$HOME/pull/config.json" && docker --config "$HOME/pull" service create --detach --with-registry-auth --no-resolve-image --endpoint-mode dnsrr --restart-condition none --mode global --label shipway.installation=a1b2c3 --label shipway.environment=7 --name "$1" "$2"',
        'serve',
        name,
        image,
      ],
      { input: text },
    )
  }

  const statesOf = async (name: string): Promise<string[]> =>
    (await manager.docker('service', 'ps', '--no-trunc', '--format', '{{.CurrentState}} {{.Error}}', name))
      .trim()
      .split('\n')

  /** What it answers to a client that has a token, or none. */
  function call(method: string, path: string, token?: string): Promise<{ status: number; text: string }> {
    const headers = {
      accept: 'application/vnd.docker.distribution.manifest.v2+json',
      ...(token && { authorization: `Bearer ${token}` }),
    }
    const ca = keys.certify(serverId, manager.address).authority
    return new Promise((resolve, reject) => {
      request(`https://${pushed.registry}/v2/${path}`, { method, headers, ca }, (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }))
      })
        .on('error', reject)
        .end()
    })
  }

  const stored = (repository: string): string[] => {
    const folder = `.shipway/${installationId}/registry/data/docker/registry/v2/repositories/${repository}`
    const tags = join(registry.home, folder, '_manifests/tags')
    return existsSync(tags) ? readdirSync(tags).sort() : []
  }

  test('takes the images of a release, which every node pulls by digest with the token of its environment', async () => {
    expect(pushed).toEqual({
      registry: `${manager.address}:5443`,
      digests: { web: expect.stringMatching(/^sha256:/), Worker: pushed.digests.web },
    })
    await serve('shop', imageOf(shop, pushed, 'web'), pullSettings(shop, pushed))
    await vi.waitFor(
      async () =>
        expect(await statesOf('shop')).toEqual([expect.stringMatching(/^Running/), expect.stringMatching(/^Running/)]),
      { timeout: 120_000, interval: 250 },
    )
    expect(await worker.docker('image', 'ls', '--digests')).toContain(pushed.digests.web)
    // The name by which it was pushed would let a compose file name it.
    expect(await manager.docker('image', 'ls', '--format', '{{.Repository}}:{{.Tag}}')).not.toContain(':r1-1')
  })

  test('a node pulls nothing with the token of another environment', async () => {
    const other = await push(blog, { taskId: 2, text: 'secret' })
    await serve('thief', imageOf(blog, other, 'web'), pullSettings(shop, pushed))
    await vi.waitFor(async () => expect((await statesOf('thief')).join()).toMatch(/Rejected.*No such image/), {
      timeout: 120_000,
      interval: 250,
    })
    await manager.docker('service', 'rm', 'thief')
    expect(await worker.docker('image', 'ls', '--digests')).not.toContain(other.digests.web)
  })

  describe('to a client over the network', () => {
    const manifest = () => `${shop.repository}/manifests/${pushed.digests.web}`
    const read = (token?: string) => call('GET', manifest(), token)

    test('gives an image to the tokens of its environment alone', async () => {
      expect(await read(tokenFor(shop.repository, { access: 'pull' }).reveal())).toMatchObject({ status: 200 })
      expect(await read(tokenFor(shop.repository, { access: 'push' }).reveal())).toMatchObject({ status: 200 })
      expect(await read()).toMatchObject({ status: 401 })
      expect(await read(tokenFor(blog.repository, { access: 'push' }).reveal())).toMatchObject({ status: 401 })
      expect(await read(tokenFor(blog.repository, { access: 'pull' }).reveal())).toMatchObject({ status: 401 })
    })

    test('refuses tokens that are over, of another server, or of another signer', async () => {
      const hour = 60 * 60_000
      const now = Date.now()
      expect(await read(tokenFor(shop.repository, { access: 'push', now: now - 7 * hour }).reveal())).toMatchObject({
        status: 401,
      })
      expect(await read(tokenFor(shop.repository, { access: 'push', now: now + hour }).reveal())).toMatchObject({
        status: 401,
      })
      expect(await read(tokenFor(shop.repository, { access: 'push', server: 6 }).reveal())).toMatchObject({
        status: 401,
      })
      const other = createRegistryKeys(generateRegistryKey(), installationId)
      const grant = { serverId, repository: shop.repository, access: 'push', now } as const
      expect(await read(other.signToken(grant).reveal())).toMatchObject({ status: 401 })
    })

    test('refuses a token that was changed, or signed with what the machine of the registry holds', async () => {
      const [head = '', body = '', signature = ''] = tokenFor(shop.repository, { access: 'push' }).reveal().split('.')
      const claims = JSON.parse(Buffer.from(body, 'base64url').toString())
      const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url')
      const wider = encode({ ...claims, access: [{ type: 'repository', name: blog.repository, actions: ['*'] }] })
      const read8 = (token: string) => call('GET', `${blog.repository}/tags/list`, token)
      expect(await read8(`${head}.${wider}.${signature}`)).toMatchObject({ status: 401 })
      expect(await read8(`${encode({ typ: 'JWT', alg: 'none' })}.${wider}.`)).toMatchObject({ status: 401 })
      expect(await read8(`${encode({ typ: 'JWT', alg: 'HS256' })}.${wider}.${signature}`)).toMatchObject({
        status: 401,
      })

      const machine = keys.certify(serverId, manager.address)
      const own = createPrivateKey(machine.privateKey.reveal())
      const chains = [
        [machine.certificate, machine.authority].map(derOf),
        [derOf(machine.tokens.certificate)],
        [makeCertificate({ subject: 'Shipway registry tokens', key: own, isAuthority: true }).toString('base64')],
      ]
      for (const x5c of chains) {
        const signed = `${encode({ typ: 'JWT', alg: 'EdDSA', x5c })}.${wider}`
        const forged = sign(null, Buffer.from(signed), own).toString('base64url')
        expect(await read8(`${signed}.${forged}`)).toMatchObject({ status: 401 })
      }
      const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      const signed = `${encode({ typ: 'JWT', alg: 'ES256', jwk: publicKey.export({ format: 'jwk' }) })}.${wider}`
      const forged = sign('sha256', Buffer.from(signed), { key: privateKey, dsaEncoding: 'ieee-p1363' })
      expect(await read8(`${signed}.${forged.toString('base64url')}`)).toMatchObject({ status: 401 })
    })

    test('lets a token that pulls write nothing, and no token delete or list what there is', async () => {
      const pull = tokenFor(shop.repository, { access: 'pull' }).reveal()
      const mayPush = tokenFor(shop.repository, { access: 'push' }).reveal()
      expect(await call('POST', `${shop.repository}/blobs/uploads/`, pull)).toMatchObject({ status: 401 })
      expect(await call('PUT', `${shop.repository}/manifests/r1-1`, pull)).toMatchObject({ status: 401 })
      expect(await call('PUT', `${blog.repository}/manifests/r2-1`, mayPush)).toMatchObject({ status: 401 })
      for (const token of [pull, mayPush]) {
        expect((await call('DELETE', manifest(), token)).status).toBe(401)
        expect((await call('GET', '_catalog', token)).status).toBe(401)
      }
    })

    test('brings no part of an image of another environment into one of its own', async () => {
      const mayPush = tokenFor(blog.repository, { access: 'push' }).reveal()
      const image = JSON.parse((await read(tokenFor(shop.repository, { access: 'pull' }).reveal())).text)
      const config: string = image.config.digest
      const mount = `${blog.repository}/blobs/uploads/?mount=${config}&from=${shop.repository}`
      expect(await call('POST', mount, mayPush)).toMatchObject({ status: 401 })
      expect(await call('GET', `${blog.repository}/blobs/${config}`, mayPush)).toMatchObject({ status: 404 })
      expect(await call('GET', `${blog.repository}/manifests/${pushed.digests.web}`, mayPush)).toMatchObject({
        status: 404,
      })
      expect(await call('GET', `${shop.repository}/blobs/${config}`, mayPush)).toMatchObject({ status: 401 })
    })
  })

  test('keeps what a rollback needs and what still serves, and nothing of an environment that is gone', async () => {
    const needed = { installationId, environmentId: 7 }
    for (const taskId of [3, 4, 5]) await push(shop, { taskId, text: `number-${taskId}` })
    // The next deployment has pushed its image, and has no service yet.
    await removeUnusedImages(registry.host, shop, { ...needed, taskIds: [3, 4] })
    expect(stored(shop.repository)).toEqual(['r3-1', 'r4-1', 'r5-1'])
    await removeUnusedImages(registry.host, shop, { ...needed, taskIds: [4, 5] })
    await collectRegistryGarbage(registry.host, { installationId, goneOf: async () => [] })
    expect(stored(shop.repository)).toEqual(['r4-1', 'r5-1'])
    const pull = tokenFor(shop.repository, { access: 'pull' }).reveal()
    // The service of the first test runs it.
    expect(await call('GET', `${shop.repository}/manifests/${pushed.digests.web}`, pull)).toMatchObject({ status: 200 })

    await manager.docker('service', 'rm', 'shop')
    await removeUnusedImages(registry.host, shop, { ...needed, taskIds: [4, 5] })
    await collectRegistryGarbage(registry.host, { installationId, goneOf: async () => [] })
    expect(await call('GET', `${shop.repository}/manifests/${pushed.digests.web}`, pull)).toMatchObject({ status: 404 })
    // What was collected is sent again.
    const again = await push(shop, { taskId: 6, text: 'first-again' })
    expect(await call('GET', `${shop.repository}/manifests/${again.digests.web}`, pull)).toMatchObject({ status: 200 })

    await removeRepository(registry.host, needed)
    expect(stored(shop.repository)).toEqual([])
    expect(stored(blog.repository)).not.toEqual([])
    await collectRegistryGarbage(registry.host, {
      installationId,
      goneOf: async (ids) => {
        expect(ids).toEqual([8])
        return ids
      },
    })
    expect(filesBelow(join(registry.home, `.shipway/${installationId}/registry/data`))).toEqual([])
  })

  test('nodes forget images that no container has used for two turns', async () => {
    const images = () => worker.docker('image', 'ls', '--digests', '--format', '{{.Repository}}')
    await vi.waitFor(async () => expect(await worker.docker('ps', '--all', '--quiet')).toBe(''), {
      timeout: 120_000,
      interval: 500,
    })
    expect(await images()).toContain(shop.repository)
    registry.keepInOrder(worker)
    registry.keepInOrder(worker)
    expect(await images()).not.toContain(shop.repository)
    expect(await images()).toContain('shipway-test/busybox')
  })

  test('a registry that the organization named gets images with its user, and says why it takes none', async () => {
    const named = await startNamedRegistry(manager, join(registry.home, 'named'))
    const { password } = named
    try {
      const { repository } = shop
      const of = { type: 'named', repository, address: named.address, username: 'acme' } as const
      const images = new Map([['web', 'shipway-test/busybox']])
      const order = { taskId: 9, installationId, images }
      const good = { ...of, password: new Secret(password) }
      const sent = await pushImages(ioOf(), good, { ...order, folder: join(registry.home, 'steps', 'named') })
      expect(imageOf(good, sent, 'web')).toMatch(/^127\.0\.0\.1:\d+\/shipway-a1b2c3-env-7-c+7@sha256:[0-9a-f]{64}$/)
      const bad = { ...of, password: new Secret('wrong-password') }
      const deadline = AbortSignal.timeout(120_000)
      await checkRegistry(registry.host, good, deadline)
      await expect(checkRegistry(registry.host, bad, deadline)).rejects.toThrow(
        /^manager-1 cannot sign in to the registry 127\.0\.0\.1:5600: .*unauthorized/i,
      )
      await expect(
        pushImages(ioOf(), bad, { ...order, folder: join(registry.home, 'steps', 'refused') }),
      ).rejects.toThrow(`Images could not be pushed to ${named.address}: `)
      tokens.push(password, Buffer.from(`acme:${password}`).toString('base64'), 'wrong-password')
    } finally {
      await named.stop()
    }
  })

  test('no token was in the words of a process, in output, or in a file that stays', () => {
    expect(tokens.length).toBeGreaterThan(10)
    const words = seen.join('\n')
    expect(words).toContain('Pushing built-')
    expect(tokens.filter((token) => words.includes(token))).toEqual([])
    const kept = filesBelow(registry.home).filter((file) => !file.includes('/pull/'))
    expect(kept.length).toBeGreaterThan(5)
    expect(kept.filter((file) => tokens.some((token) => readFileSync(file).includes(token)))).toEqual([])
  })
})

const derOf = (certificate: string): string => certificate.replaceAll(/-----[A-Z ]+-----|\n/g, '')

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
