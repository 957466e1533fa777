// Gives a test run a PostgreSQL of its own: a cluster in a temporary folder that ends with the run.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { TestProject } from 'vitest/node'
import { fastestFolder } from '../fastest-folder.ts'
import { freePort } from '../free-port.ts'
import { findPostgresFolder } from './postgres.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The address of an empty PostgreSQL with all rights; undefined where PostgreSQL is not installed. */
    postgresUrl: string | undefined
  }
}

/** Vitest calls this once before the tests, and what it returns once after them, also when they failed. */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const programs = findPostgresFolder()
  if (programs === undefined) {
    if (process.env.CI === 'true') throw new Error('PostgreSQL is missing, and with CI=true every part must be present')
    project.provide('postgresUrl', undefined)
    return undefined
  }
  const cluster = await startPostgres(programs)
  project.provide('postgresUrl', cluster.socketUrl)
  return cluster.stop
}

const startTimeoutMs = 180_000

export type PostgresCluster = Readonly<{
  url: string
  /** The same, by its socket in the file system, which spares the kernel the work of TCP. */
  socketUrl: string
  stop: () => Promise<void>
}>

/** `isDurable` keeps fsync on, for tests that kill things and count what is left. */
export async function startPostgres(programs: string, { isDurable = false } = {}): Promise<PostgresCluster> {
  const folder = mkdtempSync(join(isDurable ? tmpdir() : fastestFolder(neededBytes), 'shipway-postgres-'))
  const owner = postgresOwner()
  if (owner) chownSync(folder, owner.uid, owner.gid)
  const data = join(folder, 'data')
  const [program, ...words] = asOwner([
    `${programs}/initdb`,
    ...['--pgdata', data, '--username', 'postgres', '--auth', 'trust', '--encoding', 'UTF8', '--locale', 'C.UTF-8'],
    '--no-sync',
  ])
  const removeFolder = (): void => rmSync(folder, { recursive: true, force: true })
  try {
    execFileSync(program, words, { stdio: ['ignore', 'ignore', 'inherit'] })
    const port = await freePort()
    const server = await startServer(
      asOwner([`${programs}/postgres`, ...serverOptions({ data, folder, port, isDurable })]),
    )
    const url = `postgres://postgres@127.0.0.1:${port}/postgres`
    return {
      url,
      socketUrl: `${url}?host=${encodeURIComponent(folder)}`,
      stop: () => stopServer(server).finally(removeFolder),
    }
  } catch (error) {
    removeFolder()
    throw error
  }
}

/** The tests make and drop some hundred databases of a thousand files each. */
const neededBytes = 4 * 1024 ** 3

/** The databases live for seconds: durability, replication and vacuum are off. */
const FOR_SHORT_LIVES = [
  ...['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'],
  ...['wal_level=minimal', 'max_wal_senders=0', 'autovacuum=off', 'bgwriter_lru_maxpages=0', 'jit=off'],
]

type ServerOptions = Readonly<{ data: string; folder: string; port: number; isDurable: boolean }>

function serverOptions({ data, folder, port, isDurable }: ServerOptions): string[] {
  const durability = isDurable ? [] : FOR_SHORT_LIVES
  const settings = [
    'listen_addresses=127.0.0.1',
    `port=${port}`,
    `unix_socket_directories=${folder}`,
    'max_connections=200',
    'timezone=UTC',
    // The line that says it is ready is of the level LOG, which ranks above ERROR here.
    'log_min_messages=log',
    'lc_messages=C',
    ...durability,
  ]
  return ['-D', data, ...settings.flatMap((setting) => ['-c', setting])]
}

/** Waits for the line by which PostgreSQL says that it is ready; what it said before explains a failure. */
async function startServer([program, ...words]: Words): Promise<ChildProcess> {
  // In a group of its own, so that Ctrl-C does not stop it before the tests have ended.
  const server = spawn(program, words, { stdio: ['ignore', 'ignore', 'pipe'], detached: true })
  const deadline = setTimeout(() => server.kill('SIGINT'), startTimeoutMs)
  const said: string[] = []
  const lines = createInterface({ input: server.stderr })
  await new Promise<void>((ready, failed) => {
    lines.on('line', (line) => {
      said.push(line)
      if (line.includes('database system is ready to accept connections')) ready()
    })
    server.once('error', failed)
    server.once('exit', () => failed(new Error(`PostgreSQL did not start. It said:\n${said.join('\n')}`)))
  }).finally(() => clearTimeout(deadline))
  return server
}

/** SIGINT is PostgreSQL's fast shutdown: it ends the sessions and then itself. */
async function stopServer(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return
  const ended = once(server, 'exit')
  server.kill('SIGINT')
  await ended
}

type Words = readonly [string, ...string[]]

/** PostgreSQL refuses to run as root; it also gets a signal when the test run is killed, so that no server stays. */
function asOwner(command: Words): Words {
  if (process.platform !== 'linux') return command
  const identity = postgresOwner() ? ['--reuid=postgres', '--regid=postgres', '--init-groups'] : []
  return ['setpriv', ...identity, '--pdeathsig=INT', '--', ...command]
}

function postgresOwner(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const id = (option: string): number => Number(execFileSync('id', [option, 'postgres'], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}
