// The official client of the protocol, with the MCP server of the client in the process of the test, or in one of its own.
import { PassThrough } from 'node:stream'
import { Client, ReadBuffer, serializeMessage, type Transport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { SHIPWAY } from './client-process.ts'
import type { InProcess } from './in-process.ts'
import type { Program } from './program.ts'

/** Revisions of the protocol: with the handshake of 2025, and the one that came after it. */
export const ERAS = [
  { era: '2025', mode: 'legacy' },
  { era: '2026-07-28', mode: { pin: '2026-07-28' } },
] as const

type Mode = (typeof ERAS)[number]['mode']

type McpStart = { readonly mode?: Mode; readonly folder?: string }

/** In the process of the test: the same bytes on streams that are no pipes. */
export async function openMcp(
  client: InProcess,
  words: readonly string[],
  { mode = 'legacy', folder = client.home }: McpStart = {},
): Promise<Client> {
  const input = new PassThrough()
  const { stdout, ended } = client.start(['mcp', ...words], { folder, input })
  const received = new ReadBuffer()
  const transport: Transport = {
    start: async () => {
      stdout.on('data', (piece: Buffer) => {
        received.append(piece)
        for (let next = received.readMessage(); next !== null; next = received.readMessage())
          transport.onmessage?.(next)
      })
    },
    send: async (message) => void input.write(serializeMessage(message)),
    close: async () => {
      input.end()
      await ended
      transport.onclose?.()
    },
  }
  return connect(transport, mode)
}

/** In a process of its own, as assistants start it. */
export function openMcpProcess(
  program: Program,
  words: readonly string[],
  { mode = 'legacy', folder = program.home }: McpStart = {},
): Promise<Client> {
  const start = { command: process.execPath, args: [SHIPWAY, 'mcp', ...words], env: { ...program.environment() } }
  return connect(new StdioClientTransport({ ...start, cwd: folder, stderr: 'ignore' }), mode)
}

async function connect(transport: Transport, mode: Mode): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } })
  await client.connect(transport)
  return client
}

type Result = Awaited<ReturnType<Client['callTool']>>

/** What stands in the fence of an answer, and around it. */
export function partsOf(text: string): { readonly inside: string; readonly outside: string } {
  const [, word] = /untrusted output (\S+) -----/.exec(text) ?? []
  const [before = '', rest = ''] = text.split(`----- untrusted output ${word} -----\n`)
  const [inside = '', after = ''] = rest.split(`\n----- end of untrusted output ${word} -----`)
  return { inside, outside: `${before}${after}` }
}

/** The text that a model reads. */
export const textOf = ({ content }: Result): string =>
  content.map((item) => (item.type === 'text' ? item.text : '')).join('\n')
