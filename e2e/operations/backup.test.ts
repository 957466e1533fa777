// A backup during writes and a deployment, and a platform that starts on the restored data.
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createClient } from '@shipway/api'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { type DatabaseAddress, openDatabase } from '../../packages/server/src/store/database.ts'
import { databases } from '../../packages/server/test/databases.ts'
import { freePort } from '../../tools/free-port.ts'
import { startOurs, stopProcess } from '../../tools/platform.ts'
import { beginJourney, ended, type Journey, until } from '../journey.ts'

const SERVICE = `
services:
  web: {}
manual:
  deploy:
    - name: Say hello
      run: echo "hello, key $KEY"; if [ "$SERVICE_ENV_IDENTIFIER" = slow ]; then sleep 300; fi
`

describe.each(databases)('on $name', ({ name }) => {
  test('the restored platform has every value and deploys', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'shipway-backup-'))
    const journey = await beginJourney(name, 'ssh')
    const { client, platform } = journey
    try {
      const sha = journey.commit({ '.service.yml': SERVICE })
      const environmentId = await journey.createEnvironment('main')
      await client.changeVariables({ params: { id: environmentId }, body: { set: { KEY: 'value-of-key' } } })
      const { id: firstId } = await client.startDeployment({ params: { id: environmentId } })
      expect(await ended(client, firstId)).toMatchObject({ status: 'succeeded' })
      const slowId = await startSlow(journey)

      const file = join(folder, 'backup')
      const writing = writeAlways(journey)
      await writing.hasWritten(20)
      const output = await runServer(settingsOf(platform.address), 'backup', file)
      expect(output).toContain('rows of')
      const before = writing.count()
      await writing.hasWritten(before + 20)
      await writing.stop()
      const died = once(platform.process, 'exit')
      platform.process.kill('SIGKILL')
      await died

      const place = await makeDatabase(platform.address, folder)
      const restored = {
        ...settingsOf(place.address),
        SHIPWAY_MASTER_KEY_FILE: join(platform.address.dataFolder, 'master.key'),
      }
      expect(await runServer(restored, 'restore', file)).toMatch(
        /[1-9][0-9]* sealed values open with the master key\n1 tasks/,
      )
      await expectWhole(place.address)

      const port = await freePort()
      const child = await startOurs({ ...restored, SHIPWAY_PORT: String(port) })
      try {
        const again = createClient({ baseUrl: `http://127.0.0.1:${port}`, token: () => platform.filled.token })
        const environment = await again.getEnvironment({ params: { id: environmentId } })
        expect(environment).toMatchObject({
          locked: false,
          live: { task_id: firstId, commit_sha: sha },
        })
        expect(await again.getTask({ params: { id: slowId } })).toMatchObject({
          status: 'failed',
          reason: 'interrupted',
        })
        const { id } = await again.startDeployment({ params: { id: environmentId } })
        expect(await ended(again, id)).toMatchObject({ status: 'succeeded' })
        expect(await again.readTaskLog({ params: { id } })).toContain('hello, key [hidden]')
      } finally {
        await stopProcess(child)
      }
    } finally {
      await journey.stop()
      rmSync(folder, { recursive: true, force: true })
    }
  })
})

/** A deployment that stays in the middle of a step. */
async function startSlow({ client, createEnvironment }: Journey): Promise<number> {
  const { id } = await client.startDeployment({ params: { id: await createEnvironment('slow') } })
  await until(async () => {
    const log = await client.readTaskLog({ params: { id } })
    return log.includes('hello, key') || undefined
  }, 'the slow step runs')
  return id
}

/** Registers servers from several clients until it is stopped. Every request must succeed. */
function writeAlways({ client }: Journey) {
  let isOver = false
  let count = 0
  let begun = 0
  const write = async (): Promise<void> => {
    while (!isOver) {
      await client.createServer({ body: { name: `Written ${++begun}`, hostname: 'server.example.com' } })
      count++
    }
  }
  const writers = [write(), write(), write()]
  return {
    count: () => count,
    hasWritten: (least: number) =>
      Promise.race([...writers, until(async () => count >= least || undefined, 'servers are written')]),
    stop: async () => {
      isOver = true
      await Promise.all(writers)
    },
  }
}

/** A server and its audit event are written together: a backup has both of them or neither. */
async function expectWhole(address: DatabaseAddress): Promise<void> {
  const { db, close } = await openDatabase(address)
  const servers = await db.selectFrom('servers').orderBy('id').select('id').execute()
  const audited = db
    .selectFrom('audit_events')
    .where('action', '=', 'server.created')
    .orderBy('target_id')
    .select('target_id as id')
  expect(servers.length).toBeGreaterThan(20)
  expect(servers).toEqual(await audited.execute())
  await close()
}

/** Another data folder, and another database of the same PostgreSQL. */
async function makeDatabase({ url }: DatabaseAddress, folder: string): Promise<{ readonly address: DatabaseAddress }> {
  const dataFolder = join(folder, 'restored')
  if (url === undefined) return { address: { dataFolder } }
  const { db, close } = await openDatabase({ url, dataFolder })
  await sql`create database restored`.execute(db).finally(close)
  const address = new URL(url)
  address.pathname = '/restored'
  return { address: { url: address.href, dataFolder } }
}

const settingsOf = ({ url, dataFolder }: DatabaseAddress): Record<string, string> => ({
  SHIPWAY_DATA: dataFolder,
  SHIPWAY_LOG_LEVEL: 'warn',
  SHIPWAY_ALLOWED_NETWORKS: '127.0.0.0/8',
  ...(url !== undefined && { DATABASE_URL: url }),
})

async function runServer(settings: Record<string, string>, ...words: string[]): Promise<string> {
  const program = join(import.meta.dirname, '../../packages/server/dist/main.mjs')
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...words], {
    env: { ...process.env, ...settings },
  })
  return stdout
}
