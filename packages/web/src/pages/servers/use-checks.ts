// Looks at servers that somebody asks for: which are under way, and why one could not be looked at.
import type { Server, ServerHealth } from '@shipway/api'
import { useState } from 'react'
import { cache } from '../../data/cache.ts'
import { client } from '../../data/client.ts'
import { keys } from '../../data/keys.ts'
import { healthQuery } from './health.ts'

/** `at`: when it ended, in milliseconds. */
export type Look = { readonly isBusy: boolean; readonly at?: number; readonly fault?: string }
export type Checks = {
  readonly looks: ReadonlyMap<number, Look>
  readonly check: (server: Server) => Promise<void>
  readonly checkAll: (servers: readonly Server[]) => Promise<void>
}

/** As many as the platform looks at for one organization. */
const AT_ONCE = 2

export function useChecks(): Checks {
  const [looks, setLooks] = useState<ReadonlyMap<number, Look>>(new Map())
  const mark = (id: number, look: Look): void => setLooks((before) => new Map(before).set(id, look))
  const check = async (server: Server): Promise<void> => {
    mark(server.id, { isBusy: true })
    const fault = await lookAt(server)
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
  return { looks, check, checkAll }
}

/** Why a look failed counts until somebody has looked later. */
export function latest(look: Look | undefined, health: ServerHealth | undefined): Look | undefined {
  const checkedAt = health?.checked_at ?? null
  if (look?.at === undefined || checkedAt === null || Date.parse(checkedAt) <= look.at) return look
  return { isBusy: look.isBusy }
}

/** What hindered it, or undefined where it was looked at. */
export async function lookAt({ id, organization_id }: Server): Promise<string | undefined> {
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
