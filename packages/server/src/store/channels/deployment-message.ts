// Tells channels that a deployment has ended, where they asked for it. Written in the transaction that ends the task.
import { sql } from 'kysely'
import { plainText } from '../../domain/channels/channel-message.ts'
import type { Change } from '../change.ts'
import { findListeningOrganization, insertChannelMessage } from './channel-queue.ts'

type EndedDeployment = {
  readonly status: 'succeeded' | 'failed'
  readonly taskId: number
  readonly environmentId: number
  readonly at: number
}

export async function insertDeploymentMessage(tx: Change, ended: EndedDeployment): Promise<void> {
  const { status, taskId, environmentId, at } = ended
  const event = `deployment.${status}` as const
  const organizationId = await findListeningOrganization(tx, environmentId, event)
  if (organizationId === undefined) return
  const facts = await findFacts(tx, taskId)
  if (!facts) return
  const { project, project_id, environment, commit_sha, commit_message, failed_step } = facts
  const [subject = ''] = (commit_message ?? '').split('\n', 1)
  const commit = commit_sha === null ? '' : `: ${commit_sha.slice(0, 7)} ${plainText(subject)}`
  const where = failed_step === null ? '' : `. It failed at "${plainText(failed_step)}"`
  await insertChannelMessage(tx, organizationId, {
    event,
    severity: null,
    title: status === 'succeeded' ? 'A deployment succeeded' : 'A deployment failed',
    text: `${plainText(project)} / ${environment}${commit.trimEnd()}${where}`,
    page: `/environments/${environmentId}/tasks/${taskId}`,
    at,
    data: {
      project: { id: project_id, name: project },
      environment: { id: environmentId, name: environment },
      task: { id: taskId, status, commit_sha },
    },
  })
}

async function findFacts(tx: Change, taskId: number) {
  const { rows } = await sql<{
    project: string
    project_id: number
    environment: string
    commit_sha: string | null
    commit_message: string | null
    failed_step: string | null
  }>`
    select p.name as project, p.id as project_id, e.name as environment, t.commit_sha, t.commit_message,
      (select s.name from steps s where s.task_id = t.id and s.status = 'failed' order by s.position limit 1) as failed_step
    from tasks t join environments e on e.id = t.environment_id join projects p on p.id = e.project_id
    where t.id = ${taskId}`.execute(tx)
  return rows[0]
}
