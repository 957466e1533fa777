// The registry of a Swarm's manager in tests, run by the programs that the set-up installs.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isOnThePath } from '../../../../tools/real-parts/programs.ts'
import { type Host, localGit } from '../../src/remote/host.ts'
import { nodeProgram, registryProgram } from '../../src/remote/set-up/server-set-up.ts'
import { createLocalHost } from '../processes/local-host.ts'
import { hasDocker } from './docker-engine.ts'
import type { SwarmNode } from './swarm.ts'

export const hasRegistry = hasDocker && isOnThePath('docker-registry')

export type SwarmRegistry = {
  /** The manager as the platform reaches it. */
  readonly host: Host
  /** The home of the platform's user there. */
  readonly home: string
  /** Has a node trust the registries of its managers, and forget images that it did not use at the last two calls. */
  keepInOrder(node: SwarmNode): void
  stop(): Promise<void>
}

type Options = {
  readonly installationId: string
  /** Of the authority whose registries the nodes trust, in DER. */
  readonly authority: Buffer
  /** Those that trust it from the beginning, beside the manager. */
  readonly nodes: readonly SwarmNode[]
}

/** It answers once the platform has prepared it. */
export function startSwarmRegistry(manager: SwarmNode, { installationId, authority, nodes }: Options): SwarmRegistry {
  const home = mkdtempSync(join(tmpdir(), 'shipway-registry-'))
  const program = join(home, 'registry-program')
  writeFileSync(program, registryProgram())
  chmodSync(program, 0o755)
  const [enter = '', ...words] = manager.inItsNetwork()
  const registry = spawn(enter, [...words, program, join(home, '.shipway', installationId, 'registry')], {
    stdio: 'ignore',
  })
  const keepInOrder = (node: SwarmNode): void => keepNodeInOrder(node, { home, installationId, authority })
  for (const node of [manager, ...nodes]) keepInOrder(node)
  const local = createLocalHost(manager.name)
  const environment = ['env', `DOCKER_HOST=${manager.host}`, `HOME=${home}`] as const
  return {
    host: {
      name: manager.name,
      git: localGit,
      run: (command, options) => local.run(['nsenter', ...words, ...environment, ...command], options),
    },
    home,
    keepInOrder,
    stop: async () => {
      await end(registry)
      rmSync(home, { recursive: true, force: true })
    },
  }
}

type NodeOptions = { readonly home: string; readonly installationId: string; readonly authority: Buffer }

/** Runs in the mounts of its engine, where folders of this test lie over those of the machine. */
function keepNodeInOrder(node: SwarmNode, { home, installationId, authority }: NodeOptions): void {
  const folder = join(home, node.name)
  const certificate = join(folder, 'programs', `registry-${installationId}.crt`)
  for (const name of ['certs.d', 'programs', 'state']) mkdirSync(join(folder, name), { recursive: true })
  const lines = authority.toString('base64').match(/.{1,64}/g) ?? []
  writeFileSync(certificate, ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n'))
  const script = `mkdir -p /etc/docker/certs.d /usr/local/lib/shipway /var/lib/shipway
    mountpoint -q /etc/docker/certs.d || {
      mount --bind "$1/certs.d" /etc/docker/certs.d
      mount --bind "$1/programs" /usr/local/lib/shipway
      mount --bind "$1/state" /var/lib/shipway
    }
    exec sh -s`
  execFileSync(
    'nsenter',
    [`--mount=/proc/${node.processId()}/ns/mnt`, '--', 'sh', '-c', script, 'keep-in-order', folder],
    {
      input: nodeProgram().replaceAll('@installation@', installationId),
      env: { ...process.env, DOCKER_HOST: node.host },
    },
  )
}

/** One of an organization, whose user is `acme`. Docker takes plain http from its own loopback alone. */
export async function startNamedRegistry(manager: SwarmNode, folder: string): Promise<NamedRegistry> {
  const address = '127.0.0.1:5600'
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'users'), `acme:${BCRYPT}\n`)
  const settings = {
    version: '0.1',
    storage: { filesystem: { rootdirectory: join(folder, 'data') } },
    http: { addr: address },
    auth: { htpasswd: { realm: 'test', path: join(folder, 'users') } },
  }
  writeFileSync(join(folder, 'config.yml'), JSON.stringify(settings))
  const [enter = '', ...words] = manager.inItsNetwork()
  const registry = spawn(enter, [...words, 'docker-registry', 'serve', join(folder, 'config.yml')], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  await new Promise<void>((ready, failed) => {
    registry.stderr.on('data', (text: Buffer) => {
      if (text.includes('listening on')) ready()
    })
    registry.once('exit', () => failed(new Error('docker-registry did not start')))
  })
  return { address, password: PASSWORD, stop: () => end(registry) }
}

type NamedRegistry = { readonly address: string; readonly password: string; stop(): Promise<void> }

const PASSWORD = 'registry-pass'
/** Of that password. */
const BCRYPT = '$2b$05$abcdefghijklmnopqrstuuPjvWZA9Te8qmmwSCy0c40HUw16Nv/I6'

async function end(registry: ChildProcess): Promise<void> {
  if (registry.exitCode !== null || registry.signalCode !== null) return
  const ended = once(registry, 'exit')
  registry.kill('SIGTERM')
  await ended
}
