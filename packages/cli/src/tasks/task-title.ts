// What a task does, for a line: its kind, with the name of an action or the words of a one-off command.
import type { Task } from '@shipway/api'
import { commandLine } from '@shipway/api/values/command-line'
import { plainText } from '../terminal/sanitize.ts'

export function taskTitle({ kind, action, command }: Pick<Task, 'kind' | 'action' | 'command'>): string {
  const what = action ?? (command === null ? '' : commandLine(command))
  return `${kind} ${plainText(what)}`.trimEnd()
}
