// One or several platform processes on one database. Each can be killed, stopped and started again.
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '../../packages/server/src/store/database.ts'
import { migrate } from '../../packages/server/src/store/migrate.ts'
import { freePort } from '../../tools/free-port.ts'
import { copyMigrated, startOurs, stopProcess } from '../../tools/platform.ts'
import { findPostgresFolder } from '../../tools/real-parts/postgres.ts'
import { startPostgres } from '../../tools/real-parts/postgres-cluster.ts'
import { buildOwner } from '../journey.ts'

type PlatformNode = {
  readonly url: string
  readonly process: ChildProcess
  /** Sends the signal that ends it, and waits for the end. */
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void>
  /** Starts it again on the same records, unless it runs. */
  restart(): Promise<void>
}

export type Platforms = Awaited<ReturnType<typeof startPlatforms>>

/** One runs on the embedded database, several on one PostgreSQL. */
export async function startPlatforms(count: number, settings: Readonly<Record<string, string>> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'shipway-faults-'))
  const cluster = count > 1 ? await startPostgres(postgresFolder(), { isDurable: true }) : undefined
  if (!cluster) await copyMigrated(folder)
  // The records are watched from outside, whichever platform runs.
  const database = await openDatabase({ url: cluster?.url, dataFolder: folder })
  await migrate(database)
  const owner = await buildOwner(database)
  const nodes: PlatformNode[] = []
  for (let number = 0; number < count; number++) {
    const dataFolder = number === 0 ? folder : join(folder, `node-${number}`)
    nodes.push(
      await startNode({
        SHIPWAY_DATA: dataFolder,
        ...(cluster && { DATABASE_URL: cluster.url }),
        // The first one makes the key, the others share it.
        ...(number > 0 && { SHIPWAY_MASTER_KEY_FILE: join(folder, 'master.key') }),
        ...settings,
      }),
    )
  }
  return {
    nodes,
    /** The data folder of the first one. */
    folder,
    token: owner.token,
    db: database.db,
    stop: async () => {
      for (const node of nodes) {
        node.process.kill('SIGCONT')
        await stopProcess(node.process)
      }
      await database.close()
      await cluster?.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function startNode(settings: Record<string, string>): Promise<PlatformNode> {
  const port = await freePort()
  const start = () =>
    startOurs({
      SHIPWAY_PORT: String(port),
      SHIPWAY_API_REQUESTS_PER_MINUTE: '100000000',
      SHIPWAY_LOG_LEVEL: 'error',
      SHIPWAY_ALLOWED_NETWORKS: '127.0.0.0/8',
      SHIPWAY_MOST_TASKS_PER_SERVER: '20',
      ...settings,
    })
  let child = await start()
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null
  return {
    url: `http://127.0.0.1:${port}`,
    get process() {
      return child
    },
    end: async (signal) => {
      if (hasEnded()) return
      const ended = once(child, 'exit')
      child.kill(signal)
      await ended
    },
    restart: async () => {
      if (hasEnded()) child = await start()
    },
  }
}

function postgresFolder(): string {
  const programs = findPostgresFolder()
  if (programs === undefined) throw new Error('PostgreSQL is missing: run `npm test` once, it installs what it needs')
  return programs
}
