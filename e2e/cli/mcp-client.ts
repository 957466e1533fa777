// The official client of the protocol, with the MCP server of the real program.
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { type Program, SHIPWAY } from './program.ts'

/** Revisions of the protocol: with the handshake of 2025, and the one that came after it. */
export const ERAS = [
  { era: '2025', mode: 'legacy' },
  { era: '2026-07-28', mode: { pin: '2026-07-28' } },
] as const

export type Mode = (typeof ERAS)[number]['mode']

export async function openMcp(
  program: Program,
  words: readonly string[],
  mode: Mode = 'legacy',
  folder = program.home,
): Promise<Client> {
  const env = Object.fromEntries(Object.entries(program.environment()).map(([name, value]) => [name, value ?? '']))
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } })
  const args = [SHIPWAY, 'mcp', ...words]
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args, env, cwd: folder, stderr: 'ignore' }),
  )
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
