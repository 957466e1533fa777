// Runs the platform in a process of its own, as users do, on a prepared database.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import manifest from '../package.json' with { type: 'json' }
import { buildServer } from '../packages/server/build.ts'
import { type Database, type DatabaseAddress, openDatabase } from '../packages/server/src/store/database.ts'
import { migrate } from '../packages/server/src/store/migrate.ts'
import { DATABASE_FILE, migratedFile } from '../packages/server/test/migrated-file.ts'
import { freePort } from './free-port.ts'
import { takePortBlock } from './port-block.ts'
import { findPostgresFolder } from './real-parts/postgres.ts'
import { startPostgres } from './real-parts/postgres-cluster.ts'

export type DatabaseName = 'embedded' | 'postgres'
export type Platform = {
  readonly url: string
  readonly process: ChildProcess
  /** The database from outside, while the platform runs or after it died. */
  readonly address: DatabaseAddress
  /** Starts it again on the same records, after it was killed or stopped; also as another build. */
  restart(program?: string): Promise<void>
  stop(): Promise<void>
}

/** Starts the platform on a database that `fill` has prepared, and returns the result of `fill` too. `settings` override ours. */
export async function startPlatform<T>(
  name: DatabaseName,
  fill: (database: Database) => Promise<T>,
  settings: Readonly<Record<string, string>> = {},
  { program, migrations }: Build = { program: OURS },
): Promise<Platform & { filled: T }> {
  const { address, filled, remove } = await makeDatabase(name, fill, migrations)
  const port = await freePort()
  const ports = await takePortBlock()
  const all = { ...settingsOf(address, port), SHIPWAY_PORTS: ports.range, ...settings }
  let child = await startOurs(all, undefined, program)
  return {
    url: `http://127.0.0.1:${port}`,
    address,
    filled,
    get process() {
      return child
    },
    restart: async (other = program) => {
      // A process that was sent SIGKILL holds its port and its lock until it has ended.
      if (child.killed) await exitOf(child)
      child = await startOurs(all, undefined, other)
    },
    stop: async () => {
      await stopProcess(child)
      await ports.release()
      await remove()
    },
  }
}

/** A database without a platform, filled and closed again. */
export async function makeDatabase<T>(
  name: DatabaseName,
  fill: (database: Database) => Promise<T>,
  migrations?: string,
): Promise<{ readonly address: DatabaseAddress; readonly filled: T; remove(): Promise<void> }> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'shipway-platform-'))
  const cluster = name === 'postgres' ? await startCluster() : undefined
  const address = { url: cluster?.url, dataFolder }
  if (!cluster && migrations === undefined) await copyMigrated(dataFolder)
  const database = await openDatabase(address)
  await migrate(database, migrations)
  const filled = await fill(database)
  await database.close()
  const remove = async (): Promise<void> => {
    await cluster?.stop()
    await rm(dataFolder, { recursive: true })
  }
  return { address, filled, remove }
}

/** The migrated database of this version, so that there is nothing left to migrate. */
export const copyMigrated = async (dataFolder: string): Promise<void> =>
  writeFile(join(dataFolder, DATABASE_FILE), await migratedFile(), { mode: 0o600 })

export function settingsOf({ dataFolder, url: databaseUrl }: DatabaseAddress, port: number): Record<string, string> {
  return {
    SHIPWAY_DATA: dataFolder,
    SHIPWAY_PORT: String(port),
    SHIPWAY_API_REQUESTS_PER_MINUTE: '100000000',
    SHIPWAY_LOG_LEVEL: 'warn',
    // Repositories of tests are on this machine.
    SHIPWAY_ALLOWED_NETWORKS: '127.0.0.0/8',
    ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
  }
}

/** A build of the platform, and the folder of its migrations where these are not the ones of now. */
export type Build = { readonly program: string; readonly migrations?: string }

/** Where the platform is built. */
export const OURS = 'packages/server/dist/main.mjs'

/** The platform itself, built where its sources have changed. */
export async function startOurs(
  settings: Record<string, string>,
  onLine?: (line: string) => void,
  program = OURS,
): Promise<ChildProcess> {
  built ??= buildServer()
  await built
  return startProcess([...NODE_FLAGS, program], { ...MEMORY_SETTING, ...settings }, onLine)
}

const [beforeNode = '', afterNode = ''] = manifest.scripts.start.split(' exec node ')
/** The flags that `npm start` gives to Node: without them it takes more memory, most of it garbage. */
export const NODE_FLAGS: readonly string[] = afterNode.split(' ').slice(0, -1)
const [name = '', value = ''] = beforeNode.split(' ').at(-1)?.split('=') ?? []
/** What `npm start` says to the C library: memory that is free goes back to the system at once. */
export const MEMORY_SETTING: Readonly<Record<string, string>> = { [name]: value }

let built: Promise<void> | undefined

/** A program for Node that says when it listens. */
export const startProcess = (
  words: readonly string[],
  environment: Record<string, string>,
  onLine?: (line: string) => void,
): Promise<ChildProcess> => startProgram([process.execPath, ...words], environment, onLine)

/** A program that says when it listens. */
export async function startProgram(
  words: readonly string[],
  environment: Record<string, string>,
  onLine: (line: string) => void = () => undefined,
): Promise<ChildProcess> {
  // In a group of its own, so that Ctrl-C ends it in its turn; on Linux it ends with us, also when we are killed.
  const [program = '', ...rest] = process.platform === 'linux' ? ['setpriv', '--pdeathsig=KILL', '--', ...words] : words
  const child = spawn(program, rest, {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  })
  // Read until it ends: a program whose output is not read blocks on a full pipe.
  const lines = createInterface({ input: child.stdout })
  await new Promise<void>((resolve, reject) => {
    lines.on('line', (line) => {
      onLine(line)
      if (line.startsWith('Listening on ')) resolve()
    })
    lines.on('close', () => reject(new Error(`${words.join(' ')} ended before it listened`)))
  })
  return child
}

export async function stopProcess(child: ChildProcess): Promise<void> {
  if (hasExited(child)) return
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  await exited
}

const hasExited = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null

async function exitOf(child: ChildProcess): Promise<void> {
  if (!hasExited(child)) await once(child, 'exit')
}

async function startCluster() {
  const programs = findPostgresFolder()
  if (programs === undefined) throw new Error('PostgreSQL is missing: run `npm test` once, it installs what it needs')
  return startPostgres(programs, { isDurable: true })
}
