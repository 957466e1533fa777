import { existsSync } from 'node:fs'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { hasHaproxy } from '../haproxy.ts'
import { openHaproxyEdge } from '../haproxy-edge.ts'
import { hasDocker } from './docker-engine.ts'
import { type SwarmNode, startSwarm } from './swarm.ts'

describe.skipIf(!hasDocker || !hasHaproxy)('a Swarm for tests', () => {
  test('publishes tasks on the nodes, leads names across them, outlives the death of a worker, and leaves nothing behind', async () => {
    const swarm = await startSwarm({ managers: 1, workers: 1 })
    onTestFinished(swarm.stop)
    const [manager, worker] = [swarm.managers[0], swarm.workers[0]]
    if (!manager || !worker) throw new Error('Two nodes were asked for')
    const folders = [manager, worker].map(({ host }) => host.replace(/^unix:\/\/(.*)\/docker.sock$/, '$1'))

    await manager.docker('network', 'create', '--driver', 'overlay', '--attachable', 'shop')
    await manager.docker(
      ...['service', 'create', '--detach', '--name', 'web', '--network', 'shop', '--endpoint-mode', 'dnsrr'],
      ...['--publish', 'mode=host,target=8080', '--mode', 'global', '--no-resolve-image', 'shipway-test/busybox'],
      ...['sh', '-c', 'mkdir /www && hostname > /www/index.html && exec httpd -f -p 8080 -h /www'],
    )
    const answers = async (): Promise<string[]> =>
      Promise.all((await listUpstreams(manager)).map((upstream) => textFrom(upstream)))
    await eventually(async () => expect(new Set(await answers()).size).toBe(2))
    expect((await listUpstreams(manager)).map((upstream) => upstream.split(':')[0]).sort()).toEqual(
      [manager.address, worker.address].sort(),
    )
    const names = await manager.docker('run', '--rm', '--network', 'shop', 'shipway-test/busybox', 'nslookup', 'web')
    expect(names.match(/^Address.*: (?!127)/gm)).toHaveLength(2)

    const upstreams = await listUpstreams(manager)
    const edge = await openHaproxyEdge({ isBalanced: true })
    onTestFinished(edge.close)
    const list = () => edge.balance([{ port: 20_000, upstreams: upstreams.map(toUpstream) }])
    const downOf = async (): Promise<string[]> => {
      const lines = (await edge.say('show servers state')).split('\n').map((line) => line.split(' '))
      return lines
        .filter(([, backend, , , , op]) => backend === 'kept20000' && op === '0')
        .map(([, , , , at = '']) => at)
    }
    await list()
    expect(await downOf()).toEqual([])

    await worker.kill()
    const killedAt = performance.now()
    // The edge finds out by itself, whatever the Swarm lists.
    await eventually(async () => {
      await list()
      expect(await downOf()).toEqual([worker.address])
    })
    expect(performance.now() - killedAt).toBeLessThan(60_000)
    for (let turn = 0; turn < 5; turn++) {
      await list()
      expect(await downOf()).toEqual([worker.address])
    }
    await eventually(async () => expect(await stateOf(manager, worker)).toBe('down'))
    await worker.restart()
    await eventually(async () => expect(await stateOf(manager, worker)).toBe('ready'))
    await eventually(async () => expect(new Set(await answers()).size).toBe(2))

    expect(folders.filter(existsSync)).toEqual(folders)
    await swarm.stop()
    expect(folders.filter(existsSync)).toEqual([])
  })
})

const eventually = (holds: () => Promise<void>): Promise<void> => vi.waitFor(holds, { timeout: 120_000, interval: 250 })

const toUpstream = (upstream: string, index: number) => {
  const [address = '', port = ''] = upstream.split(':')
  return { name: `t${index}`, address, port: Number(port) }
}

const textFrom = async (upstream: string): Promise<string> => (await fetch(`http://${upstream}/`)).text()

async function stateOf(manager: SwarmNode, { name }: SwarmNode): Promise<string> {
  return (await manager.docker('node', 'inspect', '--format', '{{.Status.State}}', name)).trim()
}

/** Address and port of each running task of the only service. */
async function listUpstreams(manager: SwarmNode): Promise<string[]> {
  const running = ['--filter', 'desired-state=running', '--quiet', 'web']
  const tasks = (await manager.docker('service', 'ps', ...running)).trim().split('\n')
  const ports = '{{with .Status.PortStatus}}{{range .Ports}}{{.PublishedPort}} {{end}}{{end}}'
  const lines = await manager.docker('inspect', '--format', `{{.Status.State}} {{.NodeID}} ${ports}`, ...tasks)
  const upstreams: string[] = []
  for (const line of lines.trim().split('\n')) {
    const [state = '', node = '', port = ''] = line.split(' ')
    if (state !== 'running') continue
    // The Engine lists each port twice.
    upstreams.push(`${(await manager.docker('node', 'inspect', '--format', '{{.Status.Addr}}', node)).trim()}:${port}`)
  }
  return upstreams
}
