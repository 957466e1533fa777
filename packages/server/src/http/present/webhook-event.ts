// The body of an outgoing webhook: the records as the API shows them, and nothing that it does not show.
import { routes } from '@shipway/api/routes'
import type { Context } from '../../context.ts'
import { messageText } from '../../domain/hooks/message.ts'
import type { DescribeWebhookEvent } from '../../store/change.ts'
import { findEnvironmentAnywhere } from '../../store/environments/environments.ts'
import { findProjectAnywhere } from '../../store/projects/projects.ts'
import { listSteps } from '../../store/tasks/steps.ts'
import { findTaskAnywhere } from '../../store/tasks/tasks.ts'
import { presentEnvironment } from './environment.ts'
import { presentTask } from './task.ts'

type Db = Parameters<DescribeWebhookEvent>[0]

/** Many receivers take no more than a mebibyte. */
const MOST_CHARACTERS = 256 * 1024

export function createWebhookEventDescription(ctx: Pick<Context, 'config' | 'clock'>): DescribeWebhookEvent {
  return async (db, webhookEvent) => {
    const { event, environmentId, at } = webhookEvent
    const environment = await findEnvironmentAnywhere(db, environmentId)
    const project = environment && (await findProjectAnywhere(db, environment.projectId))
    const data = {
      project: project ? { id: project.id, name: project.name } : null,
      environment: environment
        ? routes.getEnvironment.answer.parse(presentEnvironment(ctx, environment))
        : { id: environmentId },
    }
    const task = 'taskId' in webhookEvent ? { task: await describeTask(ctx, db, webhookEvent.taskId) } : {}
    const whole = messageText({ type: event, at, data: { ...data, ...task } })
    if (whole.length <= MOST_CHARACTERS || !task.task) return whole
    return messageText({ type: event, at, data: { ...data, task: { ...task.task, phases: [] } } })
  }
}

async function describeTask(ctx: Pick<Context, 'config' | 'clock'>, db: Db, id: number) {
  const task = await findTaskAnywhere(db, id)
  const steps = (await listSteps(db, [id])).get(id) ?? []
  return task && routes.getTask.answer.parse(presentTask(ctx, task, steps))
}
