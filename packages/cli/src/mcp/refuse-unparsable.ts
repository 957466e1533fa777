// Answers lines that are not JSON-RPC with an error of the protocol. The library drops them, and their sender would wait for an answer.
import { Transform } from 'node:stream'
import { STDIO_DEFAULT_MAX_BUFFER_SIZE } from '@modelcontextprotocol/server'

const PARSE_ERROR = { code: -32700, message: 'Parse error: the line is not JSON' }
const INVALID_REQUEST = { code: -32600, message: 'Invalid request: the line is not a JSON-RPC 2.0 message' }

/** Passes on whole lines that are JSON-RPC messages. `answer` gets the error for each other line. */
export function refuseUnparsable(answer: (line: string) => void): Transform {
  let rest = Buffer.alloc(0)
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      rest = Buffer.concat([rest, chunk])
      for (let end = rest.indexOf(NEWLINE); end !== -1; end = rest.indexOf(NEWLINE)) {
        const line = rest.subarray(0, end + 1)
        rest = rest.subarray(end + 1)
        const error = errorOf(line.toString())
        if (error === undefined) this.push(line)
        else if (error !== 'blank') answer(`${JSON.stringify({ jsonrpc: '2.0', ...error })}\n`)
      }
      // The library refuses it as too long.
      if (rest.length > STDIO_DEFAULT_MAX_BUFFER_SIZE) {
        this.push(rest)
        rest = Buffer.alloc(0)
      }
      done()
    },
  })
}

const NEWLINE = 0x0a

type Refusal = { readonly id: string | number | null; readonly error: typeof PARSE_ERROR }

function errorOf(line: string): Refusal | 'blank' | undefined {
  if (line.trim() === '') return 'blank'
  const message = parse(line)
  if (message === undefined) return { id: null, error: PARSE_ERROR }
  const { jsonrpc, method, id, result, error } = Object(message.value)
  const isMessage = jsonrpc === '2.0' && (typeof method === 'string' || result !== undefined || error !== undefined)
  if (isMessage) return undefined
  return { id: typeof id === 'string' || typeof id === 'number' ? id : null, error: INVALID_REQUEST }
}

function parse(line: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(line) }
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
