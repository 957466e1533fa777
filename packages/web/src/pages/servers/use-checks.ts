// Server checks that the user started: which are running, and why one failed.
import type { Server, ServerHealth } from '@shipway/api'
import { useState } from 'react'
import { cache } from '../../data/cache.ts'
import { client } from '../../data/client.ts'
import { keys } from '../../data/keys.ts'
import { healthQuery } from './health.ts'

/** `at`: end of the check, in milliseconds. */
export type CheckRun = { readonly isBusy: boolean; readonly at?: number; readonly fault?: string }
export type Checks = {
  readonly runs: ReadonlyMap<number, CheckRun>
  readonly check: (server: Server) => Promise<void>
  readonly checkAll: (servers: readonly Server[]) => Promise<void>
}

/** The platform checks this many servers of an organization at once. */
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

/** A failure counts until a later check has succeeded. */
export function latest(run: CheckRun | undefined, health: ServerHealth | undefined): CheckRun | undefined {
  const checkedAt = health?.checked_at ?? null
  if (run?.at === undefined || checkedAt === null || Date.parse(checkedAt) <= run.at) return run
  return { isBusy: run.isBusy }
}

/** Runs a check. Returns why it failed, or undefined. */
export async function runCheck({ id, organization_id }: Server): Promise<string | undefined> {
  try {
    await client.checkServer({ params: { id } })
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  } finally {
    // The first successful check also updates the server's record.
    await Promise.all([
      cache.invalidateQueries({ queryKey: healthQuery(id).queryKey }),
      cache.invalidateQueries({ queryKey: keys.servers(organization_id) }),
    ])
  }
}
