// A server, its health and its use as lines.
import type { Server, ServerHealth, ServerMetrics } from '@shipway/api'
import { statusWord } from '../tasks/environment-state.ts'
import { fieldLines } from '../terminal/fields.ts'
import { plainText } from '../terminal/sanitize.ts'
import type { Paint } from '../terminal/sink.ts'
import { tableLines } from '../terminal/table.ts'
import { ago } from '../terminal/times.ts'
import { cores, memory } from '../terminal/usage.ts'
import { checkLines } from './check-lines.ts'

type ServerFacts = { readonly server: Server; readonly health: ServerHealth; readonly metrics: ServerMetrics }
type LineOptions = { readonly paint: Paint; readonly columns: number | undefined }

export function serverLines({ server, health, metrics }: ServerFacts, { paint, columns }: LineOptions): string[] {
  const { disk, tasks, checks, environments, checked_at: checkedAt } = health
  const isLocal = server.connection === 'local'
  const rows = environments.map(({ project, name, status }) => [
    plainText(project.name),
    plainText(name),
    statusWord(status),
  ])
  return [
    `${plainText(server.name)} (${server.id})${server.needs_setup ? ' · needs setup' : ''}`,
    '',
    ...fieldLines([
      ['Address', isLocal ? "the platform's own machine" : `${plainText(server.hostname)}:${server.port}`],
      ['User', plainText(server.user)],
      ['Edge', server.edge],
      ['Host key', server.host_key && plainText(server.host_key)],
      ['CPU', cpuOf(metrics)],
      ['Memory', memoryOf(metrics)],
      ['Disk', disk && `${memory(disk.free_bytes)} free of ${memory(disk.total_bytes)}`],
      ['Tasks', `${tasks.running} running, at most ${tasks.at_once} at once`],
      ['Projects', String(server.project_count)],
      ['Checked', checkedAt && ago(checkedAt)],
    ]),
    ...(checks.length === 0 ? [] : ['', ...checkLines(checks, paint, columns)]),
    ...(rows.length === 0 ? [] : ['', ...tableLines({ head: ['PROJECT', 'ENVIRONMENT', 'STATE'], rows }, columns)]),
  ]
}

/** The last slot is not over yet, and the one before it may be empty too. */
const latest = (series: readonly (number | null)[]): number | null =>
  series.slice(-4).findLast((value) => value !== null) ?? null

function cpuOf({ cpu, cores: total }: ServerMetrics): string | undefined {
  const used = latest(cpu)
  return used === null ? undefined : `${cores(used)}${total === null ? '' : ` of ${total}`} cores`
}

function memoryOf({ memory_bytes: bytes, memory_total_bytes: total }: ServerMetrics): string | undefined {
  const used = latest(bytes)
  return used === null ? undefined : `${memory(used)}${total === null ? '' : ` of ${memory(total)}`}`
}
