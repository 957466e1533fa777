// What a git host shows of deployments: the status of a commit, and deployments where it keeps them.
import type { CommitStatus, HostDeployment } from './api-dialect.ts'
import { type AskHost, dialectOf, type HostRepository, pathOf } from './host-repository.ts'

export const createHostDeployments = (ask: AskHost) => ({
  async setCommitStatus(repository: HostRepository, status: CommitStatus): Promise<void> {
    await ask(repository, dialectOf(repository).setStatus(pathOf(repository), status))
  },

  /** Returns the git host's id of the deployment; null if the host does not keep deployments. It has no state yet. */
  async createDeployment(repository: HostRepository, deployment: HostDeployment): Promise<string | null> {
    const { deployments, readId } = dialectOf(repository)
    return deployments ? readId(await ask(repository, deployments.create(pathOf(repository), deployment))) : null
  },

  async setDeploymentState(repository: HostRepository, id: string, deployment: HostDeployment): Promise<void> {
    const { deployments } = dialectOf(repository)
    if (deployments) await ask(repository, deployments.setState(pathOf(repository), id, deployment))
  },

  /** Ends the deployments of an environment that was removed, where the host keeps deployments. */
  async endDeployments(repository: HostRepository, environment: string): Promise<void> {
    const { deployments } = dialectOf(repository)
    if (!deployments) return
    const path = pathOf(repository)
    const ids = deployments.readIds(await ask(repository, deployments.listOf(path, environment)))
    for (const id of ids) await ask(repository, deployments.setInactive(path, id))
  },
})
