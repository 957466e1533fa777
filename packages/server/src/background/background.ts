// What the platform does by itself, beside running tasks: it takes up stored deliveries, moves waiting pull requests up, tries again
// what could not be removed, heals what events of git hosts got lost, tells git hosts and webhooks how deployments go, alerts people, sends
// mails, and forgets the mirrors of deleted projects.
import type { Context } from '../context.ts'
import { compareAlerts } from '../operations/alerts/compare-alerts.ts'
import { notifyWatchers } from '../operations/alerts/notify-watchers.ts'
import { expireEnvironments } from '../operations/environments/expire-environments.ts'
import { retryRemovals } from '../operations/environments/retry-removals.ts'
import { forgetMails } from '../operations/mails/forget-mails.ts'
import { admitWaitingOf } from '../operations/repository-events/admit-waiting-of.ts'
import { stopInbox, workInbox } from '../operations/repository-events/inbox.ts'
import { createLoop, type Loop } from '../scheduling/loop.ts'
import { deleteOldAuditEvents } from '../store/audit-bounds.ts'
import { isResting } from '../store/backup/restored.ts'
import { deleteOldHookDeliveries } from '../store/hooks/hook-deliveries.ts'
import { deleteOldJournal } from '../store/journal.ts'
import { deleteOldDeliveryIds } from '../store/repository-events/delivery-ids.ts'
import { listProjectsWithWaiting } from '../store/repository-events/pull-requests.ts'
import type { GitDependencies, WebhookDependencies } from './dependencies.ts'
import { sendMails } from './people/send-mails.ts'
import { createWebhookSender } from './people/send-webhooks.ts'
import { reconcileDue } from './repositories/reconcile.ts'
import { type Mirrors, removeMirrors } from './repositories/remove-mirrors.ts'
import { reportDue } from './repositories/report-to-git-hosts.ts'

const SLOTS_MS = 15_000
const INBOX_MS = 2_000
const REMOVALS_MS = 30_000
const EXPIRE_MS = 60_000
const RECONCILE_MS = 30_000
const TELL_MS = 5_000
const MAILS_MS = 5_000
const ALERTS_MS = 30_000
const HOOKS_MS = 2_000
const FORGET_MS = 60 * 60_000
const JOURNAL_MS = 60_000
const MIRRORS_MS = 10 * 60_000
/** So that a flood of events is met by few looks. */
const REST_MS = 250

export type Background = { start(): void; stop(): Promise<void> }

export function createBackground(ctx: Context, parts: GitDependencies & Mirrors & WebhookDependencies): Background {
  // After a restore until somebody has looked: what deploys or removes environments is left to people.
  const unlessResting = async (work: () => Promise<void>): Promise<void> => {
    if (!(await isResting(ctx.db))) await work()
  }
  const admitAll = async (): Promise<void> => {
    for (const projectId of await listProjectsWithWaiting(ctx.db)) await admitWaitingOf(ctx, projectId)
  }
  const slots = loopOf(ctx, 'admitting pull requests', {
    everyMs: SLOTS_MS,
    restMs: REST_MS,
    work: () => unlessResting(admitAll),
  })
  const telling = loopOf(ctx, 'telling git hosts', {
    everyMs: TELL_MS,
    restMs: REST_MS,
    work: (signal) => reportDue(ctx, parts, signal),
  })
  const watchers = loopOf(ctx, 'telling watchers', {
    everyMs: TELL_MS,
    restMs: REST_MS,
    work: (signal) => notifyWatchers(ctx, signal),
  })
  const mails = sendMails(ctx, { everyMs: MAILS_MS, restMs: REST_MS })
  const mirrors = loopOf(ctx, 'forgetting mirrors', {
    everyMs: MIRRORS_MS,
    restMs: REST_MS,
    work: () => removeMirrors(ctx, parts),
  })
  const sender = createWebhookSender(ctx, parts.receivers, () => hooks.wake())
  const hooks = loopOf(ctx, 'sending webhooks', { everyMs: HOOKS_MS, work: (signal) => sender.sendDue(signal) })
  const loops = [
    slots,
    telling,
    watchers,
    mails,
    hooks,
    mirrors,
    loopOf(ctx, 'taking stored deliveries', { everyMs: INBOX_MS, work: () => workInbox(ctx) }),
    loopOf(ctx, 'trying removals again', { everyMs: REMOVALS_MS, work: () => unlessResting(() => retryRemovals(ctx)) }),
    loopOf(ctx, 'expiring environments', {
      everyMs: EXPIRE_MS,
      work: () => unlessResting(() => expireEnvironments(ctx)),
    }),
    loopOf(ctx, 'comparing pull requests', {
      everyMs: RECONCILE_MS,
      work: (signal) => unlessResting(() => reconcileDue(ctx, parts, signal)),
    }),
    loopOf(ctx, 'comparing alerts', { everyMs: ALERTS_MS, work: () => compareAlerts(ctx) }),
    loopOf(ctx, 'forgetting mails', { everyMs: FORGET_MS, work: () => forgetMails(ctx) }),
    loopOf(ctx, 'forgetting deliveries', {
      everyMs: FORGET_MS,
      work: () => deleteOldDeliveryIds(ctx.db, ctx.clock()),
    }),
    loopOf(ctx, 'forgetting what webhooks were sent', {
      everyMs: FORGET_MS,
      work: async (signal) => {
        while (!signal.aborted && (await deleteOldHookDeliveries(ctx.db, ctx.clock())));
      },
    }),
    loopOf(ctx, 'forgetting old lines of the audit log', {
      everyMs: FORGET_MS,
      work: async (signal) => {
        while (!signal.aborted && (await deleteOldAuditEvents(ctx.db)));
      },
    }),
    loopOf(ctx, 'forgetting old changes', {
      everyMs: JOURNAL_MS,
      work: () => deleteOldJournal(ctx.db, ctx.clock()),
    }),
  ]
  let endListening: () => void = () => undefined
  return {
    start: () => {
      endListening = ctx.bus.listen((event) => {
        if (event.about === 'queue') {
          telling.wake()
          watchers.wake()
          hooks.wake()
        }
        if (event.about === 'mail') mails.wake()
        if (event.about === 'slots') slots.wake()
        if (event.about === 'project' && event.how === 'deleted') mirrors.wake()
      })
      for (const loop of loops) loop.start()
    },
    stop: async () => {
      endListening()
      stopInbox(ctx)
      await Promise.all(loops.map((loop) => loop.stop()))
      await sender.settled()
    },
  }
}

type Work = Omit<Parameters<typeof createLoop>[0], 'onError'>

const loopOf = (ctx: Context, name: string, work: Work): Loop =>
  createLoop({ ...work, onError: (error) => ctx.log.error({ err: error }, `${name} failed`) })
