// A real HAProxy with the configuration of the edge, in a folder and on a port of its own.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../../tools/free-port.ts'
import type { BalanceGroup } from '../src/edge/balance-group.ts'
import { applyHaproxyState } from '../src/edge/haproxy/apply-state.ts'
import { balanceHaproxy } from '../src/edge/haproxy/balance-haproxy.ts'
import { haproxyConfig } from '../src/edge/haproxy/haproxy-config.ts'
import type { HaproxyDomain } from '../src/edge/haproxy/haproxy-state.ts'
import { upstreamList } from '../src/edge/haproxy/upstream-list.ts'
import type { Host } from '../src/remote/host.ts'
import { type Haproxy, startHaproxy } from './haproxy.ts'
import { createLocalHost } from './processes/local-host.ts'

export type HaproxyEdge = {
  readonly folder: string
  readonly port: number
  readonly host: Host
  /** Applies a state that is newer than the one before. */
  lead(...domains: readonly HaproxyDomain[]): ReturnType<typeof applyHaproxyState>
  /** Applies upstreams that are newer than those before; `joining` are ports of groups. Only of a balanced edge. */
  balance(groups: readonly BalanceGroup[], joining?: readonly number[]): ReturnType<typeof balanceHaproxy>
  /** What the socket answers to a line of commands; nothing where it does not run. */
  say(commands: string): Promise<string>
  start(): Promise<void>
  stop(): Promise<void>
  close(): Promise<void>
}

/** Runs when it resolves, without a route. */
export async function openHaproxyEdge({
  folder = mkdtempSync(join(tmpdir(), 'shipway-edge-')),
  through = [],
  isBalanced = false,
}: {
  folder?: string
  isBalanced?: boolean
  /** Put before its words, such as those that enter another network namespace. */
  through?: readonly string[]
} = {}): Promise<HaproxyEdge> {
  const port = await freePort()
  const host = createLocalHost('test server')
  mkdirSync(folder, { recursive: true })
  const config = haproxyConfig({ folder, httpAddress: `127.0.0.1:${port}`, httpsAddress: null, isBalanced })
  writeFileSync(join(folder, 'haproxy.cfg'), config)
  let version = 0
  let balanceVersion = 0
  let running: Haproxy | undefined
  const edge: HaproxyEdge = {
    folder,
    port,
    host,
    lead: (...domains) => applyHaproxyState(host, folder, { version: ++version, domains, acmeThumbprint: null }),
    balance: (groups, joining = []) => {
      const { text } = upstreamList(groups)
      return balanceHaproxy(host, folder, { version: ++balanceVersion, text, joining })
    },
    say: async (commands) => (await running?.say(commands)) ?? '',
    start: async () => {
      running = await startHaproxy({ folder, through })
    },
    stop: async () => running?.stop(),
    close: async () => {
      await edge.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
  await edge.lead()
  if (isBalanced) await edge.balance([])
  await edge.start()
  return edge
}

export const domainTo = (port: number | null, changes: Partial<HaproxyDomain> = {}): HaproxyDomain => ({
  domain: 'app.test',
  environmentId: 1,
  port,
  digest: null,
  isSecure: false,
  ...changes,
})
