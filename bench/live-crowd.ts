// Many readers of the live channel: viewers enough to open them, and the process that holds them.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Database } from '../packages/server/src/store/database.ts'
import { buildOrganization, buildUser, type TestUser } from '../packages/server/test/factories.ts'
import type { Platform } from '../tools/platform.ts'

/** A user may have 32 connections: a thousand take this many. */
const VIEWERS = 32

export type Crowd = TestUser & { readonly viewers: readonly string[] }

export async function buildCrowd({ db }: Pick<Database, 'db'>): Promise<Crowd> {
  const records = { db, clock: Date.now }
  // An administrator: no other user may register the platform's own machine.
  const owner = await buildUser(records, { is_platform_admin: 1 })
  const viewers: TestUser[] = []
  for (let count = 0; count < VIEWERS; count++) viewers.push(await buildUser(records))
  const members = viewers.map((user) => ({ user, role: 'viewer' as const }))
  await buildOrganization(records, [{ user: owner, role: 'owner' }, ...members])
  return { ...owner, viewers: viewers.map(({ token }) => token) }
}

type Seen = { readonly delays: readonly number[]; readonly bytes: number }

export async function openReaders(
  platform: Platform,
  tokens: readonly string[],
  readers: readonly (readonly string[])[],
) {
  const reading = { url: `${platform.url.replace('http', 'ws')}/api/live`, tokens, readers }
  const words = [fileURLToPath(new URL('live-sockets.ts', import.meta.url)), JSON.stringify(reading)]
  const child = spawn(process.execPath, words, { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })
  await once(lines, 'line')
  return {
    end: async (): Promise<Seen> => {
      const said = once(lines, 'line')
      child.stdin.end('\n')
      const [line] = await said
      await once(child, 'exit')
      return JSON.parse(String(line))
    },
  }
}
