// Kills the platform with SIGKILL during writes: every write that it confirmed must be there afterwards.
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { describe, expect, test } from 'vitest'
import { openDatabase } from '../packages/server/src/store/database.ts'
import { databases } from '../packages/server/test/databases.ts'
import { buildOrganization, buildUser } from '../packages/server/test/factories.ts'
import { type Platform, startPlatform } from '../tools/platform.ts'

const KILLS = 3
const WRITES_BEFORE_A_KILL = 60
const WRITERS = 8

describe.each(databases)('on $name', ({ name }) => {
  test('a killed platform loses no confirmed write, and keeps none half-written', async () => {
    const platform = await startPlatform(name, async ({ db }) => {
      const records = { db, clock: Date.now }
      const owner = await buildUser(records)
      await buildOrganization(records, [{ user: owner, role: 'owner' }])
      return owner
    })
    try {
      const answered: number[] = []
      for (let kill = 0; kill < KILLS; kill++) {
        answered.push(...(await writeUntilKilled(platform, platform.filled.token)))
        await platform.restart()
      }
      expect(answered.length).toBeGreaterThanOrEqual(KILLS * WRITES_BEFORE_A_KILL)
      const { servers, audited } = await readBack(platform)
      expect(answered.filter((id) => !servers.has(id))).toEqual([])
      expect(servers).toEqual(audited)
    } finally {
      await platform.stop()
    }
  })
})

/** Writes from several clients at once, kills the platform after enough responses, and returns the confirmed ids. */
async function writeUntilKilled(platform: Platform, token: string): Promise<number[]> {
  const answered: number[] = []
  const died = once(platform.process, 'exit')
  const write = async (): Promise<void> => {
    while (platform.process.signalCode === null) {
      const id = await createServer(platform.url, token)
      if (id === undefined) return
      answered.push(id)
      if (answered.length === WRITES_BEFORE_A_KILL) platform.process.kill('SIGKILL')
    }
  }
  await Promise.all(Array.from({ length: WRITERS }, write))
  await died
  return answered
}

/** Undefined once the connection broke: then the client has no confirmation. */
async function createServer(url: string, token: string): Promise<number | undefined> {
  const answer = await fetch(`${url}/api/servers`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: `Server ${randomUUID()}`, hostname: 'server.example.com' }),
  }).catch((error: unknown) => {
    if (error instanceof TypeError) return undefined
    throw error
  })
  if (answer === undefined) return undefined
  expect(answer.status).toBe(201)
  // A status without its body is no confirmation: the client would not know the id.
  const text = await answer.text().catch(() => '')
  return text === '' ? undefined : JSON.parse(text).id
}

async function readBack(platform: Platform): Promise<{ servers: Set<number>; audited: Set<number | null> }> {
  const database = await openDatabase(platform.address)
  const servers = await database.db.selectFrom('servers').select('id').execute()
  const events = await database.db
    .selectFrom('audit_events')
    .where('action', '=', 'server.created')
    .select('target_id')
    .execute()
  await database.close()
  return { servers: new Set(servers.map(({ id }) => id)), audited: new Set(events.map((event) => event.target_id)) }
}
