import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { freePort } from '../../../../tools/free-port.ts'
import { startChild } from '../processes/child.ts'
import { type Engine, hasDocker, startEngine } from './docker-engine.ts'
import { sharedEngine } from './shared-engine.ts'

describe.skipIf(!hasDocker)('an engine for tests', () => {
  test('two run at once, build and publish, and leave nothing behind', async () => {
    const first = await startEngine()
    onTestFinished(first.stop)
    const second = await startEngine()
    onTestFinished(second.stop)
    const [firstPort, secondPort] = [await freePort(), await freePort()] as const

    await first.docker('compose', '-p', 'journey', '-f', writeProject(firstPort), 'up', '-d', '--build', '--wait')
    const check = ['--health-cmd', 'wget -q -O- http://127.0.0.1:8080/', '--health-interval', '200ms']
    await second.docker(
      ...['run', '-d', '--name', 'web', '--publish', `127.0.0.1:${secondPort}:8080`, ...check],
      ...['shipway-test/busybox', ...page('second')],
    )
    const health = (): Promise<string> => second.docker('inspect', '-f', '{{.State.Health.Status}}', 'web')
    await vi.waitFor(async () => expect((await health()).trim()).toBe('healthy'), { timeout: 120_000, interval: 100 })

    expect(await textFrom(firstPort)).toBe('web asks api: hello\n')
    expect(await textFrom(secondPort)).toBe('second\n')
    expect(await second.docker('ps', '-q', '--filter', 'label=com.docker.compose.project')).toBe('')

    const traces = [await tracesOf(first), await tracesOf(second)].flat()
    expect(traces.filter((trace) => !trace.isThere())).toEqual([])
    await first.stop()
    await second.stop()
    expect(traces.filter((trace) => trace.isThere())).toEqual([])
    expect(readFileSync('/proc/self/mounts', 'utf8')).not.toContain('shipway-engine-')
  })

  test('ends with its containers when the process that started it is killed, and the next one clears its place', async () => {
    const owner = startChild('./hold-engine.ts')
    onTestFinished(owner.kill)
    const host = await owner.firstLine
    const namespace = namespaceOf(host)
    expect(programsIn(namespace)).toContain('containerd-shim')

    const trace = join(dirname(host.replace('unix://', '')), 'trace')
    writeFileSync(trace, '')
    await owner.kill()
    await vi.waitFor(() => expect(programsIn(namespace)).toEqual([]), { timeout: 120_000, interval: 50 })

    const next = await startEngine()
    onTestFinished(next.stop)
    expect(existsSync(trace)).toBe(false)
    expect(await next.docker('ps', '--all', '--quiet')).toBe('')
  })

  test('keeps its networks apart and its ports to itself where it has a network namespace of its own', async () => {
    const engine = await startEngine({ hasOwnNetwork: true })
    onTestFinished(engine.stop)
    const port = await freePort()
    const web = (name: string): string[] => ['--name', name, '--network', name, 'shipway-test/busybox', ...page(name)]
    for (const name of ['mine', 'other']) await engine.docker('network', 'create', name)
    await engine.docker('run', '--detach', '--publish', `127.0.0.1:${port}:8080`, ...web('mine'))
    await engine.docker('run', '--detach', ...web('other'))
    const inspect = ['inspect', '--format', '{{.NetworkSettings.Networks.mine.IPAddress}}', 'mine']
    const address = (await engine.docker(...inspect)).trim()
    const ask = (at: string): string[] => ['timeout', '2', 'wget', '-q', '-O-', `http://${at}/`]

    const neighbour = ['run', '--rm', '--network', 'mine', 'shipway-test/busybox']
    await vi.waitFor(async () => expect(await engine.docker(...neighbour, ...ask(`${address}:8080`))).toBe('mine\n'), {
      timeout: 120_000,
    })
    await expect(engine.docker('exec', 'other', ...ask(`${address}:8080`))).rejects.toMatchObject({ code: terminated })
    const [program = '', ...words] = [...engine.inItsNetwork, 'busybox', ...ask(`127.0.0.1:${port}`)]
    await vi.waitFor(() => expect(execFileSync(program, words, { encoding: 'utf8' })).toBe('mine\n'), {
      timeout: 120_000,
    })
    await expect(textFrom(port)).rejects.toThrow('fetch failed')
  })

  test('is shared by all files of a run', async () => {
    const [engine, again] = await Promise.all([sharedEngine(), sharedEngine()])
    expect(again.host).toBe(engine.host)
    // What `docker run` prints of a container that ends at once may be cut off on a busy machine; what the engine keeps is whole.
    const id = (await engine.docker('run', '--detach', 'shipway-test/busybox', 'echo', 'hello')).trim()
    await engine.docker('wait', id)
    expect(await engine.docker('logs', id)).toBe('hello\n')
    await engine.docker('rm', id)
  })
})

/** A service that is built, and that asks another one by its name in their network. */
function writeProject(port: number): string {
  const folder = mkdtempSync(join(tmpdir(), 'shipway-compose-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(
    join(folder, 'Dockerfile'),
    'FROM shipway-test/node\nRUN mkdir /app\nCOPY web.mjs /app/\nCMD node /app/web.mjs\n',
  )
  writeFileSync(join(folder, 'web.mjs'), program)
  const healthcheck = { test: ['CMD', 'wget', '-q', '-O-', 'http://127.0.0.1:8080/'], interval: '1s', retries: 20 }
  const services = {
    api: { image: 'shipway-test/busybox', command: page('hello'), healthcheck },
    web: {
      build: '.',
      ports: [`127.0.0.1:${port}:8080`],
      depends_on: { api: { condition: 'service_healthy' } },
      healthcheck,
    },
  }
  writeFileSync(join(folder, 'compose.json'), JSON.stringify({ services }))
  return join(folder, 'compose.json')
}

/** Serves one line on port 8080. */
function page(line: string): string[] {
  return ['sh', '-c', `mkdir /www && echo ${line} > /www/index.html && exec httpd -f -p 8080 -h /www`]
}

const program = `
  import { createServer } from 'node:http'
  createServer(async (_request, response) => {
    const answer = await fetch('http://api:8080/')
    response.end('web asks api: ' + (await answer.text()))
  }).listen(8080)
`

/** The exit code of what `timeout` has ended. */
const terminated = 143

async function textFrom(port: number): Promise<string> {
  return (await fetch(`http://127.0.0.1:${port}/`)).text()
}

type Trace = Readonly<{ what: string; isThere: () => boolean }>

/** What an engine that runs containers has on the machine. */
async function tracesOf(engine: Engine): Promise<Trace[]> {
  const folder = dirname(engine.host.replace('unix://', ''))
  const number = folder.slice(folder.lastIndexOf('-') + 1)
  const networks = await engine.docker('network', 'ls', '--quiet', '--filter', 'type=custom')
  const bridges = [`shipway${number}`, ...networks.split('\n').flatMap((id) => (id === '' ? [] : [`br-${id}`]))]
  const cgroups = ['', ...readdirSync('/sys/fs/cgroup')].map((name) => join('/sys/fs/cgroup', name, basename(folder)))
  const paths = [folder, ...bridges.map((bridge) => `/sys/class/net/${bridge}`), ...cgroups.filter(existsSync)]
  const namespace = namespaceOf(engine.host)
  return [
    ...paths.map((path) => ({ what: path, isThere: () => existsSync(path) })),
    ...['dockerd', 'containerd', 'containerd-shim', 'docker-proxy'].map((program) => ({
      what: `${program} of ${folder}`,
      isThere: () => programsIn(namespace).includes(program),
    })),
  ]
}

/** The process namespace of the engine that listens there. */
function namespaceOf(host: string): string {
  const daemon = runningProcesses().find(({ words }) => words[0] === 'dockerd' && words.includes(host))
  if (!daemon) throw new Error(`No engine listens on ${host}`)
  return daemon.namespace
}

function programsIn(namespace: string): string[] {
  const own = runningProcesses().filter((process) => process.namespace === namespace)
  return own.map(({ words: [program = ''] }) => basename(program).replace(/-runc-v2$/, ''))
}

function runningProcesses(): Array<{ words: string[]; namespace: string }> {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return pids.flatMap((pid) => {
    try {
      const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
      return [{ words, namespace: readlinkSync(`/proc/${pid}/ns/pid`) }]
    } catch {
      // It has ended since it was listed.
      return []
    }
  })
}
