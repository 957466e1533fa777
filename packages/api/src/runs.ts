// One-off commands: each runs in a new container of what serves, and is a task with a log.
import { z } from 'zod'
import { IdParams } from './page.ts'
import { route } from './route.ts'
import { Task } from './tasks.ts'
import { inShell } from './values/command-line.ts'
import { ServiceName } from './values/name.ts'
import { rule } from './values/rule.ts'
import { hasStoredForm } from './values/text.ts'

const MAX_CHARACTERS = 8192

/** A text is read by a shell in the container; words are run as they are. */
export const RunCommand = z
  .union([z.string(), z.array(z.string())])
  .check(
    rule('invalid_command', `Enter a command of at most ${MAX_CHARACTERS} characters`, (command) => {
      const words = [command].flat()
      return (words[0] ?? '').trim() !== '' && words.join(' ').length <= MAX_CHARACTERS
    }),
    rule('invalid_command', 'Leave out the NUL character and broken Unicode', (command) =>
      [command].flat().every(hasStoredForm),
    ),
  )
  .transform((command) => (typeof command === 'string' ? inShell(command) : command))
  .describe('Words are run as they are; a text is read by `sh` in the container')

export const runRoutes = {
  startRun: route({
    method: 'POST',
    path: '/api/environments/{id}/runs',
    summary: 'Run a one-off command',
    description: 'In a new container of what serves, with the variables, networks and volumes of its service.',
    permission: 'administer',
    scope: 'ssh',
    params: IdParams,
    body: z.strictObject({
      command: RunCommand,
      service: ServiceName.optional().describe('The main one by default'),
    }),
    success: 201,
    answer: Task,
    errors: [
      'approval_required',
      'environment_protected',
      'environment_removing',
      'nothing_deployed',
      'project_deleting',
      'task_not_created',
    ],
    idempotent: true,
  }),
}
