// An artifact, or a part of it, from its server to the caller while it is read there.
//
// The first bytes are read before the answer begins, so that a fault can still be answered as an error. From then on what is wrong
// ends the connection: the length was promised, and fewer bytes never look like the whole file.
import type { FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { ArtifactNotFound, RangeNotSatisfiable } from '../../domain/errors.ts'
import type { StoredArtifact } from '../../store/actions/artifacts.ts'
import type { Answer } from '../handler.ts'
import { type ByteRange, readRange } from '../logs/byte-range.ts'
import { streamPieces } from '../logs/piece-stream.ts'
import { attachment } from './content-disposition.ts'

type Download = { readonly artifact: StoredArtifact; readonly userId: number; readonly request: FastifyRequest }

export async function answerArtifact(
  ctx: Pick<Context, 'artifacts'>,
  { artifact, userId, request }: Download,
): Promise<Answer<'downloadArtifact'>> {
  const { size, server } = artifact
  if (!server) throw ArtifactNotFound('The server that the file lies on was deleted. Run the action again')
  const etag = `"${artifact.id}-${artifact.stamp}"`
  const range = readRange(rangeHeader(request, etag), size)
  if (range === 'none') throw RangeNotSatisfiable(size)
  const { from, to } = range ?? { from: 0, to: size }
  const read: ReadPart = (part) => ctx.artifacts.readPart(server, artifact, part)
  const isHead = request.method === 'HEAD'
  const first = await read({ from, length: isHead ? 0 : Math.min(LEAST_PART_BYTES, to - from) })
  const { downloads } = request.server
  const isCrowded = (): boolean => downloads.count > MOST_IN_LARGE_PARTS
  const open = () => streamPieces((gone) => partsOf(read, { first, from, to, isCrowded }, gone))
  return {
    headers: {
      'accept-ranges': 'bytes',
      'content-length': String(to - from),
      'content-disposition': attachment(artifact.path),
      // Not even a browser that shows it all the same runs anything of it.
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
      etag,
      ...(range && { 'content-range': `bytes ${from}-${to - 1}/${size}` }),
    },
    stream: {
      status: range ? 206 : 200,
      type: 'application/octet-stream',
      bytes: isHead ? streamPieces(noPieces) : downloads.add(userId, open),
    },
  }
}

/**
 * A client that takes a part quickly gets a larger one and the next is read ahead, since each part costs a session on the server. The
 * kernel takes the first megabytes for a client that never reads, so this is only for a few downloads at once.
 */
const LEAST_PART_BYTES = 256 * 1024
const MOST_PART_BYTES = 1024 ** 2
const QUICK_MS = 2000
const MOST_IN_LARGE_PARTS = 16

type ReadPart = (part: { readonly from: number; readonly length: number }) => Promise<Buffer>
type DownloadRange = ByteRange & { readonly first: Buffer; readonly isCrowded: () => boolean }

async function* partsOf(
  read: ReadPart,
  { first, from, to, isCrowded }: DownloadRange,
  gone: AbortSignal,
): AsyncGenerator<Buffer, void> {
  let [place, length, piece, isQuick] = [from, LEAST_PART_BYTES, first, false]
  while (piece.length > 0) {
    place += piece.length
    const part = { from: place, length: Math.min(length, to - place) }
    const prefetched = isQuick && part.length > 0 ? read(part) : undefined
    // The error is reported where the part is awaited, or the client has gone.
    prefetched?.catch(() => undefined)
    const begin = performance.now()
    yield piece
    isQuick = performance.now() - begin < QUICK_MS && !isCrowded()
    length = isQuick ? Math.min(2 * length, MOST_PART_BYTES) : LEAST_PART_BYTES
    if (place >= to || gone.aborted) return
    piece = await (prefetched ?? read(part))
  }
}

async function* noPieces(): AsyncGenerator<Buffer, void> {
  yield* []
}

/** Only a GET has ranges, and only of the same file that an earlier answer was of, where the caller says which that was. */
function rangeHeader({ method, headers }: FastifyRequest, etag: string): string | undefined {
  const isSame = headers['if-range'] === undefined || headers['if-range'] === etag
  return method === 'GET' && isSame ? headers.range : undefined
}
