// Why a task was started, and by whom, in few words.
import type { Task } from '@shipway/api'

const CAUSES: Readonly<Record<Task['cause'], string>> = {
  dashboard: 'deployed',
  api: 'API',
  cli: 'command line',
  mcp: 'MCP',
  push: 'push',
  pull_request: 'pull request',
  rollback: 'rollback',
  system: 'the platform',
}

export function causeWords({ cause, started_by }: Pick<Task, 'cause' | 'started_by'>): string {
  if (started_by === null) return CAUSES[cause]
  return `${CAUSES[cause]} by ${started_by.name}`
}
