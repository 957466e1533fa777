// Looks at servers that somebody asks for: which are under way, and why one could not be looked at.
import type { Server, ServerHealth } from '@shipway/api'
import { useState } from 'react'
import { cache } from '../../data/cache.ts'
import { client } from '../../data/client.ts'
import { keys } from '../../data/keys.ts'
import { healthQuery } from './health.ts'

/** `at`: when it ended, in milliseconds. */
export type CheckRun = { readonly isBusy: boolean; readonly at?: number; readonly fault?: string }
export type Checks = {
  readonly runs: ReadonlyMap<number, CheckRun>
  readonly check: (server: Server) => Promise<void>
  readonly checkAll: (servers: readonly Server[]) => Promise<void>
}

/** As many as the platform looks at for one organization. */
const AT_ONCE = 2

export function useChecks(): Checks {
  const [runs, setRuns] = useState<ReadonlyMap<number, CheckRun>>(new Map())
  const mark = (id: number, run: CheckRun): void => setRuns((before) => new Map(before).set(id, run))
  const check = async (server: Server): Promise<void> => {
    mark(server.id, { isBusy: true })
    const fault = await runCheck(server)
    mark(server.id, { isBusy: false, at: Date.now(), ...(fault !== undefined && { fault }) })
  }
  const checkAll = async (servers: readonly Server[]): Promise<void> => {
    for (const { id } of servers) mark(id, { isBusy: true })
    const left = [...servers]
    const lane = async (): Promise<void> => {
      for (let next = left.shift(); next !== undefined; next = left.shift()) await check(next)
    }
    await Promise.all(Array.from({ length: AT_ONCE }, lane))
  }
  return { runs, check, checkAll }
}

/** Why a look failed counts until somebody has looked later. */
export function latest(run: CheckRun | undefined, health: ServerHealth | undefined): CheckRun | undefined {
  const checkedAt = health?.checked_at ?? null
  if (run?.at === undefined || checkedAt === null || Date.parse(checkedAt) <= run.at) return run
  return { isBusy: run.isBusy }
}

/** What hindered it, or undefined where it was looked at. */
export async function runCheck({ id, organization_id }: Server): Promise<string | undefined> {
  try {
    await client.checkServer({ params: { id } })
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  } finally {
    // The first look that succeeds also changes the record: the server is set up.
    await Promise.all([
      cache.invalidateQueries({ queryKey: healthQuery(id).queryKey }),
      cache.invalidateQueries({ queryKey: keys.servers(organization_id) }),
    ])
  }
}
