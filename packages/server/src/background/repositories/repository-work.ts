// Keeps environments in step with their repositories: stored deliveries, waiting pull requests, lost events, reports to git hosts.
import type { Context } from '../../context.ts'
import { expireEnvironments } from '../../operations/environments/expire-environments.ts'
import { retryRemovals } from '../../operations/environments/retry-removals.ts'
import { admitWaitingOf } from '../../operations/repository-events/admit-pull-request.ts'
import { workInbox } from '../../operations/repository-events/inbox.ts'
import { listProjectsWithWaiting } from '../../store/repository-events/pull-requests.ts'
import type { ScheduledWork } from '../scheduled-work.ts'
import { answerCheckRequests } from './answer-check-requests.ts'
import { answerCommentRequests } from './answer-comment-requests.ts'
import { checkAccess } from './check-access.ts'
import type { GitDependencies } from './git-dependencies.ts'
import { reconcileDue } from './reconcile.ts'
import { forgetUploads, type Mirrors, removeMirrors } from './remove-mirrors.ts'
import { reportDue } from './report-to-git-hosts.ts'
import { waitForChecks } from './wait-for-checks.ts'

export type RepositoryDependencies = Mirrors & GitDependencies

export function listRepositoryWork(ctx: Context, dependencies: RepositoryDependencies): readonly ScheduledWork[] {
  return [
    { name: 'taking stored deliveries', everyMs: 2_000, work: () => workInbox(ctx) },
    {
      name: 'admitting pull requests',
      everyMs: 15_000,
      isWokenBy: ({ about }) => about === 'slots',
      isPausedAfterRestore: true,
      work: async () => {
        for (const projectId of await listProjectsWithWaiting(ctx.db)) await admitWaitingOf(ctx, projectId)
      },
    },
    {
      name: 'comparing pull requests',
      everyMs: 30_000,
      isPausedAfterRestore: true,
      work: (signal) => reconcileDue(ctx, dependencies, signal),
    },
    { name: 'retrying removals', everyMs: 30_000, isPausedAfterRestore: true, work: () => retryRemovals(ctx) },
    { name: 'expiring environments', everyMs: 60_000, isPausedAfterRestore: true, work: () => expireEnvironments(ctx) },
    {
      name: 'reporting to git hosts',
      everyMs: 5_000,
      isWokenBy: ({ about }) => about === 'queue',
      work: (signal) => reportDue(ctx, dependencies, signal),
    },
    {
      name: 'checking deploy keys and webhooks at git hosts',
      everyMs: 15_000,
      isWokenBy: ({ about }) => about === 'queue',
      isPausedAfterRestore: true,
      work: (signal) => checkAccess(ctx, signal),
    },
    {
      name: 'answering requests made at GitHub',
      everyMs: 5_000,
      isWokenBy: ({ about }) => about === 'queue',
      isPausedAfterRestore: true,
      work: (signal) => answerCheckRequests(ctx, dependencies, signal),
    },
    {
      name: 'answering commands in comments',
      everyMs: 5_000,
      isWokenBy: ({ about }) => about === 'queue',
      isPausedAfterRestore: true,
      work: (signal) => answerCommentRequests(ctx, signal),
    },
    {
      name: 'waiting for checks',
      everyMs: 5_000,
      isWokenBy: ({ about }) => about === 'queue',
      isPausedAfterRestore: true,
      work: (signal) => waitForChecks(ctx, dependencies, signal),
    },
    {
      name: 'removing mirrors of deleted projects',
      everyMs: 10 * 60_000,
      isWokenBy: (event) => event.about === 'project' && event.how === 'deleted',
      work: () => removeMirrors(ctx, dependencies),
    },
    {
      name: 'removing uploads from mirrors',
      everyMs: 10 * 60_000,
      isWokenBy: (event) => event.about === 'environment' && event.how === 'deleted',
      work: () => forgetUploads(ctx, dependencies),
    },
  ]
}
