// Cause of a task, and the user who started it.
import type { Task } from '@shipway/api'

/** The dashboard also starts tasks that are not deployments. */
const CAUSES: Readonly<Record<Exclude<Task['cause'], 'dashboard'>, string>> = {
  api: 'API',
  cli: 'command line',
  mcp: 'MCP',
  push: 'push',
  pull_request: 'pull request',
  rollback: 'rollback',
  system: 'the platform',
}

export function describeCause({ kind, cause, started_by }: Pick<Task, 'kind' | 'cause' | 'started_by'>): string {
  if (kind === 'action' && cause === 'system') return 'by its schedule'
  const what = cause === 'dashboard' ? (kind === 'deploy' ? 'deployed' : 'started') : CAUSES[cause]
  return started_by === null ? what : `${what} by ${started_by.name}`
}
