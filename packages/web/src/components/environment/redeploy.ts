// Deploys the commit of an earlier task again: a new build, with the variables of now.
import type { Environment, Task } from '@shipway/api'
import { useNavigate } from '@tanstack/react-router'
import { client } from '../../data/client.ts'
import { shortSha } from '../../text/sha.ts'
import { showToast } from '../toast.tsx'
import { useSubmission } from '../use-submission.ts'

type Redeploy = { readonly label: string; readonly isBusy: boolean; readonly start: () => void }

/** Undefined for tasks without a commit of their own: removals, actions, and deployments that never found one. */
export function useRedeploy(task: Task, environment: Environment): Redeploy | undefined {
  const navigate = useNavigate()
  const submission = useSubmission()
  const { commit, branch, environment_id: environmentId } = task
  if (commit === null || (task.kind !== 'deploy' && task.kind !== 'reset')) return undefined
  const start = async (): Promise<void> => {
    try {
      // The API refuses branches for forks.
      const isFork = environment.pull_request?.is_fork === true
      const body = { commit: commit.sha, ...(branch !== null && !isFork && { branch }) }
      const { id } = await client.startDeployment({ params: { id: environmentId }, body })
      await navigate({ to: '/environments/$environmentId/tasks/$taskId', params: { environmentId, taskId: id } })
    } catch (error) {
      showToast(error instanceof Error ? error.message : 'The deployment could not be started', { isError: true })
    }
  }
  return {
    label: `Redeploy ${shortSha(commit.sha)}`,
    isBusy: submission.isBusy,
    start: () => void submission.submit(start),
  }
}
