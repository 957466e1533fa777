// Records whether servers answer, as any job finds it: when it changes, and otherwise at most once a minute.
import type { Context } from '../../../context.ts'
import { updateServerOutOfReach, updateServerSeen } from '../../../store/alerts/server-health.ts'

const REPEAT_MS = 60_000

export type RecordReachability = (serverId: number, isReached: boolean) => void

export function createReachabilityRecorder(
  ctx: Pick<Context, 'db' | 'log' | 'clock' | 'afterwards'>,
): RecordReachability {
  const noted = new Map<number, { readonly isReached: boolean; readonly at: number }>()
  return (serverId, isReached) => {
    const at = ctx.clock()
    const last = noted.get(serverId)
    if (last?.isReached === isReached && at - last.at < REPEAT_MS) return
    noted.set(serverId, { isReached, at })
    ctx.afterwards(() => (isReached ? updateServerSeen : updateServerOutOfReach)(ctx.db, { serverId, at }))
  }
}
