// A Docker Swarm for the gallery and the screen tests. The platform really signs in to the server; what a check and a manager of six nodes
// would say is written beside the platform into its database, since no Docker runs there.
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Check, SwarmNode } from '@shipway/api'
import { startSshd } from '../../packages/server/test/sshd.ts'
import type { Person, TestPlatform } from './test-platform.ts'

export type SampleSwarm = {
  readonly serverId: number
  readonly port: number
  /** Gives services of an environment numbers of containers. */
  scale(environmentId: number, services: Readonly<Record<string, number>>): void
  stop(): Promise<void>
}

export async function addSwarm(platform: TestPlatform, { client }: Person): Promise<SampleSwarm> {
  const body = { name: 'harbor', hostname: '127.0.0.1', connection: 'ssh', runtime: 'swarm' } as const
  const { id, principal, authority_key: authorityKey } = await client.createServer({ body })
  const sshd = await startSshd({ authorityKey, principals: [principal] })
  await client.updateServer({ params: { id }, body: { port: sshd.port, user: userInfo().username } })
  await client.checkServer({ params: { id } })
  const write = (statement: string, ...values: readonly (string | number)[]): void => {
    const database = new DatabaseSync(join(platform.folder, 'data', 'shipway.db'), { timeout: 10_000 })
    database.prepare(statement).run(...values)
    database.close()
  }
  const now = Date.now()
  write('insert into server_nodes values (?, ?, ?)', id, now, JSON.stringify(NODES))
  write(
    'update server_checks set checks = ?, checked_at = ?, disk_free_bytes = ?, disk_total_bytes = ? where server_id = ?',
    ...[JSON.stringify(CHECKS), now, 58 * GIB, 120 * GIB, id],
  )
  return {
    serverId: id,
    port: sshd.port,
    scale: (environmentId, services) => {
      for (const [service, replicas] of Object.entries(services))
        write('insert into service_replicas values (?, ?, ?)', environmentId, service, replicas)
    },
    stop: sshd.stop,
  }
}

const GIB = 1024 ** 3

const node = (name: string, host: number, changes: Partial<SwarmNode> = {}): SwarmNode => ({
  id: `node${host}`.padEnd(25, 'x'),
  name,
  role: 'worker',
  is_leader: false,
  state: 'ready',
  availability: 'active',
  address: `10.20.0.${host}`,
  labels: {},
  cpus: 8,
  memory_bytes: 32 * GIB,
  free_memory_bytes: 9.5 * GIB,
  free_disk_bytes: 140 * GIB,
  ...changes,
})
const manager = { role: 'manager', cpus: 4, memory_bytes: 8 * GIB, free_memory_bytes: 5.5 * GIB } as const

const NODES: readonly SwarmNode[] = [
  node('manager-1', 11, { ...manager, is_leader: true, free_memory_bytes: 4.5 * GIB, free_disk_bytes: 58 * GIB }),
  node('manager-2', 12, manager),
  node('manager-3', 13, manager),
  node('worker-1', 21, { labels: { disk: 'nvme' } }),
  node('worker-2', 22, { availability: 'drain' }),
  node('worker-3', 23, { state: 'down', free_memory_bytes: null, free_disk_bytes: null }),
]

const ok = (name: string, message: string): Check => ({ name, status: 'ok', message, fix: null })

const CHECKS: readonly Check[] = [
  ok('connection', 'The platform reached harbor as shipway-deploy'),
  ok('account', 'shipway-deploy can write in /home/shipway-deploy/.shipway'),
  ok('git', 'git 2.47.3'),
  ok('docker', 'Docker 28.5.1 answers shipway-deploy'),
  ok('compose', 'Compose 2.40.0'),
  ok('haproxy', 'HAProxy 3.0.11 runs as the edge'),
  ok('disk', '58.0 GiB are free where the folder of the platform, /home/shipway-deploy/.shipway, lies'),
  ok('clock', "The clock agrees with the platform's"),
]
