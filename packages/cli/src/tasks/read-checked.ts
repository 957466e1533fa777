// An environment once the platform has looked whether it still answers, which it does as soon as a deployment has ended.
import type { Environment } from '@shipway/api'
import { pause } from '@shipway/api/pause'
import type { Context } from '../context.ts'

/** A look waits for services that do not answer for five seconds; after this the answer is given without it. */
const PATIENCE_MS = 8_000
const EVERY_MS = 250

export async function readChecked(ctx: Context, id: number): Promise<Environment> {
  const client = await ctx.client()
  const until = performance.now() + PATIENCE_MS
  for (;;) {
    const environment = await client.getEnvironment({ params: { id } })
    const isKnown = environment.live === null || environment.live.answers !== null || environment.services.length === 0
    // Nobody can look at a server that is out of reach.
    const isUnknown = environment.services.some(({ state }) => state === 'unknown')
    if (isKnown || isUnknown || environment.active_task !== null || performance.now() > until) return environment
    await pause(EVERY_MS, ctx.signal)
  }
}
