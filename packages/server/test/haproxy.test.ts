import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { freePort } from '../../../tools/free-port.ts'
import { hasHaproxy, startHaproxy } from './haproxy.ts'

describe.skipIf(!hasHaproxy)('HAProxy for tests', () => {
  test('listens when it has started, answers on its socket, and starts again in the same folder', async () => {
    const folder = newFolder()
    const port = await freePort()
    const first = await startHaproxy({ folder, config: configOf(folder, port) })
    onTestFinished(first.stop)
    expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe('here')
    expect(await first.say('show info')).toContain(`Pid: ${first.pid}\n`)

    await first.stop()
    await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow('fetch failed')
    const second = await startHaproxy({ folder })
    onTestFinished(second.stop)
    expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe('here')
  })

  test('says why it did not start', async () => {
    const folder = newFolder()
    const config = configOf(folder, await freePort()).replace('mode http', 'mode nonsense')
    await expect(startHaproxy({ folder, config })).rejects.toThrow(/HAProxy did not start[\s\S]*nonsense/)
  })
})

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'shipway-haproxy-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

function configOf(folder: string, port: number): string {
  return `global
  stats socket ${folder}/haproxy.sock mode 600 level admin
defaults
  mode http
  timeout client 10s
  timeout server 10s
  timeout connect 10s
frontend edge
  bind 127.0.0.1:${port}
  http-request return status 200 content-type text/plain string here
`
}
