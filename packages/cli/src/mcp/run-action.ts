// `run_action`: runs an action of the repository's `.service.yml` in what serves.
import { randomUUID } from 'node:crypto'
import type { Client } from '@shipway/api'
import { z } from 'zod'
import { CommandError } from '../command-error.ts'
import { EXIT } from '../exit-code.ts'
import { isApiError } from '../http/api-failure.ts'
import { sendIdempotent } from '../http/send-idempotent.ts'
import { plainText } from '../terminal/sanitize.ts'
import { EnvironmentInput, findNamedEnvironment } from './named-environment.ts'
import { StartedTask, startedTask } from './started-task.ts'
import { tool } from './tool.ts'

export const runAction = tool({
  name: 'run_action',
  title: 'Run an action of an environment',
  description:
    'Use it to run a command that .service.yml of the live version names under actions, only if the user wants that. Returns the task as ' +
    'soon as it is queued: read its output with get_task_log. For an unknown action the error lists the known ones.',
  // The repository decides what the command does and where it connects to.
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  input: z.strictObject({
    ...EnvironmentInput,
    action: z
      .string()
      .regex(/^[A-Za-z0-9._-]{1,200}$/)
      .describe('Its name under actions in .service.yml'),
  }),
  output: StartedTask,
  run: async (ctx, { action: name, ...named }) => {
    const target = await findNamedEnvironment(ctx, named)
    const client = await ctx.client()
    const { id } = target.environment
    const idempotencyKey = randomUUID()
    const send = () => client.runAction({ params: { id, name }, idempotencyKey })
    const task = await sendIdempotent(send, ctx.signal).catch(async (error: unknown) => {
      if (isApiError(error) && error.status === 404) throw await NoSuchAction(client, id)
      throw error
    })
    return startedTask(task, target)
  },
})

async function NoSuchAction(client: Client, id: number): Promise<CommandError> {
  const names = (await client.listActions({ params: { id } })).map(({ name }) => plainText(name))
  return new CommandError('The environment has no action of this name', {
    code: 'action_not_found',
    exitCode: EXIT.notFound,
    advice: [names.length === 0 ? 'It has none' : `It has: ${names.slice(0, MOST_NAMES).join(', ')}`],
  })
}

const MOST_NAMES = 40
