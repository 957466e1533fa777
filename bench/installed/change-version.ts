// Changes the version of an installed platform, alone and while clients ask it.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { say } from '../say.ts'
import type { Scene } from './scene.ts'

export const PER_SECOND = 100
/** An upgrade that fails leaves no client without an answer for longer. */
const LONGEST_WAIT_MS = 60_000
const TARGETS = [
  { path: '/api/me', status: 401 },
  { path: '/', status: 200 },
  { path: '/healthz', status: 200 },
  { path: '/api/openapi.json', status: 200 },
].map((target) => ({ ...target, host: '127.0.0.1', port: 7878, headers: { host: 'localhost:7878' } }))

export function makeVersionChanges({ machine, platform }: Scene) {
  return { upgrade, underLoad }

  /** `fault`: what it says when it fails, as it must then. */
  function upgrade(wanted: string, fault?: RegExp): void {
    const at = performance.now()
    const before = platform.runningVersion()
    const ran = machine.run('shipway-server', 'upgrade', wanted)
    assert.equal(ran.status, fault === undefined ? 0 : 1, ran.output)
    if (fault !== undefined) {
      assert.match(ran.output, fault)
      platform.waitUntilReady(before)
    }
    const seconds = ((performance.now() - at) / 1000).toFixed(0)
    say(`  ${seconds} s: ${ran.output.trim().split('\n').slice(-3).join(' · ')}`)
  }

  async function underLoad(what: string, mostFailures: number, work: () => void | Promise<void>): Promise<void> {
    machine.copy(join(import.meta.dirname, '../../e2e/installed/ask-always.mjs'), '/root/ask-always.mjs')
    machine.write('/root/targets.json', JSON.stringify(TARGETS))
    const load = machine.start(
      ...['/opt/shipway/current/node', '/root/ask-always.mjs', '/root/targets.json', String(PER_SECOND)],
    )
    await work()
    machine.run('pkill', '--full', 'ask-always.mjs')
    const { output } = await load
    const { count, failures, versions, slowestMs } = JSON.parse(output)
    assert.ok(failures.length <= mostFailures, `${what}: ${failures.slice(0, 10).join('\n')}`)
    assert.ok(slowestMs <= LONGEST_WAIT_MS, `${what}: a request waited for ${slowestMs} ms`)
    const answers = Object.entries(versions).map(([version, answered]) => `${version}: ${answered}`)
    say(
      `${what}: ${failures.length} of ${count} requests failed, the slowest took ${slowestMs} ms (${answers.join(', ')})`,
    )
  }
}
