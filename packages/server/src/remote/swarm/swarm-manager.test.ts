import { execFile, execFileSync } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { hasDocker } from '../../../test/docker/docker-engine.ts'
import { type SwarmNode, startSwarm } from '../../../test/docker/swarm.ts'
import { reportUsage } from '../../../test/docker/usage-report.ts'
import { dockerScript } from '../../commands/docker/script.ts'
import type { ServerAddress } from '../../domain/server-address.ts'
import { volumeLabels } from '../../domain/swarm/place-volumes.ts'
import { edgeTemplates } from '../../edge/haproxy/config-template.ts'
import { type Host, localGit } from '../host.ts'
import { createLocalShells } from '../local-shells.ts'
import { setUpScript } from '../set-up/server-set-up.ts'
import { createSwarmManagers, readSwarmOf } from './swarm-manager.ts'

const run = promisify(execFile)

const server: ServerAddress = {
  ...{
    id: 1,
    name: 'm1',
    connection: 'local' as const,
    hostname: 'localhost',
    port: 22,
    unixUser: 'root',
    hostKey: null,
  },
  ...{ principal: 'shipway-1', hasSignedIn: true, mayBePrivate: false, runtime: 'swarm' as const },
}

describe.skipIf(!hasDocker)('a real Swarm', () => {
  test('lists its nodes, drains one, gives its token, and lets only managers reach what containers publish', async () => {
    const swarm = await startSwarm({ managers: 1, workers: 1 })
    onTestFinished(swarm.stop)
    const [manager, worker] = [swarm.managers[0], swarm.workers[0]]
    if (!manager || !worker) throw new Error('Two nodes were asked for')
    const managers = createSwarmManagers({ hosts: { of: () => hostOf(manager) }, allowedNetworks: [] })

    const before = await managers.read(server)
    expect(before.address).toBe(manager.address)
    expect(before.nodes).toMatchObject([
      { name: 'manager-1', role: 'manager', is_leader: true, state: 'ready', address: manager.address },
      { name: 'worker-1', role: 'worker', is_leader: false, state: 'ready', address: worker.address },
    ])
    expect(before.nodes.map((node) => node.free_memory_bytes !== null)).toEqual([true, false])
    const report = await reportUsage(worker)
    onTestFinished(report.stop)
    const areReported = async () => {
      const free = (await managers.read(server)).nodes.map((node) => [node.free_memory_bytes, node.free_disk_bytes])
      expect(free).toEqual(Array(2).fill([expect.any(Number), expect.any(Number)]))
    }
    await vi.waitFor(areReported, { timeout: 60_000, interval: 500 })
    await expect(readSwarmOf(hostOf(worker))).rejects.toMatchObject({ code: 'not_a_swarm' })

    const [, second] = before.nodes
    await managers.setAvailability(server, { id: second?.id ?? '', availability: 'drain' })
    expect((await managers.read(server)).nodes[1]).toMatchObject({ availability: 'drain' })
    await managers.setAvailability(server, { id: second?.id ?? '', availability: 'active' })
    expect((await managers.joinToken(server, 'worker')).reveal()).toMatch(/^SWMTKN-1-/)

    // Labels that say where volumes are belong to the platform alone.
    const volumeLabel = `${volumeLabels({ installationId: 'main', environmentId: 7 })}a`
    const onManager = hostOf(manager)
    await onManager.run(dockerScript('label-node', second?.id ?? '', `${volumeLabel}=shop_data-5`, 'disk=ssd'))
    expect((await managers.read(server)).nodes[1]?.labels).toEqual({ disk: 'ssd' })
    const forgotten = await onManager.run(dockerScript('forget-volumes', 'shipway.volume.main.7.'))
    expect(forgotten.stdout.toString()).toBe('worker-1 shop_data-5\n')
    expect(await manager.docker('node', 'inspect', '--format', '{{json .Spec.Labels}}', 'worker-1')).toBe(
      '{"disk":"ssd"}\n',
    )

    for (const name of ['shop', 'stranger'])
      await manager.docker('network', 'create', '--driver', 'overlay', '--attachable', name)
    await manager.docker(
      ...['service', 'create', '--name', 'web', '--network', 'shop', '--endpoint-mode', 'dnsrr'],
      ...['--publish', 'mode=host,target=8080,published=40080', '--constraint', 'node.role==worker'],
      ...['--no-resolve-image', 'shipway-test/busybox', 'httpd', '-f', '-p', '8080', '-h', '/bin'],
    )
    // Of another stack than the platform's: its port is its own affair.
    await manager.docker(
      ...['service', 'create', '--name', 'other', '--publish', 'mode=host,target=8080,published=8081'],
      ...[
        '--network',
        'stranger',
        '--endpoint-mode',
        'dnsrr',
        '--constraint',
        'node.role==worker',
        '--no-resolve-image',
        'shipway-test/busybox',
      ],
      ...['httpd', '-f', '-p', '8080', '-h', '/bin'],
    )
    const other = `http://${worker.address}:8081/sh`
    expect(await vi.waitFor(() => reach(other), { timeout: 120_000, interval: 500 })).toBe('200')
    const address = `http://${worker.address}:40080/sh`
    const fromManager = () => reach(address, manager)
    expect(await vi.waitFor(() => reach(address), { timeout: 120_000, interval: 500 })).toBe('200')
    // Docker's proxy listens there, too.
    for (const [index, node] of [manager, worker].entries()) await addIpv6(node, `2001:db8:5::${index + 1}`)
    const overIpv6 = () => reach('http://[2001:db8:5::2]:40080/sh', manager)
    expect(await overIpv6()).toBe('200')
    const [, rules = ''] =
      /^swarm_port_rules\(\) \{\n {2}cat <<'END'\n([\s\S]*?)^END$/m.exec(setUpScript(edgeTemplates())) ?? []
    const readReport = (...from: readonly string[]) => {
      const [program = '', ...words] = [...from, 'socat', '-u', `TCP4:${worker.address}:5444,connect-timeout=5`, '-']
      return run(program, words).then(({ stdout }) => stdout)
    }
    expect(await readReport()).toMatch(/^memory \d+ \d+$/m)
    for (const _ of ['first', 'again']) {
      const [program = '', ...words] = [...worker.inItsNetwork(), 'sh', '-s']
      execFileSync(program, words, { input: rules, env: { ...process.env, DOCKER_HOST: worker.host } })
      await expect(reach(address)).rejects.toThrow()
      expect(await fromManager()).toBe('200')
      expect(await reach(other)).toBe('200')
      await expect(overIpv6()).rejects.toThrow()
      await expect(readReport()).rejects.toThrow()
      expect(await readReport(...manager.inItsNetwork())).toMatch(/^memory \d+ \d+$/m)
    }

    // The containers of a manager have its address for others, and those of the node itself reach Docker's proxy on it.
    const runRules = (node: SwarmNode): void => {
      const [program = '', ...words] = [...node.inItsNetwork(), 'sh', '-s']
      execFileSync(program, words, { input: rules, env: { ...process.env, DOCKER_HOST: node.host } })
    }
    const connect = (port: string) => ['shipway-test/busybox', 'nc', '-w', '3', worker.address, port, '-e', 'true']
    const strangers = [manager, worker].flatMap((node) => ['stranger', 'bridge'].map((network) => ({ node, network })))
    const reached = async (port = '40080') => {
      const tries = await Promise.allSettled(
        strangers.map(({ node, network }) => node.docker('run', '--rm', '--network', network, ...connect(port))),
      )
      return strangers.filter((_, index) => tries[index]?.status === 'fulfilled')
    }
    // Nodes take frames of overlay networks from any other node. A rule without a target counts those of a container.
    const onWorker = (...words: readonly string[]) => {
      const [program = '', ...rest] = [...worker.inItsNetwork(), 'iptables', '-w', ...words]
      return run(program, rest)
    }
    const forged = ['-p', 'udp', '--dport', '4789', '-m', 'length', '--length', String(28 + FORGED_BYTES)]
    await onWorker('-A', 'INPUT', ...forged)
    const send = `require('node:dgram').createSocket('udp4').send(Buffer.alloc(${FORGED_BYTES}), 4789, '${worker.address}', () => process.exit())`
    const countForged = async () => {
      await onWorker('-Z', 'INPUT')
      const nodeImage = ['shipway-test/node', 'node', '-e', send]
      await Promise.all(
        strangers.map(({ node, network }) => node.docker('run', '--rm', '--network', network, ...nodeImage)),
      )
      const { stdout } = await onWorker('-S', 'INPUT', '-v')
      return Number(/ -m length --length \d+ -c (\d+) /.exec(stdout)?.[1])
    }
    expect((await reached()).length).toBeGreaterThan(0)
    // The worker has its rules already.
    expect(await reached('5444')).toEqual(strangers.filter(({ node }) => node === manager))
    expect(await countForged()).toBe(strangers.filter(({ node }) => node === manager).length)
    for (const node of [manager, worker, manager]) runRules(node)
    // Docker does so itself for a moment with each network that it makes.
    for (const node of [manager, worker]) {
      const [program = '', ...words] = [...node.inItsNetwork(), 'iptables', '-w', '-D', 'FORWARD', '-j', 'DOCKER-USER']
      execFileSync(program, words)
    }
    expect((await reached()).map(({ node, network }) => `${network} of ${node.name}`)).toEqual([])
    expect(await reached('5444')).toEqual([])
    expect(await readReport(...manager.inItsNetwork())).toMatch(/^memory \d+ \d+$/m)
    expect(await countForged()).toBe(0)
    expect(await fromManager()).toBe('200')
    // Containers of one network still reach each other across the nodes.
    await manager.docker(
      'run',
      '--rm',
      '--network',
      'shop',
      'shipway-test/busybox',
      'nc',
      '-w',
      '5',
      'web',
      '8080',
      '-e',
      'true',
    )

    // A removal names the containers that have not ended in time.
    await manager.docker(
      ...['service', 'create', '--name', 'slow', '--constraint', 'node.role==worker', '--stop-grace-period', '1m'],
      ...['--label', 'shipway.installation=main', '--label', 'shipway.environment=7', '--no-resolve-image'],
      ...['shipway-test/busybox', 'sh', '-c', 'trap : TERM; while :; do sleep 1; done'],
    )
    const removed = await onManager.run(dockerScript('remove-from-swarm', 'main', '7', 'required', '1'))
    const said = `These containers have not ended: slow.1 on ${worker.name}\n`
    expect([removed.exitCode, removed.stderr.toString()]).toEqual([1, said])
  })
})

const FORGED_BYTES = 777

function hostOf({ name, host }: SwarmNode): Host {
  const shells = createLocalShells({ DOCKER_HOST: host })
  onTestFinished(() => shells.close())
  return { ...shells, name, git: localGit }
}

async function addIpv6(node: SwarmNode, address: string): Promise<void> {
  const ip = (...words: readonly string[]) => {
    const [program = '', ...rest] = [...node.inItsNetwork(), 'ip', ...words]
    return run(program, rest)
  }
  const [, device = ''] = (await ip('-o', '-4', 'address', 'show', 'to', node.address)).stdout.split(/\s+/)
  await ip('-6', 'address', 'add', `${address}/64`, 'dev', device, 'nodad')
}

/** From this machine, which is no node, or from the network of a node. */
async function reach(address: string, from?: SwarmNode): Promise<string> {
  const curl = ['curl', '-sS', '--noproxy', '*', '--max-time', '5', '-o', '/dev/null', '-w', '%{http_code}', address]
  const [program = '', ...words] = [...(from?.inItsNetwork() ?? []), ...curl]
  return (await run(program, words)).stdout
}
