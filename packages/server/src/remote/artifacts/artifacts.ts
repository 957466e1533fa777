// Reads files that actions left on servers, one part per command, so that a slow reader does not occupy a session of the server.
import { loadScript, shell } from '../../commands/script.ts'
import { ArtifactNotFound, ServerNotReached, TooManyChecks } from '../../domain/errors.ts'
import type { ServerAddress } from '../../domain/server-address.ts'
import { Busy, type ConcurrencyLimit, limitConcurrency } from '../../scheduling/limit-concurrency.ts'
import { type Finished, type Host, ServerUnreachable } from '../host.ts'
import type { Hosts } from '../hosts.ts'
import { withinDeadline } from '../within-deadline.ts'

export type Artifacts = {
  /**
   * Exactly these bytes. Throws ArtifactNotFound if the file is missing or has changed, and ServerNotReached or ServerTimeout if the server
   * does not answer.
   */
  readPart(server: ServerAddress, artifact: KeptFile, part: Part): Promise<Buffer>
}

type KeptFile = {
  readonly environmentId: number
  readonly taskId: number
  readonly number: number
  readonly size: number
  readonly stamp: string
}

type Part = { readonly from: number; readonly length: number }

type Options = {
  readonly hosts: Pick<Hosts, 'of'>
  /** The platform's folder on a server. A relative path starts at the home folder. */
  readonly folderOf: (server: ServerAddress) => string
  readonly deadlineMs?: number
}

/** Commands on a server share eight sessions; artifacts may use this many. */
const AT_ONCE = 2
const MOST_WAITING = 100

export function createArtifacts({ hosts, folderOf, deadlineMs = 60_000 }: Options): Artifacts {
  const limits = new Map<number, ConcurrencyLimit>()
  const limitOf = (serverId: number): ConcurrencyLimit => {
    const limit = limits.get(serverId) ?? limitConcurrency({ concurrency: AT_ONCE, maxQueued: MOST_WAITING })
    limits.set(serverId, limit)
    return limit
  }
  return {
    readPart: async (server, file, part) => {
      const host = hosts.of(server)
      const folder = `${folderOf(server)}/environments/${file.environmentId}/artifacts/${file.taskId}`
      try {
        return await limitOf(server.id)(() =>
          withinDeadline(host, deadlineMs, (signal) => readPart(host, { folder, file, part, signal })),
        )
      } catch (error) {
        if (error instanceof ServerUnreachable) throw ServerNotReached(error.stage, error.message)
        if (error instanceof Busy) throw TooManyChecks('artifacts', 'on this server')
        throw error
      }
    },
  }
}

type Reading = {
  readonly folder: string
  readonly file: KeptFile
  readonly part: Part
  readonly signal: AbortSignal
}

async function readPart(host: Host, { folder, file, part, signal }: Reading): Promise<Buffer> {
  const { number, size, stamp } = file
  const words = [folder, String(number), String(size), stamp, String(part.from), String(part.length)]
  const pieces: Buffer[] = []
  let bytes = 0
  const onOutput = (piece: Buffer): void => {
    bytes += piece.length
    // Stops reading from a server that sends more than requested.
    if (bytes > part.length) throw ArtifactNotFound(CHANGED)
    pieces.push(piece)
  }
  const { exitCode } = await host.run(shell(script, 'shipway-artifact', ...words), { signal, onOutput })
  refuse(host, { exitCode, bytes }, part)
  return Buffer.concat(pieces)
}

function refuse(host: Host, end: Pick<Finished, 'exitCode'> & { readonly bytes: number }, { length }: Part): void {
  if (end.exitCode === 0 && end.bytes === length) return
  if (end.exitCode === 3)
    throw ArtifactNotFound(`The file is not on the server ${host.name} any more. Run the action again`)
  throw ArtifactNotFound(CHANGED)
}

const CHANGED = 'The file on the server is not the one that the action left. Run the action again'

const script = loadScript(import.meta.url, 'send-artifact')
