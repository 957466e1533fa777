// The answer of tools that start a task: they do not wait for its end.
import type { Task } from '@shipway/api'
import { z } from 'zod'
import type { Target } from '../target/find-environment.ts'
import { environmentLine } from './named-environment.ts'
import { own, ownAddress, ownWord } from './own-words.ts'
import type { ToolAnswer } from './tool.ts'

export const StartedTask = z.object({
  task_id: z.int(),
  status: z.string(),
  environment_id: z.int(),
  url: z.string().describe('Where to watch it'),
})

export const startedTask = (task: Task, target: Target): ToolAnswer<z.infer<typeof StartedTask>> => ({
  structured: { task_id: task.id, status: task.status, environment_id: target.environment.id, url: task.url },
  text: own`Task ${task.id} is ${ownWord(task.status)}. Watch it at ${ownAddress(task.url)}`,
  foreign: [environmentLine(target)],
})
