// Reads what a server and its containers use, in one command over the connection that is there. Nothing stays on the server.
import { shell } from '../../../commands/script.ts'
import { statsScript } from '../../../commands/stats.ts'
import type { Host } from '../../../remote/host.ts'
import type { ServerStats, StatsRequest } from '../../server-stats.ts'
import { parseStats } from './parse-stats.ts'

/** Beyond that, ports are not measured. */
const MOST_PORTS = 100
const LIMIT_MS = 25_000

export async function readStats(host: Host, request: StatsRequest, cgroups = '/sys/fs/cgroup'): Promise<ServerStats> {
  const { installationId, hasContainers, countKillsSince } = request
  const ports = request.ports.slice(0, MOST_PORTS)
  const words = [hasContainers ? installationId : '', FORMAT, EVENTS, String(countKillsSince ?? ''), cgroups]
  const command = shell(statsScript, 'shipway-stats', ...words, ...ports.map(String))
  const { stdout } = await host.run(command, { timeoutMs: LIMIT_MS })
  return parseStats(stdout.toString(), { ports, hasContainers })
}

const FORMAT = `{"id":{{json .ID}},"environment":{{json (.Label "shipway.environment")}},"service":{{json (.Label "shipway.service")}}}`
const EVENTS = `{"environment":{{json (index .Actor.Attributes "shipway.environment")}},"service":{{json (index .Actor.Attributes "shipway.service")}}}`
