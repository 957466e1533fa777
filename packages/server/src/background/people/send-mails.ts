// Sends mails as they become due. A stop lets mails in progress end, within a short grace period.
import type { Context } from '../../context.ts'
import { sendDueMails } from '../../operations/mails/send-due-mails.ts'
import { withDeadline } from '../../scheduling/deadline.ts'
import { createLoop, type Loop } from '../../scheduling/loop.ts'

const GRACE_MS = 2_000

type LoopTiming = { readonly everyMs: number; readonly restMs: number }

export function sendMails(ctx: Context, timing: LoopTiming): Loop {
  const cut = new AbortController()
  const loop = createLoop({
    ...timing,
    work: (signal) => sendDueMails(ctx, { signal, cut: cut.signal }),
    onError: (error) => ctx.log.error({ err: error }, 'sending mails failed'),
  })
  return {
    ...loop,
    stop: async () => {
      const stopped = loop.stop()
      await withDeadline(Promise.allSettled([stopped]), GRACE_MS, () => undefined)
      cut.abort()
      await stopped
    },
  }
}
