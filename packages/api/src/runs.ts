// One-off commands: each runs in a new container of what serves, and is a task with a log.
import { z } from 'zod'
import { IdParams } from './page.ts'
import { route } from './route.ts'
import { Task } from './tasks.ts'
import { inShell } from './values/command-line.ts'
import { rule } from './values/rule.ts'
import { hasStoredForm } from './values/text.ts'

const MAX_CHARACTERS = 8192

/** A text is read by a shell in the container; words are run as they are. */
export const RunCommand = z
  .union([z.string(), z.array(z.string())], { error: 'Give a text, or a list of words' })
  .check(
    rule('invalid_command', `Enter a command of at most ${MAX_CHARACTERS} characters, without NUL`, (command) => {
      const words = [command].flat()
      const isThere = (words[0] ?? '').trim() !== ''
      return isThere && words.join(' ').length <= MAX_CHARACTERS && words.every(hasStoredForm)
    }),
  )
  .transform((command) => (typeof command === 'string' ? inShell(command) : command))
  .describe('Words, or a text for `sh`')

/** As Compose names services. Whether there is such a service, the server says. */
export const RunService = z
  .string()
  .max(63)
  .check(
    rule('invalid_service', 'Name a service, by letters, digits, dots, hyphens and underscores', (name) =>
      /^[A-Za-z0-9._-]+$/.test(name),
    ),
  )

export const runRoutes = {
  startRun: route({
    method: 'POST',
    path: '/api/environments/{id}/runs',
    summary: 'Run a one-off command',
    description: 'In a new container like that of the service. Its end is that of the task.',
    permission: 'administer',
    scope: 'ssh',
    params: IdParams,
    body: z.strictObject({
      command: RunCommand,
      service: RunService.optional().describe('The main one by default'),
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
