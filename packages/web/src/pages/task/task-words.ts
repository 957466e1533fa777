// What a task is called on its page.
import type { Task } from '@shipway/api'
import { causeWords } from '../../words/cause.ts'

const KINDS: Readonly<Record<Task['kind'], string>> = {
  deploy: 'Deployment',
  remove: 'Removal',
  reset: 'Reset',
  action: 'Action',
}

export const taskName = ({ kind, id }: Pick<Task, 'kind' | 'id'>): string => `${KINDS[kind]} #${id}`

export const isActive = ({ status }: Pick<Task, 'status'>): boolean => status === 'queued' || status === 'running'

/** Who or what started it. A button of the dashboard starts more than deployments. */
export function originWords(task: Pick<Task, 'kind' | 'cause' | 'started_by'>): string {
  if (task.kind === 'deploy' || task.cause !== 'dashboard') return causeWords(task)
  return task.started_by === null ? 'started' : `started by ${task.started_by.name}`
}
