// A platform that is killed after it stored a delivery and before it acted on it: it acts on it once after the restart.
import { createClient } from '@shipway/api'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openDatabase } from '../../packages/server/src/store/database.ts'
import { startPlatform } from '../../tools/platform.ts'
import { findPostgresFolder } from '../../tools/real-parts/postgres.ts'
import { buildOwner, until } from '../journey.ts'
import { openHook, pullRequestWas } from './deliveries.ts'

test.skipIf(findPostgresFolder() === undefined)(
  'a stored delivery takes effect after a kill, once, and in its order',
  async () => {
    const platform = await startPlatform('postgres', (database) => buildOwner(database))
    const outside = await openDatabase(platform.address)
    const client = createClient({ baseUrl: platform.url, token: () => platform.filled.token })
    const server = await client.createServer({ body: { name: 'Server', hostname: '127.0.0.1', connection: 'ssh' } })
    const { id, webhook } = await client.createProject({
      body: {
        name: 'Kill',
        repo_url: 'ssh://git@127.0.0.1:1/app.git',
        domain: 'kill.localhost',
        server_ids: [server.id],
        default_recipe: 'manual',
      },
    })
    const hook = openHook(`${platform.url}${new URL(webhook.url).pathname}`, webhook.secret)
    const opened = (number: number) => ({
      event: 'pull_request' as const,
      id: `delivery-${number}`,
      payload: pullRequestWas('opened', { number, branch: `feature-${number}`, sha: String(number).repeat(40) }),
    })
    const listed = async () =>
      (await client.listDeliveries({ params: { id } })).map((kept) => [kept.delivery_id, kept.verdict])
    try {
      // A lock on the project delays every effect, but not storing deliveries.
      const kill = await outside.db.transaction().execute(async (db) => {
        // On a busy machine the transaction is idle for longer than the platform's own limit.
        await sql`set local idle_in_transaction_session_timeout = 0`.execute(db)
        await sql`update projects set name = name where id = ${id}`.execute(db)
        const answers = await Promise.all([1, 2].map((number) => hook.send(opened(number))))
        const seen = await listed()
        platform.process.kill('SIGKILL')
        return { answers, seen }
      })
      expect(kill.answers).toMatchObject(Array(2).fill({ status: 202, verdict: 'stored' }))
      expect(kill.seen).toEqual([
        ['delivery-2', 'stored'],
        ['delivery-1', 'stored'],
      ])
      await until(async () => (platform.process.signalCode === 'SIGKILL' ? true : undefined), 'it is dead')
      await platform.restart()
      await until(
        async () => ((await listed()).every(([, verdict]) => verdict === 'accepted') ? true : undefined),
        'done',
      )
      const environments = await client.listEnvironments({ params: { id } })
      expect(environments.map(({ name }) => name).toSorted()).toEqual(['pr-1', 'pr-2'])
      expect(await hook.send(opened(1))).toMatchObject({ status: 200, verdict: 'duplicate' })
      for (const environment of environments) {
        expect((await client.listTasks({ params: { id: environment.id } })).length).toBe(1)
      }
    } finally {
      hook.close()
      await outside.close()
      await platform.stop()
    }
  },
)
