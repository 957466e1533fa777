// How a server is, as JSON.
import type { ServerHealth as Answer } from '@shipway/api/oversight/server-health'
import type { Disk } from '@shipway/api/servers'
import type { Context } from '../../context.ts'
import { statusOf } from '../../domain/environment.ts'
import type { ServerHealth } from '../../operations/servers/find-server-health.ts'
import { presentTime } from './time.ts'

export function presentServerHealth({ config }: Pick<Context, 'config'>, health: ServerHealth): Answer {
  const { check } = health
  return {
    server_id: health.serverId,
    checked_at: presentTime(check?.checkedAt ?? null),
    checks: check ? [...check.checks] : [],
    disk: presentDisk(check?.disk ?? null),
    tasks: { running: health.running, at_once: config.mostTasksPerServer },
    environments: health.environments.map((environment) => ({
      id: environment.id,
      name: environment.name,
      status: statusOf(environment),
      project: { id: environment.projectId, name: environment.projectName },
    })),
  }
}

export const presentDisk = (disk: { readonly freeBytes: number; readonly totalBytes: number } | null): Disk | null =>
  disk && { free_bytes: disk.freeBytes, total_bytes: disk.totalBytes }
