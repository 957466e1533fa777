// The response of the front server. Whatever writes an answer writes it here, so that no route can forget these rules: a large body goes out
// in pieces as the client reads, what waits is counted, and an answer that comes before the end of the request is the last.
import { type IncomingMessage, ServerResponse } from 'node:http'
import { areConstant } from './constant-bytes.ts'

export type Exchange = { readonly req: IncomingMessage; readonly res: AnswerResponse }

/** The connection that an answer is sent on. */
type AnswerConnection = {
  /** Looks at how much of the answer waits to be read. */
  note(): void
  /** The answer has so many bytes beside those that were written already. */
  countBody(bytes: number): void
  /** The answer is the last on this connection. */
  closeAfter(exchange: Exchange): void
}

/** Up to here a body is sent at once: most answers are, and pieces cost time. */
const LARGE_BYTES = 128 * 1024
/** A client that takes a minute for one piece counts as gone, so pieces are small. */
const PIECE_BYTES = 32 * 1024

export class AnswerResponse<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
  #connection: AnswerConnection | undefined
  #isNoted = true
  #isInPieces = false

  sendOn(connection: AnswerConnection): void {
    this.#connection = connection
  }

  override writeHead(statusCode: number, ...rest: unknown[]): this {
    if (hasMoreToCome(this.req) && !this.headersSent) this.#connection?.closeAfter({ req: this.req, res: this })
    return Reflect.apply(super.writeHead, this, [statusCode, ...rest])
  }

  override write(...words: unknown[]): boolean {
    // Node keeps what is written until the next tick, and hands it to the kernel together.
    if (this.#isNoted) process.nextTick(() => this.#note())
    this.#isNoted = false
    return Reflect.apply(super.write, this, words)
  }

  override end(...words: unknown[]): this {
    if (this.#isInPieces) return this
    const [body, encoding] = words
    const isLarge = (typeof body === 'string' || body instanceof Uint8Array) && body.length > LARGE_BYTES
    if (isLarge && this.#connection && this.#sendsBody()) {
      this.#sendInPieces(typeof body === 'string' ? Buffer.from(body, encodingOf(encoding)) : body, words)
      return this
    }
    Reflect.apply(super.end, this, words)
    this.#note()
    return this
  }

  #note(): void {
    this.#isNoted = true
    this.#connection?.note()
  }

  /** Of other statuses and methods Node sends the head alone. */
  #sendsBody(): boolean {
    return this.req.method !== 'HEAD' && this.statusCode !== 204 && this.statusCode !== 304
  }

  #sendInPieces(body: Uint8Array, words: readonly unknown[]): void {
    this.#isInPieces = true
    if (!areConstant(body)) this.#connection?.countBody(body.length)
    const isLengthKnown = this.headersSent || this.hasHeader('content-length') || this.hasHeader('transfer-encoding')
    if (!isLengthKnown) this.setHeader('content-length', body.length)
    const done = words.find((word) => typeof word === 'function')
    let place = 0
    const sendNext = (): void => {
      if (this.destroyed) return
      const piece = body.subarray(place, place + PIECE_BYTES)
      place += piece.length
      if (place < body.length) this.write(piece, sendNext)
      else {
        Reflect.apply(super.end, this, [piece, done])
        this.#note()
      }
    }
    sendNext()
  }
}

function hasMoreToCome({ complete, headers }: IncomingMessage): boolean {
  if (complete) return false
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

const encodingOf = (word: unknown): BufferEncoding =>
  typeof word === 'string' && Buffer.isEncoding(word) ? word : 'utf8'
