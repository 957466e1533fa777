// Additional servers of a journey, each with a Docker Engine of its own.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Client } from '@shipway/api'
import { type Engine, startEngine } from '../packages/server/test/docker/docker-engine.ts'
import { createLocalHost, printedBy } from '../packages/server/test/processes/local-host.ts'
import { startSshd } from '../packages/server/test/sshd.ts'
import { openHaproxyOfServer } from './haproxy-of-server.ts'

export type DockerServer = {
  readonly id: number
  readonly engine: Engine
  /** Home of the platform's user there. */
  readonly home: string
  /** Output of a command that runs there, with its own 127.0.0.1. */
  run(...words: string[]): Promise<string>
  /** Response of its edge at a domain. */
  ask(domain: string): Promise<string>
  /** As after a power failure. */
  goAway(): Promise<void>
  stop(): Promise<void>
}

/** Docker's firewall rules and a real HAProxy are active there. The platform's user may use docker, and has no other rights. */
export async function addDockerServer(client: Client, name: string): Promise<DockerServer> {
  const engine = await startEngine({ hasOwnNetwork: true })
  const { inItsNetwork } = engine
  const home = mkdtempSync(join(tmpdir(), 'shipway-home-'))
  const body = { name, hostname: '127.0.0.1', connection: 'ssh' as const, edge: 'haproxy' as const }
  const { id, authority_key: authorityKey, principal, setup_command: setUpLine } = await client.createServer({ body })
  const { gid } = statSync(new URL(engine.host).pathname)
  const asNobody = ['setpriv', `--reuid=${NOBODY}`, `--regid=${gid}`, '--clear-groups', '--']
  const edge = await openHaproxyOfServer(home, setUpLine ?? '', inItsNetwork)
  execFileSync('chown', ['--recursive', `${NOBODY}:${gid}`, home])
  const through = [...inItsNetwork, ...asNobody]
  const server = { home, environment: { DOCKER_HOST: engine.host }, through }
  const sshd = await startSshd({ authorityKey, principals: [principal], server })
  const { port, unixUser } = sshd.address()
  await client.updateServer({ params: { id }, body: { port, user: unixUser } })
  const here = createLocalHost('this machine')
  const run = (...words: string[]): Promise<string> => printedBy(here, ['env', ...inItsNetwork, ...words])
  let gone: Promise<void> | undefined
  const goAway = (): Promise<void> => {
    gone ??= Promise.all([sshd.stop(), edge.stop(), engine.stop()]).then(() => undefined)
    return gone
  }
  return {
    id,
    engine,
    home,
    run,
    ask: (domain) =>
      run(
        'curl',
        '--silent',
        '--show-error',
        '--fail',
        '--header',
        `Host: ${domain}`,
        `http://127.0.0.1:${edge.port}/`,
      ),
    goAway,
    stop: async () => {
      await goAway()
      rmSync(home, { recursive: true, force: true })
    },
  }
}

const NOBODY = 65_534
