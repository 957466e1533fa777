// Where the files of a stack are. They hold values of variables: only the platform's user can read them, and they go after the start.
import type { Folders } from '../../../deployment/folders.ts'

export const stackFolder = ({ task }: Pick<Folders, 'task'>): string => `${task}/stack`

/** In the stack: no service of a compose file has such a key. */
export const commandKey = (taskId: number, number: number): string => `x-command-${taskId}-${number}`
