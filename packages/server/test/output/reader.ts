// The program that reads output, run as sshd runs it: by a shell, in the home, with the request in a variable.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { readerPrograms } from '../../src/remote/output/output-scripts.ts'

export type Read = { readonly code: number | null; readonly lines: readonly string[]; readonly stderr: string }

export const installationId = 'main'

/** In a home folder, where a server has it. */
export function putReaderThere(home: string): void {
  const file = join(home, '.shipway', installationId, 'read-output.sh')
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, readerPrograms.compose)
  chmodSync(file, 0o700)
  mkdirSync(draftsOf(home))
}

/** Where the reader has what it needs for itself. */
export const draftsOf = (home: string): string => join(home, '.drafts')

export const outputOf = (home: string, environmentId: number): string =>
  join(home, '.shipway', installationId, `environments/${environmentId}/output`)

type Reading = {
  readonly home: string
  readonly environmentId?: number
  /** Leads nowhere unless given. */
  readonly dockerHost?: string
  /** A folder of programs that are found before those of the machine. */
  readonly programs?: string
}

export function startReader(
  request: string,
  { home, environmentId = 7, dockerHost = 'unix:///nonexistent', programs }: Reading,
): ChildProcess & { stdout: NodeJS.ReadableStream; stderr: NodeJS.ReadableStream } {
  const env = {
    PATH: programs === undefined ? process.env.PATH : `${programs}:${process.env.PATH}`,
    HOME: home,
    TMPDIR: draftsOf(home),
    DOCKER_HOST: dockerHost,
    SSH_ORIGINAL_COMMAND: request,
  }
  const words = [`.shipway/${installationId}/read-output.sh`, String(environmentId)]
  return spawn('sh', words, { cwd: home, env, stdio: ['ignore', 'pipe', 'pipe'] })
}

export async function read(request: string, reading: Reading): Promise<Read> {
  const reader = startReader(request, reading)
  const closed = once(reader, 'close')
  const [stdout, stderr] = await Promise.all([text(reader.stdout), text(reader.stderr)])
  const [code] = await closed
  return { code, lines: stdout.split('\n').filter(Boolean), stderr }
}

/** A time as docker prints it, so many seconds ago or after 1970. */
export const stamp = (seconds: number): string =>
  `${new Date(seconds * 1000).toISOString().replace(/\.\d+Z$/, '')}.000000000Z`

export type KeptLine = readonly [seconds: number, text: string]

/** A kept file as the platform makes it. */
export function keepFile(folder: string, { service, id }: { service: string; id: string }, lines: readonly KeptLine[]) {
  mkdirSync(folder, { recursive: true })
  const seconds = lines.map(([second]) => second)
  const name = `${Math.min(...seconds)}-${Math.max(...seconds)}.${lines.length}.${id}.${service}.gz`
  writeFileSync(
    join(folder, name),
    gzipSync(lines.map(([second, content]) => `${stamp(second)} ${content}\n`).join('')),
  )
  return join(folder, name)
}
