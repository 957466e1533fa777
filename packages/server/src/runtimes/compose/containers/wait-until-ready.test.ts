// Where a container listens is seen on a real Docker Engine while it is waited for; who is only slow is waited for.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from '../../../../../../tools/free-port.ts'
import { type EngineClient, hasDocker } from '../../../../test/docker/docker-engine.ts'
import { sharedEngine } from '../../../../test/docker/shared-engine.ts'
import { createLocalHost } from '../../../../test/processes/local-host.ts'
import { dockerScript } from '../../../commands/docker/script.ts'
import type { Host } from '../../../remote/host.ts'

const installation = 'waiting'
const listen = (where: string): string =>
  `require('http').createServer((_, answer) => answer.end('ok')).listen(${where})`

describe.skipIf(!hasDocker)('a container that listens', () => {
  let engine: EngineClient
  let host: Host
  beforeAll(async () => {
    engine = await sharedEngine()
    host = createLocalHost('here', { DOCKER_HOST: engine.host })
    const container = (await engine.docker('create', 'shipway-test/node')).trim()
    await engine.docker('commit', '--change', 'EXPOSE 8080', container, `${installation}:exposing`)
    await engine.docker('rm', container)
  })
  afterAll(async () => {
    const ids = await engine?.docker('ps', '--all', '--quiet', '--filter', `label=shipway.installation=${installation}`)
    await engine?.docker('rm', '--force', ...(ids ?? '').split('\n').filter(Boolean))
    await engine?.docker('image', 'rm', '--force', `${installation}:exposing`)
  })

  type Waiting = {
    readonly kind?: string
    readonly seconds?: number
    readonly image?: string
    readonly words?: string[]
    readonly onOutput?: (bytes: Buffer) => void
  }

  async function waitFor(service: string, program: string, waiting: Waiting = {}) {
    const { kind = 'http', seconds = 120, image = 'shipway-test/node', words = [], onOutput } = waiting
    const named = { installation, environment: '1', task: '1', service }
    const labels = Object.entries(named).flatMap(([key, value]) => ['--label', `shipway.${key}=${value}`])
    // Chosen here: a container that has ended already publishes none that could be asked for.
    const port = String(await freePort())
    const published = ['--publish', `127.0.0.1:${port}:3000`, ...words]
    await engine.docker('run', '--detach', ...labels, ...published, image, 'node', '-e', program)
    const run = dockerScript('wait-until-ready', ...Object.values(named), kind, port, '/', 'x', String(seconds), '3000')
    const output: Buffer[] = []
    const { exitCode } = await host.run(run, {
      timeoutMs: 250_000,
      onOutput: (bytes) => {
        output.push(bytes)
        onOutput?.(bytes)
      },
    })
    return { exitCode, lines: Buffer.concat(output).toString().split('\n').filter(Boolean) }
  }

  const ended = 'It goes on listening elsewhere'
  const last = 'The last lines of its output:'

  test.concurrent('on the port that its image exposes, and not on the one that is named, is given up early', async () => {
    expect(await waitFor('exposing', listen('8080'), { image: `${installation}:exposing` })).toEqual({
      exitCode: 46,
      lines: ['No request gets in at port 3000: it listens on 8080', ended, last],
    })
  })

  test.concurrent('on its own address alone is given up early', async () => {
    expect(await waitFor('own', listen("3000, '127.0.0.1'"))).toEqual({
      exitCode: 46,
      lines: ['No request gets in at port 3000: it listens on 127.0.0.1:3000', ended, last],
    })
  })

  test.concurrent('on another port first is waited for, and said', async () => {
    const first = await freePort()
    // It listens where it should after a request at the other port, which comes once that is reported.
    const slow = `require('http').createServer((_, answer) => { answer.end(); ${listen('3000')} }).listen(9090)`
    const words = ['--publish', `127.0.0.1:${first}:9090`]
    const asked: Promise<Response>[] = []
    const onOutput = (bytes: Buffer): void => {
      if (asked.length === 0 && bytes.toString().includes('listens on 9090'))
        asked.push(fetch(`http://127.0.0.1:${first}/`))
    }
    expect(await waitFor('slow', slow, { words, onOutput })).toEqual({
      exitCode: 0,
      lines: ['No request gets in at port 3000: it listens on 9090', 'It is ready'],
    })
    expect((await asked[0])?.status).toBe(200)
  })

  test.concurrent('on an address that only it can reach is waited for until the time is up', async () => {
    const healthy = ['--health-cmd', 'wget -q -O /dev/null http://[::1]:9229/', '--health-interval', '1s']
    expect(await waitFor('healthy', listen("9229, '::1'"), { kind: 'health', seconds: 40, words: healthy })).toEqual({
      exitCode: 44,
      lines: [
        'No request gets in at port 3000: it listens on 127.0.0.1:9229',
        'It is not ready after 40 seconds',
        last,
      ],
    })
  })

  test.concurrent('nowhere is reported with what its image exposes', async () => {
    const idle = 'setInterval(() => {}, 1000)'
    expect(await waitFor('idle', idle, { kind: 'port', seconds: 2, image: `${installation}:exposing` })).toEqual({
      exitCode: 44,
      lines: ['It is not ready after 2 seconds', 'Its image exposes 8080', last],
    })
  })

  test.concurrent('nowhere, since it may not write, is reported with its read-only mounts', async () => {
    const write = "require('fs').writeFileSync('/code/x', '')"
    const { exitCode, lines } = await waitFor('frozen', write, { words: ['--volume', '/tmp:/code:ro'] })
    expect({ exitCode, first: lines.slice(1, 3) }).toEqual({ exitCode: 41, first: ['Mounted read-only: /code', last] })
    expect(lines.join('\n')).toContain("EROFS: read-only file system, open '/code/x'")
  })

  test.concurrent('and is unhealthy is reported with the output of its check', async () => {
    const check = [
      '--health-cmd',
      'echo the queue is stuck; exit 3',
      '--health-interval',
      '1s',
      '--health-retries',
      '1',
    ]
    expect(await waitFor('sick', listen('3000'), { kind: 'health', words: check })).toEqual({
      exitCode: 43,
      lines: [
        'It says itself that it is unhealthy',
        'Its health check ended with exit code 3:',
        'the queue is stuck',
        last,
      ],
    })
  })
})
