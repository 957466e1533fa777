// Name of a task on its page.
import type { Task } from '@shipway/api'

const KINDS: Readonly<Record<Task['kind'], string>> = {
  deploy: 'Deployment',
  remove: 'Removal',
  reset: 'Reset',
  action: 'Action',
  run: 'Command',
}

export const taskName = ({ kind, id }: Pick<Task, 'kind' | 'id'>): string => `${KINDS[kind]} #${id}`

export const isActive = ({ status }: Pick<Task, 'status'>): boolean => status === 'queued' || status === 'running'
