// Downloads an artifact, and resumes after a lost connection. A file is complete or not there at all.
import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from '@shipway/api'
import { CommandError } from '../command-error.ts'
import { isTransient } from '../http/api-failure.ts'
import { fileNameOf } from './file-name.ts'

export type Download = {
  readonly id: number
  /** Opens what it is written to, given the artifact's name. */
  readonly openTarget: (name: string) => Promise<DownloadTarget>
  readonly onProgress: (received: number, size: number) => void
  readonly signal: AbortSignal
  readonly pausesMs?: readonly number[]
}

export type DownloadTarget = {
  write(piece: Uint8Array): Promise<void>
  /** Every byte was written. */
  finish(): Promise<void>
  /** Called at the end, finished or not. */
  close(): Promise<void>
}

/** Pauses between attempts. */
const PAUSES_MS = [500, 2_000, 5_000, 10_000]

export async function downloadArtifact(
  client: Pick<Client, 'raw'>,
  download: Download,
): Promise<{ readonly name: string; readonly size: number }> {
  const { id, openTarget, signal, onProgress } = download
  const answer = await client.raw.downloadArtifact({ params: { id }, signal })
  const size = sizeOf(answer.headers)
  const etag = answer.headers.get('etag')
  const name = fileNameOf(answer.headers.get('content-disposition'), id)
  const target = await openTarget(name)
  try {
    const written = { bytes: 0 }
    const take = (body: ReadableStream<Uint8Array>) => writeAll(body, { target, written, size, onProgress })
    await take(answer.body).catch(ignoreTransient)
    for (const ms of download.pausesMs ?? PAUSES_MS) {
      if (written.bytes >= size || etag === null) break
      await pause(ms, undefined, { signal })
      await resume(client, { id, from: written.bytes, etag, signal }, take)
    }
    if (written.bytes !== size) throw Short(written.bytes, size)
    await target.finish()
    return { name, size }
  } finally {
    await target.close()
  }
}

type Rest = { readonly id: number; readonly from: number; readonly etag: string; readonly signal: AbortSignal }

async function resume(
  client: Pick<Client, 'raw'>,
  { id, from, etag, signal }: Rest,
  take: (body: ReadableStream<Uint8Array>) => Promise<void>,
): Promise<void> {
  try {
    const { body, status } = await client.raw.downloadArtifact({ params: { id }, resume: { from, etag }, signal })
    // The platform sends the whole file again, so it has changed.
    if (status !== 206) {
      await body.cancel()
      throw new CommandError('The file changed during the download. Download it again', { code: 'changed' })
    }
    await take(body)
  } catch (error) {
    ignoreTransient(error)
  }
}

/** A lost connection, or a platform that is unreachable for a moment. */
function ignoreTransient(error: unknown): void {
  if (!isTransient(error) && !(error instanceof Broken)) throw error
}

/** The response ended too early. */
class Broken extends Error {
  override readonly name = 'Broken'
}

type Writing = {
  readonly target: DownloadTarget
  readonly written: { bytes: number }
  readonly size: number
  readonly onProgress: Download['onProgress']
}

async function writeAll(
  body: ReadableStream<Uint8Array>,
  { target, written, size, onProgress }: Writing,
): Promise<void> {
  for await (const piece of readable(body)) {
    if (written.bytes + piece.length > size) throw Short(written.bytes + piece.length, size)
    await target.write(piece)
    written.bytes += piece.length
    onProgress(written.bytes, size)
  }
}

/** Separates failures of the connection from failures of the disk or the reader. */
async function* readable(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  try {
    for await (const piece of body) yield piece
  } catch (error) {
    throw new Broken('The connection broke', { cause: error })
  }
}

function sizeOf(headers: Headers): number {
  const text = headers.get('content-length') ?? ''
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw new CommandError('The platform did not send the size of the file, so the download cannot be verified', {
    code: 'unknown_length',
  })
}

const Short = (received: number, size: number): CommandError =>
  new CommandError(`Received ${received} of ${size} bytes, so the file was not kept`, {
    code: 'incomplete_download',
    advice: ['Download it again'],
    fields: { received, size },
  })
