// Runs what the platform does without being asked, beside the jobs on servers (`servers/`): each piece of work in a loop of its own.
import type { Context } from '../context.ts'
import { stopInbox } from '../operations/repository-events/inbox.ts'
import { createLoop } from '../scheduling/loop.ts'
import { isAwaitingReview } from '../store/backup/restored.ts'
import { listPeopleWork } from './people/people-work.ts'
import { sendChannels } from './people/send-channels.ts'
import { sendMails } from './people/send-mails.ts'
import { sendWebhooks } from './people/send-webhooks.ts'
import { listRepositoryWork, type RepositoryDependencies } from './repositories/repository-work.ts'
import { listRetentionWork } from './retention-work.ts'
import { listActionWork } from './scheduled-actions.ts'
import type { ScheduledWork } from './scheduled-work.ts'

/** Between two runs, so that a burst of events causes few of them. */
const REST_MS = 250
const MAILS_MS = 5_000

export type Background = { start(): void; stop(): Promise<void> }

export function createBackground(ctx: Context, dependencies: RepositoryDependencies): Background {
  const all = [
    ...listRepositoryWork(ctx, dependencies),
    ...listActionWork(ctx),
    ...listPeopleWork(ctx),
    ...listRetentionWork(ctx),
  ]
  const scheduled = all.map((one) => ({ ...one, loop: loopOf(ctx, one) }))
  const mails = sendMails(ctx, { everyMs: MAILS_MS, restMs: REST_MS })
  const messages = [sendWebhooks(ctx, ctx.receivers), sendChannels(ctx)]
  let endListening: () => void = () => undefined
  return {
    start: () => {
      endListening = ctx.bus.listen((event) => {
        if (event.about === 'mail') mails.wake()
        if (event.about === 'queue') for (const loop of messages) loop.wake()
        for (const { isWokenBy, loop } of scheduled) if (isWokenBy?.(event)) loop.wake()
      })
      mails.start()
      for (const loop of messages) loop.start()
      for (const { loop } of scheduled) loop.start()
    },
    stop: async () => {
      endListening()
      stopInbox(ctx)
      const loops = [mails, ...messages, ...scheduled.map(({ loop }) => loop)]
      await Promise.all(loops.map((loop) => loop.stop()))
    },
  }
}

function loopOf(ctx: Context, { name, everyMs, work, isWokenBy, isPausedAfterRestore }: ScheduledWork) {
  return createLoop({
    everyMs,
    restMs: isWokenBy ? REST_MS : 0,
    work: async (signal) => {
      if (!isPausedAfterRestore || !(await isAwaitingReview(ctx.db))) await work(signal)
    },
    onError: (error) => ctx.log.error({ err: error }, `${name} failed`),
  })
}
