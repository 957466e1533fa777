// `cancel_task`: cancels a task that is queued or running.
import { z } from 'zod'
import { TaskNumber, taskNotFound } from './named-task.ts'
import { own, ownWord } from './own-words.ts'
import { tool } from './tool.ts'

export const cancelTask = tool({
  name: 'cancel_task',
  title: 'Cancel a task',
  description:
    'Use it to cancel a task that is queued or running, only if the user wants that. What serves goes on serving. Returns the status of ' +
    'the task: a running one is asked to stop, and ends a little later. get_status names the active task of an environment.',
  // Without an environment in its input, so that a second call cannot cancel another task.
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({ task: TaskNumber }),
  output: z.object({ task_id: z.int(), environment_id: z.int(), kind: z.string(), status: z.string() }),
  run: async (ctx, { task: id }) => {
    const task = await (await ctx.client()).cancelTask({ params: { id } }).catch(taskNotFound)
    const { environment_id, kind, status } = task
    return {
      structured: { task_id: id, environment_id, kind, status },
      text:
        status === 'canceled'
          ? own`Task ${id} is canceled.`
          : own`Task ${id} is ${ownWord(status)}, and was asked to stop. Ask get_task_log how it ended.`,
      foreign: [],
    }
  },
})
