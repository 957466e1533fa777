// Compares the pull requests of projects with those of their git hosts, in case an event was lost.
import type { Context } from '../../context.ts'
import { projectContext } from '../../domain/encryption-context.ts'
import { pullRequestRef } from '../../domain/project.ts'
import type { ProjectAtHost } from '../../domain/repository/host-access.ts'
import { type OpenNow, reconcilePullRequests } from '../../operations/repository-events/reconcile-pull-requests.ts'
import { takeProjectToReconcile } from '../../store/repository-events/reconciliations.ts'
import { askHosts } from './ask-hosts.ts'
import type { GitDependencies } from './git-dependencies.ts'

const EVERY_MS = 10 * 60_000

export async function reconcileDue(ctx: Context, dependencies: GitDependencies, signal: AbortSignal): Promise<void> {
  await askHosts(
    {
      take: async (busy) => {
        const project = await takeProjectToReconcile(ctx.db, EVERY_MS, busy)
        return project && { project, projectId: project.id, organizationId: project.organizationId }
      },
      work: ({ project }) =>
        reconcile(ctx, dependencies, project, signal).catch((error: unknown) => {
          if (!signal.aborted) ctx.log.warn({ err: error, project: project.id }, 'pull requests could not be compared')
        }),
    },
    signal,
  )
}

export async function reconcile(
  ctx: Context,
  dependencies: GitDependencies,
  project: ProjectAtHost,
  signal: AbortSignal,
): Promise<void> {
  const askedAt = ctx.clock()
  const open = await findOpen(ctx, dependencies, project, signal)
  if (open) await reconcilePullRequests(ctx, { projectId: project.id, open, askedAt })
}

async function findOpen(
  ctx: Context,
  { gitHosts, source }: GitDependencies,
  project: ProjectAtHost,
  signal: AbortSignal,
): Promise<OpenNow | undefined> {
  const { repoUrl: address, repositoryHost: host, hookId } = project
  const repository = await ctx.credentials.openRepository(project)
  if (repository) return { kind: 'facts', ...(await gitHosts.listOpenPullRequests(repository, signal)) }
  const pattern = pullRequestRef(host, '*')
  if (pattern === null) return undefined
  const privateKey = ctx.box.open(project.privateKeySealed, projectContext(hookId, 'repository_private_key_sealed'))
  const { id: projectId, publicKey, repositoryHostKey: hostKey } = project
  const tokens = ctx.credentials.openTokens(project.connection)
  const refs = await source.listRefs({ projectId, address, publicKey, privateKey, hostKey, tokens }, pattern, {
    signal,
  })
  return { kind: 'refs', numbers: new Set(refs.map((ref) => Number(/\/([0-9]+)\/head$/.exec(ref)?.[1]))) }
}
