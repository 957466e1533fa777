// Finds the record of a topic with the same queries as the REST answer: a record that the actor may not see does not exist.
import type { Context } from '../../context.ts'
import { type AppError, LogExpired } from '../../domain/errors.ts'
import type { Actor } from '../../domain/people/actor.ts'
import { findEnvironment } from '../../store/environments/environments.ts'
import { findOrganization } from '../../store/people/organizations.ts'
import { findProject } from '../../store/projects/projects.ts'
import { findServer } from '../../store/servers/servers.ts'
import { listSteps } from '../../store/tasks/steps.ts'
import { findTask } from '../../store/tasks/tasks.ts'
import { presentEnvironment } from '../present/environment.ts'
import { presentOrganization } from '../present/organization.ts'
import { presentProject } from '../present/project.ts'
import { presentServer } from '../present/server.ts'
import { presentTask } from '../present/task.ts'
import type { RecordEvent } from './descriptions.ts'
import type { Topic } from './topics.ts'

export type OpenedTopic = {
  readonly organizationId: number
  /** The record as it is now; of a log, how long it is. */
  readonly now: RecordEvent | number
  /** Why the topic cannot be read although its record exists. */
  readonly refusal?: AppError | undefined
}

export async function openTopic(ctx: Context, actor: Actor, { kind, id }: Topic): Promise<OpenedTopic | undefined> {
  switch (kind) {
    case 'organization': {
      const organization = await findOrganization(ctx.db, actor, id)
      return organization && seen(id, { event: 'organization.updated', data: presentOrganization(organization) })
    }
    case 'project': {
      const project = await findProject(ctx.db, actor, id)
      return project && seen(project.organizationId, { event: 'project.updated', data: presentProject(ctx, project) })
    }
    case 'environment': {
      const environment = await findEnvironment(ctx.db, actor, id)
      const data = environment && presentEnvironment(ctx, environment)
      return data && seen(environment.organizationId, { event: 'environment.updated', data })
    }
    case 'server': {
      const server = await findServer(ctx.db, actor, id)
      return server && seen(server.organizationId, { event: 'server.updated', data: presentServer(ctx, server) })
    }
    case 'task': {
      const task = await findTask(ctx.db, actor, id)
      const data = task && presentTask(ctx, task, (await listSteps(ctx.db, [id])).get(id))
      return data && seen(task.organizationId, { event: 'task.updated', data })
    }
    case 'log': {
      const task = await findTask(ctx.db, actor, id)
      if (!task) return undefined
      const expiredAt = task.outputExpiredAt
      const refusal = expiredAt === null ? undefined : LogExpired(task.finishedAt, expiredAt)
      return { ...seen(task.organizationId, task.outputBytes), refusal }
    }
    // Opened by `findLogSource`.
    case 'output':
      return undefined
  }
}

const seen = (organizationId: number, now: OpenedTopic['now']): OpenedTopic => ({ organizationId, now })
